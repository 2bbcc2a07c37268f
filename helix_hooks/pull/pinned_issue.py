"""The pinned issue that lists every pull request waiting for a person: its text, and its update."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..decision.comment_lines import PREFIX
from ..decision.pull_request import GITHUB_ACTIONS
from ..errors import HelixError
from ..text import capped, counted, inline, moment
from ..waiting.entry import EXPIRED, FAILED, Queue, QueueEntry
from ..waiting.pull_entry import project_and_number
from . import client
from .access import Access
from .client import error_text, listed, text_field
from .event import person
from .pending import waiting
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


TITLE = "Pull requests waiting for a person"
QUEUE_MARK = "<!-- helix:queue -->"
"""The end of the issue, which identifies it together with its author."""

_MOST = 60_000
_MORE = "*Not all entries fit here: `helix-hooks queue list` lists all of them.*"
_LONGEST = 200
_MOST_REASONS = 3
_SIGNS = {EXPIRED: "⌛", FAILED: "❌"}


def is_pinned_issue(body: str) -> bool:
    """Return whether an issue of ours is the pinned one, by its mark."""
    return body.rstrip().endswith(QUEUE_MARK)


def pinned_issue(queue: Queue) -> str:
    """Return the body of the issue: earliest deadline first, then longest waiting."""
    entries = sorted(queue.entries, key=_urgency)
    parts = [_NOTHING]
    if entries:
        verb = "waits" if len(entries) == 1 else "wait"
        parts = [
            f"### {counted(len(entries), 'pull request')} {verb} for a person\n",
            "Comment on the pull request itself. Comments on this issue are ignored.\n",
        ]
    parts += map(_line, entries)
    unread = "".join(f"- {_short(line)}\n" for line in queue.partial)
    if unread:
        parts.append(f"**Could not be read**\n\n{unread}")
    text = capped("\n".join(parts), _MORE, _MOST)
    return f"{text}\n{QUEUE_MARK}"


_NOTHING = "### No pull request waits for a person\n"


def is_same(before: str, now: str) -> bool:
    """Return whether an issue already has this text. GitHub may have changed its line endings."""
    return before.replace("\r\n", "\n").strip() == now.strip()


def _urgency(entry: QueueEntry) -> tuple[bool, int, int, str]:
    return not entry.due_at, entry.due_at, entry.asked_at, entry.id


def _line(entry: QueueEntry) -> str:
    """Return the lines of an entry: its name, deciders, deadline and reasons."""
    number = project_and_number(entry.id)[1]
    name = f"#{number} {_short(entry.title)}".rstrip()
    if entry.url:
        name = f"[{name}]({entry.url})"
    sign = _SIGNS.get(entry.state, "⏳")
    lines = [
        f"#### {sign} {name}\n",
        f"- **{inline(entry.turn)}**{_until(entry)}\n",
        _missing(entry),
        *(f"- {_short(reason)}\n" for reason in entry.reasons[:_MOST_REASONS]),
        _more(entry),
        f"- by {inline(entry.asked_by)}, waits since {moment(entry.asked_at)}, {entry.category}\n",
    ]
    return "".join(lines)


def _until(entry: QueueEntry) -> str:
    if entry.due_at:
        return f", until {moment(entry.due_at)}"
    return ", the deadline has passed" if entry.state == EXPIRED else ""


def _missing(entry: QueueEntry) -> str:
    """Return the number of approvals, the people notified, and the commands to comment."""
    text = ""
    if entry.minimum > 1:
        text += f"{entry.approvals} of {entry.minimum} approvals. "
    if entry.escalated_to:
        text += f"Escalated to: {', '.join(map(inline, entry.escalated_to))}. "
    text += " or ".join(map(_way, entry.ways_on))
    return f"- {text}\n" if text else ""


def _way(text: str) -> str:
    """Return a command as code, so that it can be copied unchanged; other advice as plain text."""
    is_command = text.startswith(f"{PREFIX} ") and "`" not in text and text.isprintable()
    return f"`{text}`" if is_command else inline(text)


def _more(entry: QueueEntry) -> str:
    left = len(entry.reasons) - _MOST_REASONS
    if left <= 0:
        return ""
    return f"- and {counted(left, 'more reason')}\n"


def _short(text: str) -> str:
    """Return a text as one line without active links, mentions or markup."""
    words = " ".join(text.split())
    if len(words) > _LONGEST:
        words = f"{words[: _LONGEST - 1]}…"
    return inline(words)


_DUPLICATE: Stored = {
    "state": "closed",
    "state_reason": "not_planned",
    "body": "Another issue has this list.",
}
"""The changes of a duplicate issue. Its new body has no mark, so no sweep reads it again."""


class IssueUpdate(NamedTuple):
    """The issue after a sweep: its number (0 for none), what was done, and the failures.

    `done` is "created", "changed" or "" for nothing.
    """

    number: int
    done: str
    problems: tuple[str, ...] = ()


def update_issue(to: Access, name: str) -> IssueUpdate:
    """Write the issue of a repository OWNER/NAME if its list has changed.

    If nothing waits, no issue is created.

    Raises:
        HelixError: GitHub refuses a request, or can't be reached.
    """
    with client.reached():
        issue = next(_stored(to), None)
    entries, problems, _ = waiting(to, name)
    body = pinned_issue(Queue(entries, 0, problems))
    if not issue and not entries:
        return IssueUpdate(0, "", problems)
    with client.reached():
        return _write(to, issue, body, problems)


def _write(
    to: Access, issue: StoredIssue | None, body: str, problems: tuple[str, ...]
) -> IssueUpdate:
    if issue is None:
        return _create(to, body, problems)
    if is_same(issue.body, body):
        return IssueUpdate(issue.number, "", problems)
    edit(to.repository, issue.number, {"body": body, "state": "open"})
    return IssueUpdate(issue.number, "changed", problems)


def _create(to: Access, body: str, problems: tuple[str, ...]) -> IssueUpdate:
    """Create and pin the issue."""
    created = create(to.repository, TITLE, body, lambda: next(_stored(to), None))
    others = [item for item in _stored(to) if item.number != created.number]
    # Two sweeps at once may create two issues. Both keep the older one.
    first = min([created, *others], key=lambda item: item.number)
    for issue in [created, *others]:
        if issue.number != first.number:
            edit(to.repository, issue.number, _DUPLICATE)
    reason = pin(to.repository, first.node)
    if reason:
        problems = (*problems, f"the issue #{first.number} could not be pinned: {reason}")
    return IssueUpdate(first.number, "created", problems)


def _stored(to: Access) -> Iterator[StoredIssue]:
    return stored_issues(to.repository, to.ours, is_pinned_issue)
