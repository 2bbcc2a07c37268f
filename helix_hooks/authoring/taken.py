"""Names beside a new ADR whose numbers are taken, in addition to the files that git lists."""

import os
from contextlib import suppress

from ..repository.branch_paths import BranchPaths, on_branches


def taken(repository: str | None, folders: frozenset[str]) -> BranchPaths:
    """Return the names in some folders on the disk, ignored ones too, and on all branches.

    Raises: GitError if a branch can't be read, since its numbers are unknown then.
    """
    there: set[str] = set()
    for folder in folders:
        with suppress(OSError):
            names = os.listdir(os.path.join(repository or ".", folder))
            there.update(f"{folder}/{name}" if folder else name for name in names)
    if not repository:
        return BranchPaths(frozenset(there), 0)
    branches = on_branches(repository, folders)
    return branches._replace(paths=branches.paths | there)
