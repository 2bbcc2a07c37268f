"""The versions of an ADR before the change, with their concepts and settings."""

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from .. import git
from ..adr.examine import Before, Source
from ..config.settings import Settings
from .files import concept_of
from .files import source as source_in
from .options import CheckTarget
from .siblings import Siblings
from .trees import GitTree, Revision, Tree

if TYPE_CHECKING:
    from .work_tree import WorkTree


class BaseVersions(NamedTuple):
    """The commits with which ADRs are compared: one, or two in a merge.

    `changed` are the paths that differ from them; None if each path is compared. `old_names` are
    the former paths of renamed files. With `unchanged_too`, an unchanged ADR that is checked
    because of another file has a version too. `settings` are those of the base, None if they are
    not read.
    """

    trees: tuple[GitTree, ...]
    changed: frozenset[str] | None = None
    old_names: dict[str, str] = {}  # noqa: RUF012 -- never written to
    unchanged_too: bool = False
    settings: Settings | None = None

    def before(self, path: str, tree: Tree, settings: Settings) -> tuple[Before, ...]:
        """Return the versions of an ADR before the change.

        Empty for a new ADR, or if one of the commits has it unchanged.
        """
        if self.changed is not None and not _is_among(self.changed, path, tree):
            return ()
        old = self.old_names.get(path, path)
        compared = None
        if not self.unchanged_too and old == path and isinstance(tree, GitTree):
            compared = tree
        versions: list[Before] = []
        for base in self.trees:
            if not base.has(old):
                continue
            if compared and compared.same(path, base, path):
                return ()
            versions.append(self.version(base, old, settings))
        return tuple(versions)

    def version(self, tree: GitTree, path: str, settings: Settings) -> Before:
        """Return an ADR at a commit, with its concept."""
        doc, old_settings = tree.document(path), self.settings or settings
        return Before(doc, concept_of(tree, doc, old_settings))

    def is_new(self, path: str) -> bool:
        """Return whether no commit has a file, under its present or its former path."""
        old = self.old_names.get(path, path)
        return not any(base.has(old) for base in self.trees)

    def after_fork(self) -> None:
        """Drop the resources of the parent process."""
        for tree in self.trees:
            tree.after_fork()

    def close(self) -> None:
        """End the processes that read the commits."""
        for tree in self.trees:
            tree.close()


def last_versions(
    target: CheckTarget, tree: "WorkTree | GitTree", paths: tuple[str, ...], *, is_whole: bool
) -> BaseVersions | None:
    """Return the versions of ADRs at HEAD, and in a merge also those of the other side.

    Before the first commit there are none. None if nothing is compared with them.
    """
    if not target.repository or not target.head or not paths:
        return None
    trees: tuple[GitTree, ...] = (target.head,)
    if git.merging(target.root):
        trees = (target.head, Revision(target.root, "MERGE_HEAD"))
    if isinstance(tree, GitTree):
        return BaseVersions(trees)
    from ..git import history

    limits: list[str] = []
    # A link may lead to a changed file anywhere, so with links git compares the whole tree.
    if not (is_whole or tree.names()):
        limits = [path for path in paths if not path.startswith("/")]
    changes = history.changes(target.root, "HEAD", staged=False, paths=limits)
    # Git ignores the changes of hidden paths on the disk.
    return BaseVersions(trees, frozenset((*(change.path for change in changes), *tree.hidden)))


def source(
    tree: Tree,
    settings: Settings,
    concept: str | None,
    versions: BaseVersions | None,
    path: str,
    siblings: Siblings | None = None,
    *,
    in_full: bool = False,
) -> Source:
    """Return an ADR to examine, with its versions before the change, or with its siblings."""
    source = source_in(tree, path, settings, concept)
    if not versions:
        return source
    source = source._replace(norm=partial(siblings.norm, path) if siblings else None)
    if versions.is_new(path):
        is_known = siblings is not None and siblings.has_moved(source.doc)
        return source._replace(is_new=not is_known)
    return source._replace(is_new=in_full, bases=versions.before(path, tree, settings))


def _is_among(changed: frozenset[str], path: str, tree: Tree) -> bool:
    """Return whether an ADR, or a link on the way to it, was changed."""
    if path in changed:
        return True
    return bool(tree.names()) and not changed.isdisjoint(tree.place(path).passed)
