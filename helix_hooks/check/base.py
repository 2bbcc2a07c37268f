"""What was before the change: the versions of ADRs, their concepts and the settings at the commit it is measured by."""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

from ..adr.examine import Before
from ..config.settings import Settings
from ..repository import git
from ..repository.files import StagedTree, Tree, concept_of, is_adr
from ..repository.revisions import Revision


class Past(NamedTuple):
    """The commits a change is measured by, mostly one.

    `changed` are the paths that differ from them (None: ask for each), `old_names` what renamed files were called. `unchanged_too`: an ADR
    that is looked at because of another file has a version before as well. `settings` are those of then, where they are known.
    """

    trees: tuple[StagedTree, ...]
    changed: frozenset[str] | None = None
    old_names: dict[str, str] = {}  # noqa: RUF012 -- never written to
    unchanged_too: bool = False
    settings: Settings | None = None

    def before(self, path: str, tree: Tree, settings: Settings) -> tuple[Before, ...]:
        """The versions of an ADR before the change, none for a new one or where one of the commits has it as it is."""
        if self.changed is not None and path not in self.changed and (not tree.names() or self.changed.isdisjoint(tree.place(path).passed)):
            return ()
        old = self.old_names.get(path, path)
        there = [then for then in self.trees if then.has(old)]
        if not self.unchanged_too and isinstance(tree, StagedTree) and any(old == path and tree.same(path, then, old) for then in there):
            return ()
        return tuple(_version(then, old, self.settings or settings) for then in there)

    def in_a_process_of_its_own(self) -> None:
        for tree in self.trees:
            tree.in_a_process_of_its_own()

    def close(self) -> None:
        for tree in self.trees:
            tree.close()


def _version(tree: StagedTree, path: str, settings: Settings) -> Before:
    doc = tree.document(path)
    return Before(doc, concept_of(tree, doc, settings), partial(_others_say, tree, path, settings))


def _others_say(tree: StagedTree, path: str, settings: Settings, words: frozenset[str]) -> frozenset[str]:
    """Return those of some lower-case words that the other ADRs of a tree show. Read only where a typo may have been corrected."""
    from ..adr.compare.words import words_of

    found: set[str] = set()
    for other in tree.folder(""):
        if other == path or not is_adr(tree, settings, other) or not tree.has(other):
            continue
        lower = tree.content(other).decode(errors="replace").casefold()
        if any(word in lower for word in words - found):
            doc = tree.document(other)
            found |= words.intersection(words_of(doc.visible(0, len(doc.data)).casefold()))
    return frozenset(found)


def last_commit(root: str, head: Revision, staged: bool, paths: Iterable[str] = (), hidden: Iterable[str] = ()) -> Past:
    """HEAD, and in a merge the other side too. Before the first commit it is empty.

    `hidden` are paths whose changes on the disk git does not look at.
    """
    revisions = [head, Revision(root, "MERGE_HEAD")] if git.merging(root) else [head]
    trees = tuple(StagedTree(revision, root) for revision in revisions)
    if staged:
        return Past(trees)
    from ..repository import history

    changed = (change.path for change in history.changes(root, "HEAD", staged=False, paths=paths))
    return Past(trees, frozenset((*changed, *hidden)))
