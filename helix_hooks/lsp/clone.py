"""A repository as an editor reads it: settings, tree and last commit, cached while people type."""

import os
from typing import NamedTuple

from .. import git
from ..adr.baseline import Baseline
from ..check.options import CheckTarget
from ..check.settings import read_baseline, settings_of
from ..check.trees import Index, Revision
from ..config.settings import Settings
from ..errors import ConfigError, HelixError
from .open_tree import OpenTree

Stamp = tuple[tuple[int, int] | None, ...]
"""Modification time and size of the files with git's state; None for a missing file."""

_STATE = ("HEAD", "index", "logs/HEAD", "MERGE_HEAD")


class OpenRepository(NamedTuple):
    """A repository, or a folder outside git, whose `target.repository` is None.

    `settings` are None if they were never readable. `broken` is the current error in them.
    """

    target: CheckTarget
    tree: OpenTree
    settings: Settings | None
    broken: ConfigError | None
    baseline: Baseline | None
    stamp: Stamp

    def close(self) -> None:
        for reader in (self.target.contents, self.target.head):
            if reader:
                reader.close()


def read_clone(
    root: str, tree: OpenTree, target: CheckTarget, former: Settings | None
) -> OpenRepository:
    """Return a repository with its settings, or with the `former` ones if they are invalid."""
    broken: ConfigError | None = None
    settings = former
    baseline: Baseline | None = None
    try:
        settings = settings_of(tree)
        if settings.baseline:
            baseline = read_baseline(tree, settings.baseline)
    except ConfigError as error:
        broken = error
    except HelixError as error:
        broken = ConfigError(settings.baseline if settings else "", 1, "", str(error))
    return OpenRepository(
        target=target,
        tree=tree,
        settings=settings,
        broken=broken,
        baseline=baseline,
        stamp=stamp_of(root, target.repository),
    )


def opened(root: str, *, is_repository: bool) -> tuple[OpenTree, CheckTarget]:
    """Return the tree and the target of a repository, or of a folder outside git."""
    if not is_repository:
        return OpenTree(root, None), CheckTarget(repository=None)
    index = Index(root)
    return OpenTree(root, index), CheckTarget(
        repository=root, contents=index, head=Revision(root, "HEAD", index)
    )


def stamp_of(root: str, repository: str | None) -> Stamp:
    """Return a value that changes with each commit, staging and switch of branches."""
    if not repository:
        return ()
    try:
        folder = git.git_folder(root)
    except OSError:
        return ()
    return tuple(_mark(os.path.join(folder, name)) for name in _STATE)


def _mark(place: str) -> tuple[int, int] | None:
    try:
        facts = os.stat(place)
    except OSError:
        return None
    return facts.st_mtime_ns, facts.st_size
