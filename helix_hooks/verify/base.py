"""The base of a verification: the branch whose version of an ADR and whose settings count."""

from typing import NamedTuple

from ..repository import git, history, runner
from ..repository.branch import named_commit, required_base


class WorkBase(NamedTuple):
    """The base of a verification.

    `name` is what a user calls it, `commit` its commit, `fork` the merge base with the work.
    `is_own` says that the work is done on the base itself, so that only the history of an ADR tells
    what was approved.
    """

    name: str
    commit: str
    fork: str
    is_own: bool


def base_of(root: str, revision: str, head: str) -> WorkBase | None:
    """Return the base: the named revision, else the main branch; None before the first commit.

    The main branch is that of `origin`, else `main` or `master` of the clone. Raises UsageError for
    an unknown revision, NoBaseError without a common history.
    """
    if revision:
        commit = named_commit(root, "--base", revision)
        return _base(root, revision, commit, head)
    if not head:
        return None
    current = runner.run(git.BRANCH, root, check=False)
    branch = current.stdout.decode(errors="surrogateescape").strip()
    known = _commits(root)
    name = next((name for name in git.MAIN_BRANCHES if name != branch and name in known), "")
    if name:
        short = name.removeprefix("refs/remotes/").removeprefix("refs/heads/")
        return _base(root, short, known[name], head)
    return WorkBase(name="HEAD", commit=head, fork=head, is_own=True)


def _commits(root: str) -> dict[str, str]:
    """Return the commits of those main branches that the clone has."""
    rows = runner.run(git.MAIN_COMMITS, root).stdout.decode(errors="surrogateescape").splitlines()
    return {name: commit for name, _, commit in (row.partition(" ") for row in rows)}


def _base(root: str, name: str, commit: str, head: str) -> WorkBase:
    fork = required_base(root, name, history.merge_base(root, commit, head) if head else "")
    return WorkBase(name=name, commit=commit, fork=fork, is_own=False)
