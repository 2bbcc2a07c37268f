"""Write fixes: each file whole or not at all, and only if it has not changed since it was read."""

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from .. import writing
from ..check.trees import FILE
from ..check.work_tree import WorkTree
from ..fixes.edit import Fix
from ..fixes.patch import FixedFile

_CHANGED = "the file changed during the fix; run the command again"


class Written(NamedTuple):
    """The fixes that were written, and a line for each file that was not."""

    fixes: tuple[Fix, ...]
    problems: tuple[str, ...]


def reason_not_to_write(root: str, path: str, tree: WorkTree) -> str:
    """Return the reason why a file of the repository is left alone, "" if it can be written."""
    place = tree.place(path)
    if os.path.isabs(path):
        return "it is outside of the repository"
    if place.links:
        return "it is a symbolic link, or its folder is one"
    if place.kind != FILE:
        return place.reason or "it is not a file"
    return _reason_of_mode(os.path.join(root, path))


def _reason_of_mode(file: str) -> str:
    """Return the reason why the kind or the rights of a file forbid to write it, or ""."""
    try:
        mode = os.lstat(file).st_mode
    except OSError as error:
        return f"it can't be read: {error.strerror}"
    if not stat.S_ISREG(mode):
        return "it is not a regular file"
    if _is_read_only(file, mode):
        return "it is read-only (chmod u+w)"
    folder = os.path.dirname(file) or "."
    # A file is written beside the old one and renamed, which needs a folder that can be written.
    if _is_read_only(folder, os.stat(folder).st_mode):
        return "its folder is read-only (chmod u+w)"
    return ""


def _is_read_only(place: str, mode: int) -> bool:
    # os.access() allows root everything, so the bits are checked too.
    return not mode & 0o222 or not os.access(place, os.W_OK)


def connected(fixes: Iterable[Fix], origins: Mapping[str, str]) -> list[tuple[list[Fix], set[str]]]:
    """Return groups of fixes that share files, each with the paths on the disk."""
    groups: list[tuple[list[Fix], set[str]]] = []
    for fix in fixes:
        paths = {origins.get(path, path) for path in paths_of(fix)}
        members = [fix]
        # The fix may connect groups that had no file in common.
        for group in [group for group in groups if group[1] & paths]:
            groups.remove(group)
            members = [*group[0], *members]
            paths |= group[1]
        groups.append((members, paths))
    return groups


def paths_of(fix: Fix) -> list[str]:
    """Return the file of a finding, and the other files that its fix changes."""
    return list(dict.fromkeys((fix.path, *(edit.path for edit in fix.edits))))


def write(
    root: str, groups: list[tuple[list[Fix], set[str]]], changes: tuple[FixedFile, ...]
) -> Written:
    """Write groups of fixes that share files. A group is left alone if one of its files changed."""
    by_path = {change.path: change for change in changes}
    done: list[Fix] = []
    problems: list[str] = []
    for fixes, paths in groups:
        own = [by_path[path] for path in sorted(paths) if path in by_path]
        failed = _problems(root, own)
        problems += failed
        if not failed:
            done += fixes
    return Written(tuple(sorted(done, key=lambda fix: (fix.path, fix.line))), tuple(problems))


def _problems(root: str, changes: list[FixedFile]) -> list[str]:
    """Write files, and return why they were not written."""
    changed = [change.path for change in changes if not _is_as_read(root, change)]
    if changed:
        return [f"{path}: not fixed: {_CHANGED}" for path in changed]
    failed = _write_all(root, changes)
    return [failed] if failed else []


def _write_all(root: str, changes: list[FixedFile]) -> str:
    """Write files; if one can't be written, restore the others and return the line for it."""
    for number, change in enumerate(changes):
        try:
            _write_one(root, change)
        except OSError as error:
            for other in changes[: number + 1]:
                _restore(root, other)
            return f"{change.path}: could not be written: {error.strerror}"
    return ""


def _write_one(root: str, change: FixedFile) -> None:
    file = os.path.join(root, change.path)
    if change.after != change.before:
        writing.replace(file, change.after)
    if change.new_path != change.path:
        writing.move(file, os.path.join(root, change.new_path))


def _restore(root: str, change: FixedFile) -> None:
    """Undo a partly written change, as far as possible."""
    file, new_file = (os.path.join(root, path) for path in (change.path, change.new_path))
    with suppress(OSError):
        if not os.path.lexists(file):
            writing.move(new_file, file)
        if change.after != change.before:
            writing.replace(file, change.before)


def _is_as_read(root: str, change: FixedFile) -> bool:
    file = os.path.join(root, change.path)
    try:
        if not stat.S_ISREG(os.lstat(file).st_mode):
            return False
        with open(file, "rb") as opened:
            return opened.read(len(change.before) + 1) == change.before
    except OSError:
        return False
