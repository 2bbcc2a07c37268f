"""List the ADRs that a change of settings removes from the check."""

import re
from collections.abc import Iterable, Iterator

from .places import Places, place_of
from .relaxed_rules import may_leave_out_files, no_longer_declared
from .settings import Settings

_FOLDER = re.compile(r"[^*?{]*/\*\*")
"""A glob for all files of one folder."""
_MAX_NAMES = 10
"""Maximum names on one line."""


def listed(names: Iterable[str]) -> str:
    """Return the first names, and the number of the others."""
    first = list(names)
    text = ", ".join(first[:_MAX_NAMES])
    if len(first) > _MAX_NAMES:
        return f"{text} and {len(first) - _MAX_NAMES} more"
    return text


def watched(old: Settings, new: Settings, where: Places, known: Iterable[str]) -> Iterator[str]:
    """Yield a line if some ADRs are no longer watched, or might no longer be.

    `known` are the paths of the repository.
    """
    lost = [path for path in known if old.is_adr(path) and not new.is_adr(path)]
    undeclared = no_longer_declared(old, new)
    key = _changed_key(old, new, undeclared)
    if lost:
        noun = "ADR" if len(lost) == 1 else "ADRs"
        yield f"{key} now leaves out {len(lost)} {noun}: {listed(lost)}{place_of(where, key)}"
    elif may_leave_out_files(old, new):
        yield f"{key} changed{place_of(where, key)}"
    elif undeclared:
        yield f"ADRs are no longer looked for in {listed(undeclared)}"


def _changed_key(old: Settings, new: Settings, undeclared: list[str]) -> str:
    """Return the setting, or the file of another tool, that lost the ADRs."""
    if old.exclude != new.exclude:
        return "exclude"
    if undeclared and old.paths == new.paths:
        return old.declared[0].path
    return "paths"


def lost_globs(old: tuple[str, ...], new: tuple[str, ...]) -> list[str]:
    """Return the old globs that the new ones may not cover."""
    remaining = set(new)
    if "**" in remaining:
        return []
    folders = tuple(glob[:-2] for glob in new if _FOLDER.fullmatch(glob))
    return [glob for glob in old if glob not in remaining and not glob.startswith(folders)]


def excludes_more(old: tuple[str, ...], new: tuple[str, ...]) -> bool:
    """Return whether the new globs have an exclusion that the old ones lack."""
    return any(glob.startswith("!") and glob not in old for glob in new)
