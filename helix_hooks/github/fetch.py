"""Fetch the facts about a pull request from GitHub.

Lists are read as plain JSON. An object of PyGithub sends another request for each field that GitHub
left out of a list, such as `in_reply_to_id` of a comment that is not a reply.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any
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
"""Maximum number of commits that GitHub lists of a pull request (docs.github.com, "List commits on
a pull request").
"""

_MOST_PAGES = 100
LARGEST_PAGE = 100
"""Maximum number of entries on a page (docs.github.com, "Using pagination in the REST API")."""


def pull_request(repository: "Repository", number: int, app: int = 0) -> PullRequest:
    """Fetch a pull request with its comments and our check run at its head.

    Reviews, commits and files are fetched later if they matter. `app` is the number of the App that
    writes our check runs, 0 for any App. `now` is the time by GitHub's clock.
    """
    headers, pull = answer(repository, f"/pulls/{number}", "head")
    head, base = pull["head"], pull["base"]
    merged = ""
    if pull.get("merged"):
        merged = pull.get("merge_commit_sha") or ""
    return PullRequest(
        number=number,
        author=person(pull["user"]),
        head=head["sha"],
        base=base["sha"],
        is_open=pull["state"] == "open",
        comments=comments(repository, number),
        status=status(repository, head["sha"], app),
        base_ref=base["ref"],
        now=server_time(headers),
        project=(base.get("repo") or {}).get("id") or 0,
        closed=seconds(pull.get("closed_at")),
        merged=merged,
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
    at, changed = seconds(item["created_at"]), seconds(item["updated_at"])
    node = item.get("node_id") or ""
    doubt = ""
    if not node:
        doubt = UNKNOWN.format("GitHub gives no name for it")
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


def list_open(repository: "Repository") -> tuple[int, list[dict[str, Any]]]:
    """Fetch the time by GitHub's clock, and the open pull requests as items of a list."""
    pages = [*_pages(repository, f"{repository.url}/pulls", {"state": "open"})]
    pulls: list[dict[str, Any]] = []
    for _, page in pages:
        pulls.extend(page)
    return server_time(pages[0][0]), pulls


def recent(repository: "Repository") -> Iterator[dict[str, Any]]:
    """Fetch all pull requests as items of a list, the last changed one first, page by page."""
    yield from listed(repository, "/pulls", state="all", sort="updated", direction="desc")


def siblings(repository: "Repository", number: int, head: str) -> tuple[int, ...]:
    """Fetch the other open pull requests at the same head."""
    return tuple(
        other["number"]
        for other in listed(repository, f"/commits/{head}/pulls")
        if _is_sibling(other, number, head)
    )


def status(repository: "Repository", commit: str, app: int = 0) -> Status | None:
    """Fetch the latest of our check runs at a commit, with the older ones that it replaced."""
    from github import GithubException

    try:
        runs = [*named_check_runs(repository, commit)]
    except GithubException as error:
        # GitHub deletes a commit some time after a push has removed it from all branches.
        if error.status not in (404, 422):
            raise
        return None
    ours = [run for run in runs if _is_our_check_run(run, app)]
    if not ours:
        return None
    newest, *older = sorted(ours, key=lambda run: -int(run["id"]))
    return _status(newest)._replace(
        older=tuple((int(run["id"]), run["conclusion"] or "") for run in older)
    )


def named_check_runs(repository: "Repository", commit: str) -> Iterator[dict[str, Any]]:
    """Fetch all check runs at a commit that have the name of ours."""
    path = f"/commits/{commit}/check-runs"
    yield from listed(repository, path, "check_runs", check_name=NAME, filter="all")


def _is_our_check_run(run: dict[str, Any], app: int) -> bool:
    """Return whether we wrote a check run: any App can write one with our name."""
    if not (run.get("external_id") or "").startswith(EXTERNAL):
        return False
    return not app or (run.get("app") or {}).get("id") == app


def seconds(time: str | None) -> int:
    """Return a time of GitHub in seconds since 1970; 0 for none."""
    if not time:
        return 0
    return int(datetime.fromisoformat(time).timestamp())


def server_time(headers: dict[str, Any]) -> int:
    """Return the time of an answer by GitHub's clock."""
    # The clock of a runner may be wrong, and GitHub's clock dates the comments.
    if "date" in headers:
        return int(parsedate_to_datetime(headers["date"]).timestamp())
    return int(datetime.now(UTC).timestamp())


def answer(repository: "Repository", path: str, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fetch headers and an object, which must have a key.

    Raises:
        HelixError: The answer has no such key, so it is not from the API of GitHub.
    """
    headers, data = repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")
    if not isinstance(data, dict) or key not in data:
        raise _not_github(repository)
    return headers, data


def _not_github(repository: "Repository") -> HelixError:
    return HelixError(f"{repository.url} is not the API of GitHub; is GITHUB_API_URL right?")


def one(repository: "Repository", path: str) -> Any:
    """Fetch the object at a path."""
    return repository.requester.requestJsonAndCheck("GET", f"{repository.url}{path}")[1]


def listed(
    repository: "Repository", path: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list, page by page; `key` is their key in the answer.

    Raises:
        HelixError: The list has too many pages; a part of it is never taken for all of it.
    """
    yield from listed_at(repository, f"{repository.url}{path}", key, **parameters)


def listed_at(
    repository: "Repository", url: str, key: str = "", **parameters: str
) -> Iterator[dict[str, Any]]:
    """Fetch all entries of a list at an address, which need not be of the repository.

    Raises:
        HelixError: The answer is not from the API of GitHub, or has too many pages.
    """
    for _, page in _pages(repository, url, parameters):
        items = page
        if key and isinstance(page, dict):
            items = page.get(key)
        if not isinstance(items, list):
            raise _not_github(repository)
        yield from items


def _pages(
    repository: "Repository", address: str, parameters: dict[str, str]
) -> Iterator[tuple[dict[str, Any], Any]]:
    """Fetch headers and content of each page."""
    url = address
    query: dict[str, Any] | None = {"per_page": LARGEST_PAGE, **parameters}
    for _ in range(_MOST_PAGES):
        headers, data = repository.requester.requestJsonAndCheck("GET", url, query)
        yield headers, data
        # The address of the next page has the parameters already.
        url, query = _next(headers.get("link", "")), None
        if not url:
            return
    path = address.removeprefix(repository.url)
    raise HelixError(f"GitHub has more than {_MOST_PAGES} pages of {path}")


def _next(links: str) -> str:
    """Return the address of the next page from the header `Link`; "" on the last page.

    Documented at docs.github.com, "Using pagination in the REST API".
    """
    for link in links.split(","):
        address, _, attributes = link.partition(";")
        if 'rel="next"' in attributes:
            return address.strip(" <>")
    return ""


def _review(item: dict[str, Any]) -> Review:
    at = seconds(item.get("submitted_at"))
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
    output = run["output"]
    return Status(
        id=run["id"],
        conclusion=run["conclusion"] or "",
        external_id=run["external_id"],
        annotations=output["annotations_count"],
        text=output["text"] or "",
        completed=seconds(run.get("completed_at")),
    )


def commits(repository: "Repository", number: int) -> tuple[tuple[Commit, ...], bool]:
    """Fetch the commits of a pull request, and whether these are all."""
    listed_commits = tuple(_commit(item) for item in listed(repository, f"/pulls/{number}/commits"))
    return listed_commits, len(listed_commits) < _LISTED


def commit_names(repository: "Repository", number: int) -> tuple[str, ...]:
    """Fetch the SHAs of the commits of a pull request, oldest first."""
    return tuple(str(item["sha"]) for item in listed(repository, f"/pulls/{number}/commits"))


def _commit(item: dict[str, Any]) -> Commit:
    # A user is null if GitHub knows no account with the address in the commit.
    people = tuple(person(user) for user in (item.get("author"), item.get("committer")) if user)
    signatures = [item["commit"].get(field) or {} for field in ("author", "committer")]
    emails = tuple(signature.get("email") for signature in signatures)
    names = tuple(signature.get("name") for signature in signatures)
    return Commit(
        people,
        tuple(filter(None, emails)),
        item["commit"].get("message") or "",
        tuple(filter(None, names)),
    )


def role(repository: "Repository", login: str) -> str:
    """Fetch the role of a user: read, triage, write, maintain, admin, or "none".

    It is "" for an unknown user. A custom role of an organisation counts as its base role.
    """
    return account(repository, login)[0]


def account(repository: "Repository", login: str) -> tuple[str, int]:
    """Fetch the role of a user, and the number of the account; "" and 0 for an unknown user."""
    from github import GithubException

    try:
        data = answer(repository, f"/collaborators/{quote(login)}/permission", "role_name")[1]
    except GithubException as error:
        if error.status != 404:
            raise
        return "", 0
    role = data["role_name"]
    if role not in ROLES:
        # A custom role; `permission` has the role that it extends.
        role = data["permission"]
    return str(role), int((data.get("user") or {}).get("id") or 0)


def contents(repository: "Repository", number: int) -> dict[str, str]:
    """Fetch the git blob hashes of the changed files of a pull request, "" for a deleted file."""
    blobs = {}
    for file in listed(repository, f"/pulls/{number}/files"):
        blobs[file["filename"]] = str(file["sha"])
        if file["status"] == "removed":
            blobs[file["filename"]] = ""
    return blobs


def is_member(repository: "Repository", team: str, login: str) -> bool | None:
    """Fetch whether a user is in a team (`org/team`); None if the token may not read teams."""
    from github import GithubException

    org, _, slug = team.partition("/")
    api = repository.url.partition("/repos/")[0]
    url = f"{api}/orgs/{quote(org)}/teams/{quote(slug)}/memberships/{quote(login)}"
    try:
        membership: Any = repository.requester.requestJsonAndCheck("GET", url)[1]
    except GithubException as error:
        # The token of a workflow gets 403 for each team.
        if error.status == 403:
            return None
        if error.status == 404:
            return False
        raise
    return bool(membership["state"] == "active")
