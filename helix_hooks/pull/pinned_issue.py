"""Update the pinned issue that lists every pull request waiting for a person."""

from collections.abc import Iterator
from typing import NamedTuple

from ..errors import HelixError
from ..waiting.entry import Queue, QueueEntry
from ..waiting.pull_entry import entry_id
from . import client, issues
from .access import Access
from .issues import StoredIssue
from .pending import pending
from .pinned_issue_text import TITLE, is_pinned_issue, is_same, pinned_issue
from .pull_list import ListedPull, open_pulls
from .write import Stored

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
        pulls = open_pulls(to.repository)
        issue = next(_stored(to), None)
    reads = [_entry(to, name, pull) for pull in pulls]
    entries = tuple(item for item in reads if isinstance(item, QueueEntry))
    problems = tuple(item for item in reads if isinstance(item, str))
    body = pinned_issue(Queue(entries, max((pull.now for pull in pulls), default=0), problems))
    if not issue and not entries:
        return IssueUpdate(0, "", problems)
    with client.reached():
        return _write(to, issue, body, problems)


def _entry(to: Access, name: str, pull: ListedPull) -> QueueEntry | str | None:
    """Return the entry of a pull request, None if it does not wait, or the text of an error."""
    try:
        with client.reached():
            return pending(to, name, pull)
    except HelixError as error:
        return f"{entry_id(name, pull.number)}: {error}"


def _write(
    to: Access, issue: StoredIssue | None, body: str, problems: tuple[str, ...]
) -> IssueUpdate:
    if issue is None:
        return _create(to, body, problems)
    if is_same(issue.body, body):
        return IssueUpdate(issue.number, "", problems)
    issues.edit(to.repository, issue.number, {"body": body, "state": "open"})
    return IssueUpdate(issue.number, "changed", problems)


def _create(to: Access, body: str, problems: tuple[str, ...]) -> IssueUpdate:
    """Create and pin the issue."""
    created = issues.create(to.repository, TITLE, body, lambda: next(_stored(to), None))
    others = [item for item in _stored(to) if item.number != created.number]
    # Two sweeps at once may create two issues. Both keep the older one.
    first = min([created, *others], key=lambda item: item.number)
    for issue in [created, *others]:
        if issue.number != first.number:
            issues.edit(to.repository, issue.number, _DUPLICATE)
    reason = issues.pin(to.repository, first.node)
    if reason:
        problems = (*problems, f"the issue #{first.number} could not be pinned: {reason}")
    return IssueUpdate(first.number, "created", problems)


def _stored(to: Access) -> Iterator[StoredIssue]:
    return issues.stored_issues(to.repository, to.ours, is_pinned_issue)
