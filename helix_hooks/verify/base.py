"""The base of a verification: the branch from which ADRs and settings are read."""

from typing import NamedTuple

from .. import git
from ..check.branch import named_commit, required_base
from ..git import history


class WorkBase(NamedTuple):
    """The base of a verification.

    `name` is its name for users, `commit` its commit, `fork` the merge base with the work. With
    `is_own` the work is on the base itself, so only the history of an ADR shows its approval.
    """

    name: str
    commit: str
    fork: str
    is_own: bool


def base_here(root: str, revision: str = "") -> WorkBase | None:
    """Return the base of the work at HEAD, as `base_of` does."""
    head = git.run(git.HEAD, root, check=False).stdout.decode().strip()
    return base_of(root, revision, head)


def base_of(root: str, revision: str, head: str) -> WorkBase | None:
    """Return the base: the named revision, or the main branch; None before the first commit.

    The main branch is the one of `origin`, otherwise `main` or `master` of the clone.

    Raises:
        UsageError: The revision is unknown.
        NoBaseError: Base and work have no common history.
    """
    if revision:
        commit = named_commit(root, "--base", revision)
        return _base(root, revision, commit, head)
    if not head:
        return None
    current = git.run(git.BRANCH, root, check=False)
    branch = current.stdout.decode(errors="surrogateescape").strip()
    commits = _commits(root)
    for name in git.MAIN_BRANCHES:
        if name != branch and name in commits:
            short = name.removeprefix("refs/remotes/").removeprefix("refs/heads/")
            return _base(root, short, commits[name], head)
    return WorkBase(name="HEAD", commit=head, fork=head, is_own=True)


def _commits(root: str) -> dict[str, str]:
    """Return the commits of the main branches in this clone, by the full name of the branch."""
    rows = git.run(git.MAIN_COMMITS, root).stdout.decode(errors="surrogateescape").splitlines()
    commits = {}
    for row in rows:
        name, _, commit = row.partition(" ")
        commits[name] = commit
    return commits


def _base(root: str, name: str, commit: str, head: str) -> WorkBase:
    """Return the base at a commit. Raises NoBaseError."""
    fork = ""
    if head:
        fork = history.merge_base(root, commit, head)
    return WorkBase(name=name, commit=commit, fork=required_base(root, name, fork), is_own=False)
