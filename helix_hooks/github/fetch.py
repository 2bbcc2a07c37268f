"""Fetch a pull request as GitHub tells it now, as frozen facts.

Lists are read as plain JSON: PyGithub's objects ask once more, each with a request of its own, as
soon as one looks at a field that GitHub left out, such as the one by which a comment says that it
is no reply.
"""

import math
from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from ..config.policy import ROLES
from ..decision.pull_request import (
    UNKNOWN,
    Comment,
    Commit,
    LineComment,
    PullRequest,
    Review,
    Status,
)
from ..errors import HelixError
from ..publish.check_run import EXTERNAL, NAME
from .event import person

if TYPE_CHECKING:
    from github.Repository import Repository

_LISTED = 250
"""Commits that GitHub lists of a pull request at most (docs.github.com, "List commits on a pull
request").
"""

_COMPARED = 300
"""Files that GitHub lists of a comparison at most (docs.github.com, "Compare two commits")."""

_MOST_PAGES = 100
LARGEST_PAGE = 100
"""Entries of a page at most (docs.github.com, "Using pagination in the REST API")."""

_MOST_MESSAGES = 1_000


def pull_request(repository: "Repository", number: int, app: int = 0) -> PullRequest:
    """Fetch a pull request with the comments on it and our check run at its head.

    The rest is fetched when it matters. `app` is the number of the App in whose name we write, 0
    for any. `now` is the time by GitHub's own clock.
    """
    headers, pull = _answer(repository, f"/pulls/{number}", "head")
    head, base = pull["head"], pull["base"]
    return PullRequest(
        number=number,
        author=person(pull["user"]),
        head=head["sha"],
        base=base["sha"],
        is_open=pull["state"] == "open",
        comments=comments(repository, number),
        status=status(repository, head["sha"], app),
        base_ref=base["ref"],
        now=_server_time(headers),
        project=(base.get("repo") or {}).get("id") or 0,
        closed=seconds(pull["closed_at"]) if pull.get("closed_at") else 0,
        merged=(pull.get("merge_commit_sha") or "") if pull.get("merged") else "",
    )


def line_comments(repository: "Repository", number: int) -> tuple[LineComment, ...]:
    """Fetch the comments in the diff."""
    return tuple(_line_comment(item) for item in listed(repository, f"/pulls/{number}/comments"))


def reviews(repository: "Repository", number: int) -> tuple[Review, ...]:
    """Fetch the reviews of a pull request, oldest first."""
    return tuple(_review(item) for item in listed(repository, f"/pulls/{number}/reviews"))


def comments(repository: "Repository", number: int) -> tuple[Comment, ...]:
    """Fetch the comments on a pull request as a whole, oldest first."""
    return tuple(_comment(item) for item in listed(repository, f"/issues/{number}/comments"))


def _comment(item: dict[str, Any]) -> Comment:
    at, changed, node = (
        seconds(item["created_at"]),
        seconds(item["updated_at"]),
        item.get("node_id") or "",
    )
    doubt = "" if node else UNKNOWN.format("GitHub gives no name for it")
    return Comment(
        id=item["id"],
        by=person(item["user"]),
        body=item.get("body") or "",
        at=at,
        edited=at != changed,
        changed=changed,
        node=node,
        doubt=doubt,
    )


def open_ones(repository: "Repository") -> tuple[int, list[dict[str, Any]]]:
    """Fetch the open pull requests, as a list shows them, and the time by GitHub's clock."""
    pages = [*_pages(repository, f"{repository.url}/pulls", {"state": "open"})]
    return _server_time(pages[0][0]), [pull for _, page in pages for pull in page]


def recent(repository: "Repository") -> Iterator[dict[str, Any]]:
    """Fetch all pull requests, as a list shows them, from the one that changed last, page by
    page.
    """
    yield from listed(repository, "/pulls", state="all", sort="updated", direction="desc")


def siblings(repository: "Repository", number: int, head: str) -> tuple[int, ...]:
    """Fetch the other open pull requests at the same head."""
    return tuple(
        other["number"]
        for other in listed(repository, f"/commits/{head}/pulls")
        if _is_sibling(other, number, head)
    )


