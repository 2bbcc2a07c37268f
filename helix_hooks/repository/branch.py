"""The diff of a branch: its merge base, the changed files, and what the other branch has by now."""

from typing import NamedTuple

from ..adr.reference import key_in_path
from ..errors import HelixError, UsageError
from . import history
from .files import StagedTree
from .history import Changed
from .index import Index
from .links import NOTHING
from .revisions import Revision

_FETCH_ALL = "`git fetch --unshallow`, or fetch-depth: 0"


class BranchDiff(NamedTuple):
    """The changed files of a branch, as trees and paths.

    `base` is the tree at the merge base, `tip` the tree that the other branch has now. `old_names`
    maps renamed files to their names at the base. `taken` are the Markdown files that the other
    branch has added since the merge base, by the id in their names.
    """

    base: StagedTree
    tip: StagedTree
    changes: tuple[Changed, ...]
    old_names: dict[str, str]
    taken: dict[str, list[str]]

    @property
    def deleted(self) -> list[Changed]:
        """Return the files that the branch deleted, or renamed to something else than an ADR."""
        renamed = set(self.old_names.values())
        moved = (item for item in self.changes if item.status == "R")
        lost = [
            Changed("D", item.old, item.old) for item in moved if item.path not in self.old_names
        ]
        changes = (*self.changes, *lost)
        return [item for item in changes if item.status == "D" and item.path not in renamed]


class NoBaseError(HelixError):
    """There is no merge base to compare with, so the gate could not do its work. Exit 3."""


def named_commit(root: str, flag: str, revision: str) -> str:
    """Return the commit that a flag names. Raises UsageError for an unknown or ambiguous one."""
    commit = history.commit(root, revision)
    if not commit:
        raise UsageError(f"{flag} {revision}: there is no such revision{_fetch_hint(root)}")
    names = history.refs(root, revision)
    if len(names) > 1:
        choice = " or ".join(names)
        raise UsageError(f"{flag} {revision}: this may be {choice}; write one of them in full")
    return commit


def _fetch_hint(root: str) -> str:
    is_shallow = history.is_shallow(root)
    if not history.commit(root, "HEAD"):
        return ", and no commit yet"
    return (
        f"; this clone is shallow, fetch it first ({_FETCH_ALL})"
        if is_shallow
        else "; fetch it first"
    )


def required_base(root: str, revision: str, base: str) -> str:
    """Return a merge base that was found; `revision` is what the user called the other side.

    Raises NoBaseError for "", which means that the two share no history.
    """
    if base:
        return base
    if history.is_shallow(root):
        raise NoBaseError(f"this clone is shallow; fetch the whole history ({_FETCH_ALL})")
    raise NoBaseError(f"{revision} and HEAD share no history")


def staged_diff(root: str, revision: str, index: Index) -> BranchDiff:
    """Return what the index has changed since the merge base with a revision.

    Raises UsageError and NoBaseError, as above.
    """
    other = named_commit(root, "--since", revision)
    head = history.commit(root, "HEAD")
    base = required_base(root, revision, history.merge_base(root, other, head) if head else "")
    tree, tip = (StagedTree(Revision(root, commit, index), root) for commit in (base, other))
    changes = history.changes(root, base, staged=True)
    changes = through_links(tree, StagedTree(index, root), changes)
    return branch_diff(root, (base, tree), (other, tip), changes)


def branch_diff(
    root: str, base: tuple[str, StagedTree], tip: tuple[str, StagedTree], changes: list[Changed]
) -> BranchDiff:
    """Return the diff from the merge base `base`, where `tip` is the other branch now.

    Each is a commit with its tree.
    """
    renamed = {item.path: item.old for item in changes if item.status == "R"}
    renamed |= _renumbered(changes, renamed)
    return BranchDiff(base[1], tip[1], tuple(changes), renamed, _taken(root, base[0], tip[0]))


def through_links(base: StagedTree, head: StagedTree, changes: list[Changed]) -> list[Changed]:
    """Return the changes as a reader sees them who follows links.

    A name that a link gives to a file has the content of that file.
    """
    names = {**base.names(), **head.names()}
    if not names:
        return changes
    seen = [_seen(change, base, head) for change in changes]
    known = {change.path for change in seen}
    for name in sorted(names.keys() - known):
        was, now = base.place(name), head.place(name)
        if (was.kind, base.blob(name)) != (now.kind, head.blob(name)):
            status = {was.kind: "A", now.kind: "D"}.get(NOTHING, "M")
            seen.append(Changed(status, name, name))
    return _renamed(base, head, seen)


def _renamed(base: StagedTree, head: StagedTree, changes: list[Changed]) -> list[Changed]:
    """Return the changes, where a file that lost its name by a link and got another was renamed."""
    files = {change.path: change.old for change in changes if change.status == "R"}
    lost: dict[str, list[str]] = {}
    for change in changes:
        if change.status == "D" and change.path in base.names():
            lost.setdefault(base.place(change.path).path, []).append(change.path)
    old_names: dict[str, str] = {}
    for change in changes if lost else ():
        end = head.place(change.path).path
        waiting = lost.get(files.get(end, end))
        if change.status == "A" and waiting:
            old_names[change.path] = waiting.pop(0)
    gone = frozenset(old_names.values())
    left = (change for change in changes if change.status != "D" or change.path not in gone)
    return [
        Changed("R", change.path, old) if (old := old_names.get(change.path)) else change
        for change in left
    ]


def _seen(change: Changed, base: StagedTree, head: StagedTree) -> Changed:
    """Return a change with links followed.

    A path is not deleted while something is still there, nor added where something was.
    """
    is_still_there = change.status == "D" and head.there(change.path)
    was_there = change.status == "A" and base.there(change.path)
    return change._replace(status="M") if is_still_there or was_there else change


def _renumbered(changes: list[Changed], names: dict[str, str]) -> dict[str, str]:
    """Return new files that replace deleted ones of the same number, one for each.

    Git does not see such a rename, since the text is another.
    """
    numbers = ((key_in_path(item.path), item.path) for item in changes if item.status == "D")
    deleted = {key: path for key, path in numbers if key}
    new = (item.path for item in changes if item.status == "A" and item.path.endswith(".md"))
    return {
        path: deleted.pop(key)
        for path in new
        if path not in names and (key := key_in_path(path)) in deleted
    }


def _taken(root: str, base: str, other: str) -> dict[str, list[str]]:
    """Return the Markdown files that the other branch has added, by the id in their names."""
    if base == other:
        return {}
    taken: dict[str, list[str]] = {}
    for path in history.added(root, base, other):
        if path.endswith(".md") and (key := key_in_path(path)):
            taken.setdefault(key, []).append(path)
    return taken
