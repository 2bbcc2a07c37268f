"""The file and line of each setting, by the keys that lead to it."""

from collections.abc import Iterator, Mapping

from ..errors import ConfigError
from ..yaml_reader import Value, load

Places = Mapping[str, tuple[str, int]]
"""The file and line of a setting, by its keys, as in `policy.autonomy`."""


def places(text: str, path: str) -> Places:
    """Return the places of all settings in a YAML text; {} if the text is invalid.

    The key of a list item is its `id`.
    """
    try:
        root = load(text, path)
    except ConfigError:
        return {}
    return {trail: (path, line) for trail, line in _below(root, "")}


def _below(value: Value, trail: str) -> Iterator[tuple[str, int]]:
    """Yield the keys and the line of each setting in a value."""
    if isinstance(value.data, dict):
        prefix = f"{trail}." if trail else ""
        for key, entry in value.data.items():
            yield f"{prefix}{key}", entry.line
            yield from _below(entry.value, f"{prefix}{key}")
    elif isinstance(value.data, list):
        for item in value.data:
            if isinstance(item.data, dict) and "id" in item.data:
                step = f"{trail}.{item.data['id'].value.data}"
                yield step, item.line
                yield from _below(item, step)


def place_of(where: Places, *trails: str) -> str:
    """Return the place of the first setting that has one, as in " (path:12)"; "" if none has."""
    for trail in trails:
        if trail in where:
            path, line = where[trail]
            return f" ({path}:{line})"
    return ""


def nearest_place(where: Places, trail: str) -> str:
    """Return the place of a setting, or of the nearest one above it; "" if none has one."""
    while trail and trail not in where:
        trail = trail.rpartition(".")[0]
    return place_of(where, trail)
