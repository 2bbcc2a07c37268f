"""The open pull requests of a repository, as items of GitHub's list."""

from typing import TYPE_CHECKING, NamedTuple

from ..decision.pull_request import Comment, Person, PullRequest, Status
from . import fetch, reading
from .event import commit, person

if TYPE_CHECKING:
    from github.Repository import Repository


class ListedPull(NamedTuple):
    """A pull request as an item of a list. Times are in seconds since 1970.

    `project` is the number of the repository with the `default_branch`, and `now` is the time of
    the list.
    """

    number: int
    title: str
    author: Person
    head: str
    base: str
    base_ref: str
    project: int
    created: int
    updated: int
    now: int
    default_branch: str

    def with_facts(
        self, comments: tuple[Comment, ...], status: Status | None, check: str
    ) -> PullRequest:
        """Return the pull request facts. Reviews, commits and files are fetched later."""
        return PullRequest(
            number=self.number,
            author=self.author,
            head=self.head,
            base=self.base,
            is_open=True,
            comments=comments,
            status=status,
            base_ref=self.base_ref,
            now=self.now,
            project=self.project,
            check=check,
        )


def open_pulls(repository: "Repository") -> tuple[ListedPull, ...]:
    """Fetch the open pull requests of a repository, with one request for each hundred."""
    now, pulls = fetch.list_open(repository)
    return tuple(
        ListedPull(
            number=int(pull["number"]),
            title=str(pull["title"] or ""),
            author=person(pull["user"]),
            head=commit(pull["head"]["sha"]),
            base=commit(pull["base"]["sha"]),
            base_ref=str(pull["base"]["ref"]),
            project=int((pull["base"].get("repo") or {}).get("id") or 0),
            created=reading.seconds(pull["created_at"]),
            updated=reading.seconds(pull["updated_at"]),
            now=now,
            default_branch=fetch.default_branch(pull["base"]),
        )
        for pull in pulls
    )
