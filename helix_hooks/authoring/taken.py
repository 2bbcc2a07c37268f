"""File names that git does not list, and whose numbers a new ADR cannot have."""

import os
import posixpath
from contextlib import suppress

from ..git.history import BranchPaths, on_branches


def taken(repository: str | None, folders: frozenset[str]) -> BranchPaths:
    """Return the names in some folders on the disk, ignored ones too, and on all branches.

    Raises:
        GitError: A branch can't be read, so that its numbers are unknown.
    """
    names: set[str] = set()
    for folder in folders:
        with suppress(OSError):
            listed = os.listdir(os.path.join(repository or ".", folder))
            names.update(posixpath.join(folder, name) for name in listed)
    if not repository:
        return BranchPaths(frozenset(names), 0)
    branches = on_branches(repository, folders)
    return branches._replace(paths=branches.paths | names)
