"""Which change of a setting is weaker: the comparisons, and the line that names it. Pure.

A setting names one of the comparisons here, or one of its own module (`declaration.key`).
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from ..errors import ConfigError
from ..text import listed
from ..yaml_reader import Value, load

Places = Mapping[str, tuple[str, int]]
"""The file and line of a setting, by its keys, as in `policy.autonomy`."""

Weaker = Callable[[Any, Any], str | dict[str, str]]
"""Return how the new value is weaker than the old one, as in "2 -> 1"; "" if it is not. For a
mapping it may be a text by key.
"""

MOST_NAMES = 10
"""Maximum names on one line."""
_FOLDER = re.compile(r"[^*?{]*/\*\*")
"""A glob for all files of one folder."""


def lines(name: str, change: str | dict[str, str], places: Places) -> Iterator[str]:
    """Yield a line for a setting that is weaker, or for each entry of it that is.

    As in "policy.minimum_approvals 2 -> 1 (config/approvals.yaml:12)". `change` is the result of a
    comparison.
    """
    for entry, text in {"": change}.items() if isinstance(change, str) else change.items():
        path = f"{name}.{entry}".rstrip(".")
        if text:
            yield f"{path} {text}{nearest_place(places, path)}"


# Comparisons of the old and the new value.


def changed(old: Any, new: Any) -> str:
    """Return both values if they differ. A setting is compared so unless it says otherwise."""
    return f"{_shown(old)} -> {_shown(new)}" if old != new else ""


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if value is None:
        return "none"
    return str(value) or "none"


def another(old: Any, new: Any) -> str:
    """Return both values if there is a new one, and it is another."""
    return changed(old, new) if new else ""


def lower(old: Any, new: Any) -> str:
    return changed(old, new) if new < old else ""


def higher(old: Any, new: Any) -> str:
    return changed(old, new) if new > old else ""


def later(options: Collection[str]) -> Callable[[str, str], str]:
    """Return the comparison of values that are listed from the strictest to the weakest."""
    order = [*options]
    return lambda old, new: changed(old, new) if order.index(new) > order.index(old) else ""


def added(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    before = set(old)
    names = [name for name in new if name not in before]
    return f"adds {listed(names, MOST_NAMES)}" if names else ""


def lost(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    now = set(new)
    names = [name for name in old if name not in now]
    return f"leaves out {listed(names, MOST_NAMES)}" if names else ""


def covers_less(old: tuple[str, ...], new: tuple[str, ...]) -> str:
    """Return the globs that the new ones may not cover."""
    before, now = set(old), set(new)
    folders = tuple(glob[:-2] for glob in new if _FOLDER.fullmatch(glob))
    gone = [glob for glob in old if glob not in now and not glob.startswith(folders)]
    if gone and "**" not in now:
        return f"leaves out {listed(gone, MOST_NAMES)}"
    excludes_more = any(glob.startswith("!") and glob not in before for glob in new)
    return "changed" if excludes_more else ""


def changed_entries(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, str]:
    """Return how the entries of a mapping were changed, added or removed."""
    changes = {name: "changed" for name in old if name in new and old[name] != new[name]}
    changes |= {name: "was removed" for name in old if name not in new}
    return changes | {name: "was added" for name in new if name not in old}


# The places of settings.


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