def status(repository: "Repository", commit: str, app: int = 0) -> Status | None:
    """Fetch the latest of our check runs at a commit, with the older ones that it has replaced.

    One with our name that somebody else wrote has not our `external_id`, or is of another App.
    """
    from github import GithubException

    try:
        runs = [
            *listed(
                repository,
                f"/commits/{commit}/check-runs",
                "check_runs",
                check_name=NAME,
                filter="all",
            )
        ]
    except GithubException as error:
        if error.status not in (404, 422):  # a commit that was pushed away is gone some day
            raise
        return None
    named = (run for run in runs if (run.get("external_id") or "").startswith(EXTERNAL))
    ours = [run for run in named if not app or (run.get("app") or {}).get("id") == app]
    if not ours:
        return None
    newest, *older = sorted(ours, key=lambda run: -int(run["id"]))
    return _status(newest)._replace(
        older=tuple((int(run["id"]), run["conclusion"] or "") for run in older)
    )


def seconds(time: str) -> int:
    """Return a time of GitHub's in seconds since 1970."""
    return int(datetime.fromisoformat(time).timestamp())


def _server_time(headers: dict[str, Any]) -> int:
    """Return when GitHub answered, by its own clock.

    A runner's clock may be wrong, and comments are dated by GitHub's.
    """
    return (
        int(parsedate_to_datetime(headers["date"]).timestamp())
        if "date" in headers
        else int(datetime.now(UTC).timestamp())
    )


