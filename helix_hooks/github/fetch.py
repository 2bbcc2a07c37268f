"""A pull request as GitHub tells it now, to frozen facts.

Lists are read as plain JSON: PyGithub's objects ask for themselves once more, each with a request of its own, as soon as one looks at a field
that GitHub left out, such as the one by which a comment says that it is no reply.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import HelixError
from ..pull.facts import Comment, Commit, LineComment, Person, PullRequest, Review, Status
from ..pull.kept import Kept, read
from ..pull.payloads import EXTERNAL, NAME

if TYPE_CHECKING:
    from github.Repository import Repository

_LISTED = 250
"""Commits that GitHub lists of a pull request at most (docs.github.com, "List commits on a pull request")."""

_PAGES = 100
_NOBODY = Person("ghost", 0)


def pull_request(repository: "Repository", number: int) -> PullRequest:
    """A pull request with the comments on it and our check run at its head; reviews and siblings are asked for when they matter."""
    pull = one(repository, f"/pulls/{number}")
    head, base = pull["head"], pull["base"]
    return PullRequest(
        number,
        _person(pull["user"]),
        head["sha"],
        base["sha"],
        pull["state"] == "open",
        comments=comments(repository, number),
        line_comments=tuple(_line_comment(item) for item in listed(repository, f"/pulls/{number}/comments")),
        status=_status(_ours(repository, head["sha"])),
        base_ref=base["ref"],
    )


def reviews(repository: "Repository", number: int) -> tuple[Review, ...]:
    """The reviews of a pull request, oldest first."""
    return tuple(_review(item) for item in listed(repository, f"/pulls/{number}/reviews"))


def comments(repository: "Repository", number: int) -> tuple[Comment, ...]:
    """The comments on a pull request as a whole, oldest first."""
    found = listed(repository, f"/issues/{number}/comments")
    return tuple(Comment(item["id"], _person(item["user"]), item.get("body") or "") for item in found)


def siblings(repository: "Repository", number: int, head: str) -> tuple[int, ...]:
    """The other open pull requests at the same head."""
    return tuple(other["number"] for other in listed(repository, f"/commits/{head}/pulls") if _is_sibling(other, number, head))


def kept(repository: "Repository", *commits: str) -> Kept | None:
    """What the latest run at the first of some commits that has one has left on its check; None where there was no run."""
    for commit in filter(None, commits):
        run = _ours(repository, commit)
        if run:
            return read(run["output"]["text"] or "")
    return None


def _ours(repository: "Repository", commit: str) -> dict[str, Any] | None:
    """The latest of our check runs at a commit; one that somebody else calls the same has not our `external_id`."""
    from github import GithubException

    try:
        runs = [*listed(repository, f"/commits/{commit}/check-runs", "check_runs", check_name=NAME, filter="latest")]
    except GithubException as error:
        if error.status not in (404, 422):  # a commit that was pushed away is gone some day
            raise
        return None
    return next((run for run in runs if (run.get("external_id") or "").startswith(EXTERNAL)), None)


def one(repository: "Repository", path: str) -> Any:
    return repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")[1]


def listed(repository: "Repository", path: str, key: str = "", **parameters: str) -> Iterator[dict[str, Any]]:
    """All entries of a list, page by page; `key` is where they are in the answer. Half a list is never taken for all of it."""
    url: str | None = f"{repository.url}{path}"
    given: dict[str, Any] | None = {"per_page": 100, **parameters}
    for _ in range(_PAGES):
        headers, data = repository.requester.requestJsonAndCheck("GET", str(url), given)
        found: Any = data
        yield from found[key] if key else found
        url, given = _next(headers.get("link", "")), None
        if not url:
            return
    raise HelixError(f"GitHub has more than {_PAGES} pages of {path}")


def _next(links: str) -> str:
    """The address of the next page, as the header `Link` names it (docs.github.com, "Using pagination in the REST API")."""
    found = (link.partition(";") for link in links.split(","))
    return next((address.strip(" <>") for address, _, rest in found if 'rel="next"' in rest), "")


def _person(user: dict[str, Any] | None) -> Person:
    return Person(user["login"], user["id"], user.get("type") == "Bot") if user else _NOBODY


def _review(item: dict[str, Any]) -> Review:
    return Review(item["id"], _person(item["user"]), item["state"], item.get("commit_id") or "")


def _line_comment(item: dict[str, Any]) -> LineComment:
    return LineComment(item["id"], _person(item["user"]), item.get("body") or "", item.get("in_reply_to_id") or 0)


def _is_sibling(other: dict[str, Any], number: int, head: str) -> bool:
    return bool(other["state"] == "open" and other["number"] != number and other["head"]["sha"] == head)


def _status(run: dict[str, Any] | None) -> Status | None:
    if run is None:
        return None
    return Status(run["id"], run["conclusion"] or "", run["external_id"], run["output"]["annotations_count"])


def merge_base(repository: "Repository", base: str, head: str) -> str:
    """Where a change left its base, as GitHub's own diff has it."""
    return str(one(repository, f"/compare/{base}...{head}?per_page=1")["merge_base_commit"]["sha"])


def commits(repository: "Repository", number: int) -> tuple[tuple[Commit, ...], bool]:
    """The commits of a pull request, and whether these are all."""
    found = tuple(_commit(item) for item in listed(repository, f"/pulls/{number}/commits"))
    return found, len(found) < _LISTED


def _commit(item: dict[str, Any]) -> Commit:
    people = tuple(_person(user) for user in (item.get("author"), item.get("committer")) if user)
    written = (item["commit"].get("author"), item["commit"].get("committer"))
    return Commit(people, tuple(one["email"] for one in written if one and one.get("email")), item["commit"].get("message") or "")


def role(repository: "Repository", login: str) -> str:
    """What GitHub lets a person do: read, triage, write, maintain, admin, a role of their organisation, or "none"."""
    from github import GithubException

    try:
        return repository.get_collaborator_role_name(login)
    except GithubException as error:
        if error.status != 404:
            raise
        return "none"
