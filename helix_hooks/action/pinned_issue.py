"""Keep one pinned issue with every pull request that waits for a person."""

from collections.abc import Iterator
from typing import NamedTuple

from ..errors import HelixError
from ..github import client, issues
from ..github.issues import KeptIssue
from ..github.pull_list import ListedPull, open_pulls
from ..github.write import Stored
from ..publish.pinned_issue import TITLE, is_pinned_issue, is_same, pinned_issue
from ..waiting.entry import Queue, QueueEntry
from ..waiting.pull_entry import entry_id
from .access import Access
from .pending import pending

_LEFT_OVER: Stored = {
    "state": "closed",
    "state_reason": "not_planned",
    "body": "Another issue has what waits.",
}
"""The body that a second issue gets; without the mark it is not looked at again."""


class KeptQueue(NamedTuple):
    """The issue after a sweep: its number (0 for none), the change, and the failure.

    `done` is "created", "changed" or "" for nothing.
    """

    number: int
    done: str
    problems: tuple[str, ...] = ()


def keep(to: Access, name: str) -> KeptQueue:
    """Write the issue of a repository OWNER/NAME if what waits has changed.

    There is one issue. Where nothing waits, none is created. Raises HelixError.
    """
    with client.reached():
        pulls = open_pulls(to.repository)
        found = next(_stored(to), None)
    reads = [_entry(to, name, pull) for pull in pulls]
    entries = tuple(item for item in reads if isinstance(item, QueueEntry))
    problems = tuple(item for item in reads if isinstance(item, str))
    body = pinned_issue(Queue(entries, max((pull.now for pull in pulls), default=0), problems))
    if not found and not entries:
        return KeptQueue(0, "", problems)
    with client.reached():
        return _written(to, found, body, problems)


def _entry(to: Access, name: str, pull: ListedPull) -> QueueEntry | str | None:
    """Return the entry of a pull request, None if it does not wait, or what failed."""
    try:
        with client.reached():
            return pending(to, name, pull)
    except HelixError as error:
        return f"{entry_id(name, pull.number)}: {error}"


def _written(
    to: Access, found: KeptIssue | None, body: str, problems: tuple[str, ...]
) -> KeptQueue:
    if found is None:
        return _created(to, body, problems)
    if is_same(found.body, body):
        return KeptQueue(found.number, "", problems)
    issues.edit(to.repository, found.number, {"body": body, "state": "open"})
    return KeptQueue(found.number, "changed", problems)


def _created(to: Access, body: str, problems: tuple[str, ...]) -> KeptQueue:
    """Create and pin the issue. Of two sweeps at once, the older issue stays."""
    made = issues.create(to.repository, TITLE, body, lambda: next(_stored(to), None))
    others = [item for item in _stored(to) if item.number != made.number]
    first = min([made, *others], key=lambda item: item.number)
    for spare in [made, *others]:
        if spare.number != first.number:
            issues.edit(to.repository, spare.number, _LEFT_OVER)
    why = issues.pin(to.repository, first.node)
    told = (f"the issue #{first.number} could not be pinned: {why}",) if why else ()
    return KeptQueue(first.number, "created", (*problems, *told))


def _stored(to: Access) -> Iterator[KeptIssue]:
    return issues.kept_issues(to.repository, to.ours, is_pinned_issue)
