"""The paths that branches have, local ones and those last fetched from remotes.

Read with plumbing alone: nothing is fetched or checked out.
"""

from ..records import NamedTuple
from .runner import names, run

_MOST = 200
"""Maximum number of branches that are read, newest first: each one costs a process of git."""
_BRANCHES = ("refs/heads", "refs/remotes")


class BranchPaths(NamedTuple):
    """The paths below some folders on all branches. `left_out` older branches were not read."""

    paths: frozenset[str]
    left_out: int


def on_branches(root: str, folders: frozenset[str], most: int = _MOST) -> BranchPaths:
    """Return the files of some folders, with those below them, on each branch.

    The folder "" is the root: of it only the files directly in it are returned. Raises GitError.
    """
    command = ["for-each-ref", "--sort=-committerdate", "--format=%(objectname)", *_BRANCHES]
    found = run(command, root).stdout.decode().split()
    commits = list(dict.fromkeys(found))
    paths: set[str] = set()
    below = sorted(f"{folder}/" for folder in folders if folder)
    for commit in commits[:most]:
        if below:
            paths.update(_listed(root, commit, "-r", below))
        if "" in folders:
            paths.update(_listed(root, commit, "--full-tree", []))
    return BranchPaths(frozenset(paths), len(commits[most:]))


def _listed(root: str, commit: str, flag: str, folders: list[str]) -> list[str]:
    command = ["--literal-pathspecs", "ls-tree", "-z", "--name-only", flag, commit, "--", *folders]
    return names(run(command, root).stdout)
