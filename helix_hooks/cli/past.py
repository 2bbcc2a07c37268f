"""What was before the change: the versions of ADRs, their concepts and the settings at the commit it is measured by."""

from collections.abc import Iterable
from typing import NamedTuple

from .. import git, history
from ..adr.check import Before
from ..adr.reference import key_in_path
from ..errors import HelixError, UsageError
from ..files import StagedTree, Tree, concept_of, packaged
from ..settings import Settings, load


class Past(NamedTuple):
    """The commits a change is measured by, mostly one.

    `changed` are the paths that differ from them (None: ask for each), `old_names` what renamed files were called.
    """

    trees: tuple[StagedTree, ...]
    changed: frozenset[str] | None = None
    old_names: dict[str, str] = {}  # noqa: RUF012 -- never written to

    def before(self, path: str, tree: Tree, settings: Settings) -> tuple[Before, ...]:
        """The versions of an ADR before the change, none for a new one or where one of the commits has it as it is."""
        if self.changed is not None and path not in self.changed:
            return ()
        old = self.old_names.get(path, path)
        there = [then for then in self.trees if then.has(old)]
        if isinstance(tree, StagedTree) and any(old == path and tree.same(path, then, old) for then in there):
            return ()
        return tuple(_version(then, old, settings) for then in there)

    def in_a_process_of_its_own(self) -> None:
        for tree in self.trees:
            tree.in_a_process_of_its_own()

    def close(self) -> None:
        for tree in self.trees:
            tree.close()


def _version(tree: StagedTree, path: str, settings: Settings) -> Before:
    doc = tree.document(path)
    return Before(doc, concept_of(tree, doc, settings))


def last_commit(root: str, head: git.Revision, staged: bool, paths: Iterable[str] = ()) -> Past:
    """HEAD, and in a merge the other side too. Before the first commit it is empty."""
    revisions = [head, git.Revision(root, "MERGE_HEAD")] if git.merging(root) else [head]
    trees = tuple(StagedTree(revision, root) for revision in revisions)
    if staged:
        return Past(trees)
    return Past(trees, frozenset(change.path for change in history.changes(root, "HEAD", staged=False, paths=paths)))


class Since(NamedTuple):
    """A change since it parted from a revision: its past, what changed, and the other branch's own paths of ADRs by id."""

    past: Past
    base: StagedTree
    changes: tuple[history.Changed, ...]
    taken: dict[str, list[str]]

    @property
    def gone(self) -> list[history.Changed]:
        """What the change deleted."""
        renamed = set(self.past.old_names.values())
        return [change for change in self.changes if change.status == "D" and change.path not in renamed]


class NoBaseError(HelixError):
    """There is nothing to measure the change by, so that the gate did not do what was asked for. Exit 3."""


def since(root: str, revision: str, staged: bool) -> Since:
    """The change since the merge base with a revision. Raises UsageError for an unknown one, NoBaseError where they share no history."""
    other, head = history.commit(root, revision), history.commit(root, "HEAD")
    if not other:
        hint = (
            "; this clone is shallow, fetch it first (`git fetch --unshallow`, or fetch-depth: 0)" if history.is_shallow(root) else "; fetch it first"
        )
        raise UsageError(f"--since {revision}: there is no such revision{hint if head else ', and no commit yet'}")
    base = history.merge_base(root, other, head) if head else ""
    if not base:
        why = "this clone is shallow; fetch the whole history (`git fetch --unshallow`, or fetch-depth: 0)"
        raise NoBaseError(why if history.is_shallow(root) else f"{revision} and HEAD share no history")
    changes = history.changes(root, base, staged)
    if not staged:
        changes += [history.Changed("A", path, path) for path in history.untracked(root)]
    tree = StagedTree(git.Revision(root, base), root)
    names = {change.path: change.old for change in changes if change.status == "R"}
    names |= _renumbered(changes, names)
    past = Past((tree,), frozenset(change.path for change in changes), names)
    return Since(past, tree, tuple(changes), _taken(root, base, other))


def _renumbered(changes: list[history.Changed], names: dict[str, str]) -> dict[str, str]:
    """New files that took the place of deleted ones with the same number: a rename that git does not see, since the text is another."""
    deleted = {key_in_path(change.path): change.path for change in changes if change.status == "D" and key_in_path(change.path)}
    new = (change.path for change in changes if change.status == "A" and change.path.endswith(".md"))
    return {path: deleted[key] for path in new if path not in names and (key := key_in_path(path)) in deleted}


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
