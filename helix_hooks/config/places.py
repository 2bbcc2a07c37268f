"""Places of settings: the file and line of each, by the keys that lead to it."""

from collections.abc import Iterator, Mapping

from ..errors import ConfigError
from ..yaml_load import load
from ..yaml_values import Value

Places = Mapping[str, tuple[str, int]]
"""The file and line of a setting, by the keys that lead to it."""


def places(text: str, path: str) -> Places:
    """Return the places of all settings in a YAML text, of list items by `id`; {} if unreadable."""
    try:
        root = load(text, path)
    except ConfigError:
        return {}
    return {trail: (path, line) for trail, line in _below(root, "")}


def _below(value: Value, trail: str) -> Iterator[tuple[str, int]]:
    if isinstance(value.data, dict):
        for key, entry in value.data.items():
            step = f"{trail}.{key}" if trail else key
            yield step, entry.line
            yield from _below(entry.value, step)
    elif isinstance(value.data, list):
        for item in value.data:
            entry = item.data.get("id") if isinstance(item.data, dict) else None
            if entry:
                yield f"{trail}.{entry.value.data}", item.line
                yield from _below(item, f"{trail}.{entry.value.data}")


def place_of(where: Places, *trails: str) -> str:
    """Return the place of the first of some settings."""
    place = next((where[trail] for trail in trails if trail in where), None)
    return f" ({place[0]}:{place[1]})" if place else ""
