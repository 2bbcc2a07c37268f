"""Find the pull requests in a group of a merge queue.

The event names only the last one, and GitHub merges them all. A merge commit names the head of its
pull request as its second parent. A commit that was squashed or rebased only claims to belong to
one, so its change is compared with that of the pull request.
"""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from . import objects
from .client import listed, one
from .fetch import ComparedCommits, ListedCommit, compare

if TYPE_CHECKING:
    from github.Repository import Repository

MOST_COMMITS = 250
"""Maximum number of commits of a group (GitHub lists no more of a comparison without paging)."""

_CLAIM = re.compile(r"\(#([0-9]{1,9})\)$")
"""The end of the first line that GitHub writes for a squash commit."""

_LONGEST_TITLE = 80


class Group(NamedTuple):
    """The pull requests of a group with their heads, and a line for each commit without one."""

    members: tuple[tuple[int, str], ...] = ()
    unknown: tuple[str, ...] = ()


class _Candidate(NamedTuple):
    """An open pull request for the base of the group."""

    number: int
    head: str


class GroupFinder:
    """Finds the pull requests between the base branch and the head of a group.

    `last` is the number that the event names. `fetch` fetches commits into the git repository
    `folder`.
    """

    def __init__(
        self,
        repository: "Repository",
        base_ref: str,
        last: int,
        folder: str,
        fetch: Callable[[list[str]], None],
    ) -> None:
        self._repository, self._base_ref, self._last = repository, base_ref, last
        self._folder, self._fetch = folder, fetch
        self._starts: dict[_Candidate, str] = {}

    def group(self, compared: ComparedCommits, base: str, head: str) -> Group:
        """Return the group of the commits that `head` has and `base` lacks."""
        if compared.total > MOST_COMMITS or compared.total != len(compared.commits):
            return Group(unknown=(f"the group has {compared.total} commits; {_TOO_MANY}",))
        steps = _first_parents(compared.commits, head)
        if not steps:
            return Group(unknown=(f"{head[:7]} has no commit that {self._base_ref} lacks",))
        members: dict[tuple[int, str], None] = {}
        unknown: list[ListedCommit] = []
        pending: list[ListedCommit] = []
        for step in steps:
            pending.append(step)
            found, count = self._of_last(pending, base, head)
            if found:
                members |= dict.fromkeys((item.number, item.head) for item in found)
                unknown += pending[: len(pending) - count]
                pending = []
        return Group(tuple(members), tuple(map(self._unknown, (*unknown, *pending))))

    def _of_last(
        self, commits: list[ListedCommit], base: str, head: str
    ) -> tuple[list[_Candidate], int]:
        """Return the pull requests of the last commits, and the number of these commits.

        A rebased pull request has several. The most commits come first: an empty one among them
        belongs to it too.
        """
        last = commits[-1]
        merged = self._merged(last)
        if merged:
            return merged, 1
        candidates = self._candidates(last, head)
        for count in range(len(commits), 0, -1):
            before = commits[-count].parents[0]
            found = [item for item in candidates if self._has_change(item, before, last.sha, base)]
            if found:
                return found, count
        return [], 0

    def _merged(self, step: ListedCommit) -> list[_Candidate]:
        """Return the pull requests whose head a merge commit has merged."""
        if len(step.parents) != 2:
            return []
        return [item for item in self._about(step.parents[1]) if item.head == step.parents[1]]

    def _candidates(self, step: ListedCommit, head: str) -> list[_Candidate]:
        """Return the pull requests to which a commit may belong, according to GitHub or itself."""
        candidates = dict.fromkeys(self._about(step.sha))
        claim = _CLAIM.search(step.message.partition("\n")[0].rstrip())
        numbers = [int(claim[1])] if claim else []
        if step.sha == head:
            numbers.append(self._last)
        for number in numbers:
            candidates |= dict.fromkeys(self._open([one(self._repository, f"/pulls/{number}")]))
        return list(candidates)

    def _has_change(self, item: _Candidate, before: str, after: str, base: str) -> bool:
        if item not in self._starts:
            self._starts[item] = compare(self._repository, base, item.head).merge_base
        start = self._starts[item]
        self._fetch([before, after, start, item.head])
        change = objects.patch(self._folder, start, item.head)
        return bool(change) and change == objects.patch(self._folder, before, after)

    def _about(self, commit: str) -> Iterator[_Candidate]:
        """Fetch the open pull requests for the base that have a commit."""
        yield from self._open(listed(self._repository, f"/commits/{commit}/pulls"))

    def _open(self, pulls: Any) -> Iterator[_Candidate]:
        for pull in pulls:
            if pull["state"] == "open" and pull["base"]["ref"] == self._base_ref:
                yield _Candidate(int(pull["number"]), str(pull["head"]["sha"]))

    def _unknown(self, commit: ListedCommit) -> str:
        title = commit.message.partition("\n")[0][:_LONGEST_TITLE]
        return (
            f"{commit.sha[:7]} ({title}) has the change of no open pull request for "
            f"{self._base_ref}"
        )


_TOO_MANY = f"at most {MOST_COMMITS} can be assigned to pull requests"


def _first_parents(commits: tuple[ListedCommit, ...], head: str) -> list[ListedCommit]:
    """Return the commits from the base to the head along first parents, oldest first."""
    by_sha = {commit.sha: commit for commit in commits}
    steps: list[ListedCommit] = []
    while head in by_sha:
        commit = by_sha[head]
        steps.insert(0, commit)
        head = commit.parents[0]
    return steps
