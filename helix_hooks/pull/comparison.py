"""Fetch comparisons of commits: what differs, and where a branch started."""

import math
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from .reading import LARGEST_PAGE, answer, server_time

if TYPE_CHECKING:
    from github.Repository import Repository

_COMPARED = 300
"""Maximum number of files that GitHub lists of a comparison (docs.github.com, "Compare two
commits").
"""

_MOST_MESSAGES = 1_000
"""Maximum number of commit messages that are fetched of a comparison."""


class ListedCommit(NamedTuple):
    """A commit with its parents and its message."""

    sha: str
    parents: tuple[str, ...]
    message: str


class ComparedCommits(NamedTuple):
    """The merge base of a change as GitHub computes it, the time by GitHub's clock, and the first
    1,000 commits. `total` is the number of all commits.
    """

    merge_base: str
    now: int
    commits: tuple[ListedCommit, ...]
    total: int

    @property
    def messages(self) -> tuple[str, ...]:
        return tuple(commit.message for commit in self.commits)


def compare(repository: "Repository", base: str, head: str) -> ComparedCommits:
    """Fetch the comparison of a change with its base."""
    path = f"/compare/{base}...{head}?per_page={LARGEST_PAGE}"
    headers, compared = answer(repository, path, "merge_base_commit")
    commits = [*compared.get("commits", ())]
    pages = min(_MOST_MESSAGES, compared.get("total_commits", 0)) / LARGEST_PAGE
    for page in range(2, math.ceil(pages) + 1):
        commits += answer(repository, f"{path}&page={page}", "commits")[1]["commits"]
    return ComparedCommits(
        merge_base=str(compared["merge_base_commit"]["sha"]),
        now=server_time(headers),
        commits=tuple(map(_listed_commit, commits)),
        total=int(compared.get("total_commits", -1)),
    )


def _listed_commit(item: dict[str, Any]) -> ListedCommit:
    parents = tuple(str(parent["sha"]) for parent in item["parents"])
    return ListedCommit(str(item["sha"]), parents, str(item["commit"]["message"]))


def changed_since(repository: "Repository", before: str, now: str) -> tuple[str, ...] | None:
    """Fetch the paths that differ between two commits of a branch.

    Return None if GitHub does not list all of them, or if `now` does not follow `before`.
    """
    compared = answer(repository, f"/compare/{quote(before)}...{quote(now, safe='')}", "files")[1]
    files = compared["files"]
    if compared["status"] not in ("ahead", "identical") or len(files) >= _COMPARED:
        return None
    paths: list[str] = []
    for file in files:
        paths += filter(None, (file["filename"], file.get("previous_filename")))
    return tuple(paths)
