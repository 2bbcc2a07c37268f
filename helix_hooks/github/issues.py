"""The issue of ours that a repository keeps: found by its mark and author, written and pinned."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..decision.pull_request import GITHUB_ACTIONS
from ..errors import HelixError
from .client import said
from .event import person
from .fetch import listed
from .write import Stored, Writer, not_stored

if TYPE_CHECKING:
    from github.Repository import Repository

_HIDDEN = (403, 404)
_ACTIONS_LOGIN = "github-actions[bot]"
_PIN = "mutation($i0: PinIssueInput!) { c0: pinIssue(input: $i0) { clientMutationId } }"


class KeptIssue(NamedTuple):
    """An issue of ours; `node` is its name in GraphQL."""

    number: int
    body: str
    is_open: bool
    node: str


def kept_issues(
    repository: "Repository", ours: int, is_kept: Callable[[str], bool]
) -> Iterator[KeptIssue]:
    """Fetch the issues of the user `ours` whose text is that of a kept one, the oldest first.

    Whoever needs the first one alone takes it, and no further page is fetched.
    """
    login = _login(repository, ours)
    by = {"creator": login} if login else {}
    found = listed(repository, "/issues", state="all", sort="created", direction="asc", **by)
    for item in found:
        body = str(item["body"] or "")
        if "pull_request" in item or person(item["user"]).id != ours or not is_kept(body):
            continue
        yield KeptIssue(
            number=int(item["number"]),
            body=body,
            is_open=item["state"] == "open",
            node=str(item.get("node_id") or ""),
        )


def _login(repository: "Repository", ours: int) -> str:
    """Fetch the login of a user, by which GitHub lists issues; "" for an unknown one."""
    from github import GithubException

    if ours == GITHUB_ACTIONS:
        return _ACTIONS_LOGIN
    api = repository.url.partition("/repos/")[0]
    try:
        found: object = repository.requester.requestJsonAndCheck("GET", f"{api}/user/{ours}")[1]
    except GithubException as error:
        if error.status not in _HIDDEN:
            raise
        return ""
    return str(found.get("login") or "") if isinstance(found, dict) else ""


def create(
    repository: "Repository", title: str, body: str, look: Callable[[], KeptIssue | None]
) -> KeptIssue:
    """Create an issue. `look` returns the one that is stored already, None for none."""

    def stored() -> Stored | None:
        found = look()
        return {"id": 0, "number": found.number, "node_id": found.node} if found else None

    made = Writer(repository).post("/issues", {"title": title, "body": body}, stored)
    return KeptIssue(
        number=int(made["number"]), body=body, is_open=True, node=str(made.get("node_id") or "")
    )


def edit(repository: "Repository", number: int, changes: Stored) -> None:
    """Change an issue: its body or its state."""
    Writer(repository).patch(f"/issues/{number}", changes, not_stored)


def pin(repository: "Repository", node: str) -> str:
    """Pin an issue. Return why that failed, "" where it is pinned; GitHub pins three at most."""
    from github import GithubException

    given: Stored = {"i0": {"issueId": node, "clientMutationId": "0"}}
    try:
        answer = Writer(repository).change(_PIN, given)
    except HelixError as error:
        return str(error)
    except (GithubException, OSError) as error:
        return said(error)
    return "" if answer.get("c0") else "GitHub does not say why"