def _answer(repository: "Repository", path: str, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fetch headers and an object, which has a key by which it is known to be one of GitHub's."""
    headers, found = repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")
    if not isinstance(found, dict) or key not in found:
        raise HelixError(
            f"what answers at {repository.url} is not GitHub's interface; is GITHUB_API_URL right?"
        )
    return headers, found


def one(repository: "Repository", path: str) -> Any:
    """Fetch what stands at a path."""
    return repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")[1]


def listed(
    repository: "Repository", path: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list, page by page; `key` is where they are in the answer.

    Half a list is never taken for all of it.
    """
    yield from listed_at(repository, f"{repository.url}{path}", key, **parameters)


def listed_at(
    repository: "Repository", url: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list at an address, which need not be of the repository."""
    for _, page in _pages(repository, url, parameters):
        items = page.get(key) if key and isinstance(page, dict) else page
        if not isinstance(items, list):
            raise HelixError(
                f"what answers at {repository.url} is not GitHub's interface; is "
                "GITHUB_API_URL right?"
            )
        yield from items


def _pages(
    repository: "Repository", address: str, parameters: dict[str, str]
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Fetch headers and content of each page."""
    url: str | None = address
    given: dict[str, Any] | None = {"per_page": 100, **parameters}
    for _ in range(_MOST_PAGES):
        headers, data = repository.requester.requestJsonAndCheck("GET", str(url), given)
        yield headers, data
        url, given = _next(headers.get("link", "")), None
        if not url:
            return
    path = address.removeprefix(repository.url)
    raise HelixError(f"GitHub has more than {_MOST_PAGES} pages of {path}")


def _next(links: str) -> str:
    """Return the address of the next page, as the header `Link` names it.

    Documented at docs.github.com, "Using pagination in the REST API".
    """
    found = (link.partition(";") for link in links.split(","))
    return next((address.strip(" <>") for address, _, rest in found if 'rel="next"' in rest), "")


def _review(item: dict[str, Any]) -> Review:
    at = seconds(item["submitted_at"]) if item.get("submitted_at") else 0
    return Review(item["id"], person(item["user"]), item["state"], item.get("commit_id") or "", at)


def _line_comment(item: dict[str, Any]) -> LineComment:
    return LineComment(
        id=item["id"],
        by=person(item["user"]),
        body=item.get("body") or "",
        answers=item.get("in_reply_to_id") or 0,
        node=item.get("node_id") or "",
    )


def _is_sibling(other: dict[str, Any], number: int, head: str) -> bool:
    return bool(
        other["state"] == "open" and other["number"] != number and other["head"]["sha"] == head
    )


def _status(run: dict[str, Any]) -> Status:
    output, completed = run["output"], run.get("completed_at")
    return Status(
        id=run["id"],
        conclusion=run["conclusion"] or "",
        external_id=run["external_id"],
        annotations=output["annotations_count"],
        text=output["text"] or "",
        completed=seconds(completed) if completed else 0,
    )


class ComparedCommits(NamedTuple):
    """Where a change left its base, as GitHub's own diff has it, the time by GitHub's clock, and
    the messages of its first 1,000 commits.
    """

    merge_base: str
    now: int
    messages: tuple[str, ...]


def comparison(repository: "Repository", base: str, head: str) -> ComparedCommits:
    """Fetch the comparison of a change with its base."""
    path = f"/compare/{base}...{head}?per_page={LARGEST_PAGE}"
    headers, found = _answer(repository, path, "merge_base_commit")
    commits = [*found.get("commits", ())]
    pages = min(_MOST_MESSAGES, found.get("total_commits", 0)) / LARGEST_PAGE
    for page in range(2, math.ceil(pages) + 1):
        commits += _answer(repository, f"{path}&page={page}", "commits")[1]["commits"]
    return ComparedCommits(
        merge_base=str(found["merge_base_commit"]["sha"]),
        now=_server_time(headers),
        messages=tuple(str(item["commit"]["message"]) for item in commits),
    )


def commits(repository: "Repository", number: int) -> tuple[tuple[Commit, ...], bool]:
    """Fetch the commits of a pull request, and whether these are all."""
    found = tuple(_commit(item) for item in listed(repository, f"/pulls/{number}/commits"))
    return found, len(found) < _LISTED


def names(repository: "Repository", number: int) -> tuple[str, ...]:
    """Fetch the names of the commits of a pull request, oldest first."""
    return tuple(str(item["sha"]) for item in listed(repository, f"/pulls/{number}/commits"))


def _commit(item: dict[str, Any]) -> Commit:
    people = tuple(person(user) for user in (item.get("author"), item.get("committer")) if user)
    written = (item["commit"].get("author"), item["commit"].get("committer"))
    return Commit(
        people,
        tuple(one["email"] for one in written if one and one.get("email")),
        item["commit"].get("message") or "",
        tuple(one["name"] for one in written if one and one.get("name")),
    )


def role(repository: "Repository", login: str) -> str:
    """Fetch the role of a person: read, triage, write, maintain, admin, or "none"; "" for an
    unknown one.

    A role of their organisation counts as the one that it is built on.
    """
    return account(repository, login)[0]


def account(repository: "Repository", login: str) -> tuple[str, int]:
    """Fetch the role of a person, and the number of their account; "" and 0 for an unknown one."""
    from github import GithubException

    try:
        found = _answer(repository, f"/collaborators/{quote(login)}/permission", "role_name")[1]
    except GithubException as error:
        if error.status != 404:
            raise
        return "", 0
    role = found["role_name"] if found["role_name"] in ROLES else found["permission"]
    return str(role), int((found.get("user") or {}).get("id") or 0)


def contents(repository: "Repository", number: int) -> dict[str, str]:
    """Fetch the changed files of a pull request with git's names of their contents, "" for a
    deleted one.
    """
    files = listed(repository, f"/pulls/{number}/files")
    return {
        file["filename"]: "" if file["status"] == "removed" else str(file["sha"]) for file in files
    }


def is_member(repository: "Repository", team: str, login: str) -> bool | None:
    """Fetch whether somebody is in a team (`org/team`); None if the token may not know it.

    The token of a workflow may not.
    """
    from github import GithubException

    org, _, slug = team.partition("/")
    api = repository.url.partition("/repos/")[0]
    url = f"{api}/orgs/{quote(org)}/teams/{quote(slug)}/memberships/{quote(login)}"
    try:
        found: Any = repository.requester.requestJsonAndCheck("GET", url)[1]
    except GithubException as error:
        if error.status not in (403, 404):
            raise
        return None if error.status == 403 else False
    return bool(found["state"] == "active")


def changed_since(repository: "Repository", before: str, now: str) -> tuple[str, ...] | None:
    """Fetch the paths that differ between two commits of a branch.

    None where GitHub does not list all of them, or the one is not behind the other.
    """
    found = _answer(repository, f"/compare/{quote(before)}...{quote(now, safe='')}", "files")[1]
    files = found["files"]
    if found["status"] not in ("ahead", "identical") or len(files) >= _COMPARED:
        return None
    return tuple(
        path for file in files for path in (file["filename"], file.get("previous_filename")) if path
    )
