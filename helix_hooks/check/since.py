"""What was changed since a branch parted from another one."""

from collections.abc import Callable
from typing import NamedTuple

from ..adr.reference import key_in_path
from ..config.settings import Settings, load
from ..errors import ConfigError, HelixError, UsageError
from ..repository import git, history
from ..repository.files import StagedTree, packaged
from ..repository.history import Changed
from ..repository.links import NOTHING
from ..repository.revisions import Revision
from .base import Past

MergeBase = Callable[[str, str, str], str]
"""Finds the merge base of two commits of a repository; "" if there is none."""


class Since(NamedTuple):
    """A change since it parted from a revision: its past, the commits where they parted (`base`) and where the other is now (`tip`), what
    changed, and the other branch's own paths of ADRs by id.
    """

    past: Past
    base: StagedTree
    tip: StagedTree
    changes: tuple[history.Changed, ...]
    taken: dict[str, list[str]]

    @property
    def gone(self) -> list[history.Changed]:
        """What the change deleted."""
        renamed = set(self.past.old_names.values())
        moved = (change for change in self.changes if change.status == "R" and change.path not in self.past.old_names)
        lost = [history.Changed("D", change.old, change.old) for change in moved]
        return [change for change in (*self.changes, *lost) if change.status == "D" and change.path not in renamed]


class NoBaseError(HelixError):
    """There is nothing to measure the change by, so that the gate did not do what was asked for. Exit 3."""


def named_commit(root: str, flag: str, revision: str) -> str:
    """The commit that a flag names. Raises UsageError for an unknown or ambiguous one."""
    found = history.commit(root, revision)
    if not found:
        hint = (
            "; this clone is shallow, fetch it first (`git fetch --unshallow`, or fetch-depth: 0)" if history.is_shallow(root) else "; fetch it first"
        )
        raise UsageError(f"{flag} {revision}: there is no such revision{hint if history.commit(root, 'HEAD') else ', and no commit yet'}")
    names = history.refs(root, revision)
    if len(names) > 1:
        raise UsageError(f"{flag} {revision}: this may be {' or '.join(names)}; write one of them in full")
    return found


def parted(root: str, revision: str, other: str, head: str, merge_base: MergeBase = history.merge_base) -> str:
    """Return the merge base of two commits. Raises NoBaseError where they share no history; `revision` is how the first was named."""
    base = merge_base(root, other, head) if head else ""
    if not base:
        why = "this clone is shallow; fetch the whole history (`git fetch --unshallow`, or fetch-depth: 0)"
        raise NoBaseError(why if history.is_shallow(root) else f"{revision} and HEAD share no history")
    return base


def changed_since(root: str, revision: str, index: git.Index) -> Since:
    """What the index has changed since the merge base with a revision. Raises UsageError and NoBaseError as above."""
    other = named_commit(root, "--since", revision)
    base = parted(root, revision, other, history.commit(root, "HEAD"))
    tree, tip = (StagedTree(Revision(root, commit, index), root) for commit in (base, other))
    found = through_links(tree, StagedTree(index, root), history.changes(root, base, staged=True))
    return since(root, (base, tree), (other, tip), found)


def through_links(base: StagedTree, head: StagedTree, changes: list[Changed]) -> list[Changed]:
    """The changes, and those of the names that links give to files: what a link leads to is what stands there."""
    names = {**base.names(), **head.names()}
    if not names:
        return changes
    found = [_seen(change, base, head) for change in changes]
    known = {change.path for change in found}
    for name in sorted(names.keys() - known):
        was, now = base.place(name), head.place(name)
        if (was.kind, base.blob(name)) != (now.kind, head.blob(name)):
            status = {was.kind: "A", now.kind: "D"}.get(NOTHING, "M")
            found.append(Changed(status, name, name))
    return _renamed(base, head, found)


def _renamed(base: StagedTree, head: StagedTree, changes: list[Changed]) -> list[Changed]:
    """The changes, where a file that had one name by a link and has another one now was renamed."""
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
    kept = (change for change in changes if change.status != "D" or change.path not in gone)
    return [Changed("R", change.path, old) if (old := old_names.get(change.path)) else change for change in kept]


def _seen(change: Changed, base: StagedTree, head: StagedTree) -> Changed:
    """A change as it looks when links are followed: nothing is deleted or added that still stands there, or did before."""
    still = (change.status == "D" and head.there(change.path)) or (change.status == "A" and base.there(change.path))
    return change._replace(status="M") if still else change


def since(root: str, base: tuple[str, StagedTree], tip: tuple[str, StagedTree], changes: list[history.Changed]) -> Since:
    """The change that led away from `base`, where `tip` is the other branch by now; each a commit with its tree."""
    renamed = {change.path: change.old for change in changes if change.status == "R"}
    renamed |= _renumbered(changes, renamed)
    past = Past((base[1],), None, renamed, unchanged_too=True)
    return Since(past, base[1], tip[1], tuple(changes), _taken(root, base[0], tip[0]))


def _renumbered(changes: list[history.Changed], names: dict[str, str]) -> dict[str, str]:
    """New files that took the place of deleted ones with the same number, one for each: a rename that git does not see, since the text is
    another.
    """
    deleted = {key_in_path(change.path): change.path for change in changes if change.status == "D" and key_in_path(change.path)}
    new = (change.path for change in changes if change.status == "A" and change.path.endswith(".md"))
    return {path: deleted.pop(key) for path in new if path not in names and (key := key_in_path(path)) in deleted}


def _taken(root: str, base: str, other: str) -> dict[str, list[str]]:
    """Paths that the other branch has added since, by the id in their name."""
    if base == other:
        return {}
    found: dict[str, list[str]] = {}
    for path in history.added(root, base, other):
        if path.endswith(".md") and (key := key_in_path(path)):
            found.setdefault(key, []).append(path)
    return found


def base_settings(then: Since) -> Settings:
    """The settings before the change."""
    return load(then.base.read, packaged)


def readable_settings(tree: StagedTree) -> Settings | None:
    """The settings of a tree; None where they are broken, which is told elsewhere."""
    try:
        return load(tree.read, packaged)
    except ConfigError:
        return None
