"""Find our pinned issue by its mark and author, write it and pin it."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..decision.pull_request import GITHUB_ACTIONS
from ..errors import HelixError
from .client import error_text, text_field
from .event import person
from .reading import listed
from .write import Stored, Writer, not_stored

if TYPE_CHECKING:
    from github.Repository import Repository

_HIDDEN = (403, 404)
_ACTIONS_LOGIN = "github-actions[bot]"
_PIN = "mutation($i0: PinIssueInput!) { c0: pinIssue(input: $i0) { clientMutationId } }"


class StoredIssue(NamedTuple):
    """An issue of ours; `node` is its id in GraphQL."""

    number: int
    body: str
    is_open: bool
    node: str


def stored_issues(
    repository: "Repository", ours: int, has_mark: Callable[[str], bool]
) -> Iterator[StoredIssue]:
    """Fetch the issues of the user `ours` whose body has our mark, oldest first, page by page."""
    filters = {"state": "all", "sort": "created", "direction": "asc"}
    login = _login(repository, ours)
    if login:
        filters["creator"] = login
    for item in listed(repository, "/issues", **filters):
        body = str(item["body"] or "")
        # GitHub lists pull requests as issues too.
        if "pull_request" in item or person(item["user"]).id != ours or not has_mark(body):
            continue
        yield StoredIssue(
            number=int(item["number"]),
            body=body,
            is_open=item["state"] == "open",
            node=str(item.get("node_id") or ""),
        )


def _login(repository: "Repository", ours: int) -> str:
    """Fetch the login of a user, by which GitHub filters issues; "" for an unknown user."""
    from github import GithubException

    if ours == GITHUB_ACTIONS:
        return _ACTIONS_LOGIN
    api = repository.url.partition("/repos/")[0]
    try:
        answer: object = repository.requester.requestJsonAndCheck("GET", f"{api}/user/{ours}")[1]
    except GithubException as error:
        if error.status not in _HIDDEN:
            raise
        return ""
    return text_field(answer, "login")


def create(
    repository: "Repository", title: str, body: str, look: Callable[[], StoredIssue | None]
) -> StoredIssue:
    """Create an issue. `look` returns the issue if it is stored already, else None."""

    def stored() -> Stored | None:
        issue = look()
        if issue is None:
            return None
        return {"id": 0, "number": issue.number, "node_id": issue.node}

    created = Writer(repository).post("/issues", {"title": title, "body": body}, stored)
    return StoredIssue(
        number=int(created["number"]),
        body=body,
        is_open=True,
        node=text_field(created, "node_id"),
    )


def edit(repository: "Repository", number: int, changes: Stored) -> None:
    """Change an issue: its body or its state."""
    Writer(repository).patch(f"/issues/{number}", changes, not_stored)


def pin(repository: "Repository", node: str) -> str:
    """Pin an issue. Return why that failed; "" if it is pinned."""
    from github import GithubException

    variables: Stored = {"i0": {"issueId": node, "clientMutationId": "0"}}
    try:
        # A repository can have at most three pinned issues.
        answer = Writer(repository).change(_PIN, variables)
    except HelixError as error:
        return str(error)
    except (GithubException, OSError) as error:
        return error_text(error)
    if not answer.get("c0"):
        return "GitHub gives no reason"
    return ""
