"""The paths that branches have, local ones and those last fetched from remotes.

Read with plumbing alone: nothing is fetched or checked out.
"""

from ..records import NamedTuple
from .runner import names, run

_MOST = 200
"""Maximum number of branches that are read, newest first: each one costs a process of git."""
_BRANCHES = ("refs/heads", "refs/remotes")
_PROTOCOLS = ("https", "http", "ssh", "git", "file", "ext")
_OFFLINE = [
    "-c", "protocol.allow=never",
    *(word for name in _PROTOCOLS for word in ("-c", f"protocol.{name}.allow=never")),
]  # fmt: skip
"""Flags by which no object is fetched: a partial clone would run ssh and credential helpers."""


class BranchPaths(NamedTuple):
    """The paths below some folders on all branches.

    `left_out` branches were not read: older ones, and those of which this clone lacks objects.
    """

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
    left_out = len(commits[most:])
    below = sorted(f"{folder}/" for folder in folders if folder)
    for commit in commits[:most]:
        listed = [_listed(root, commit, "-r", below)] if below else []
        listed += [_listed(root, commit, "--full-tree", [])] if "" in folders else []
        left_out += None in listed
        paths.update(name for some in listed for name in some or ())
    return BranchPaths(frozenset(paths), left_out)


def _listed(root: str, commit: str, flag: str, folders: list[str]) -> list[str] | None:
    """Return names in the tree of a commit; None if this clone lacks an object of it."""
    command = [*_OFFLINE, "--literal-pathspecs", "ls-tree", "-z", "--name-only", flag, commit]
    done = run([*command, "--", *folders], root, check=False)
    return None if done.returncode else names(done.stdout)
