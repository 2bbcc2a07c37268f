"""The paths that branches have, local ones and those last fetched from remotes.

Read with plumbing alone: nothing is fetched or checked out.
"""

from typing import NamedTuple

from . import names, run

_MOST = 200
"""Maximum number of branches that are read, newest first: each one costs a process of git."""
_BRANCHES = ("refs/heads", "refs/remotes")
_OFFLINE = [
    *("-c", "protocol.allow=never"),
    *("-c", "protocol.https.allow=never"),
    *("-c", "protocol.http.allow=never"),
    *("-c", "protocol.ssh.allow=never"),
    *("-c", "protocol.git.allow=never"),
    *("-c", "protocol.file.allow=never"),
    *("-c", "protocol.ext.allow=never"),
]
"""Flags by which no object is fetched: a partial clone would run ssh and credential helpers.

Each protocol is named because the settings of a user may allow one by its name.
"""


class BranchPaths(NamedTuple):
    """The paths below some folders on all branches.

    `left_out` is the number of branches that were not read: older ones, and those whose objects
    this clone lacks.
    """

    paths: frozenset[str]
    left_out: int


def on_branches(root: str, folders: frozenset[str], most: int = _MOST) -> BranchPaths:
    """Return the files below some folders on each branch.

    The folder "" is the root: only the files directly in it are returned. Raises GitError.
    """
    command = ["for-each-ref", "--sort=-committerdate", "--format=%(objectname)", *_BRANCHES]
    # Several branches may be at the same commit.
    commits = list(dict.fromkeys(run(command, root).stdout.decode().split()))
    paths: set[str] = set()
    left_out = len(commits[most:])
    below = sorted(f"{folder}/" for folder in folders if folder)
    for commit in commits[:most]:
        listings: list[list[str] | None] = []
        if below:
            listings.append(_listed(root, commit, "-r", below))
        if "" in folders:
            listings.append(_listed(root, commit, "--full-tree", []))
        left_out += None in listings
        for listing in listings:
            paths.update(listing or ())
    return BranchPaths(frozenset(paths), left_out)


def _listed(root: str, commit: str, flag: str, folders: list[str]) -> list[str] | None:
    """Return names in the tree of a commit; None if this clone lacks an object of it."""
    command = [*_OFFLINE, "--literal-pathspecs", "ls-tree", "-z", "--name-only", flag, commit]
    done = run([*command, "--", *folders], root, check=False)
    if done.returncode:
        return None
    return names(done.stdout)
