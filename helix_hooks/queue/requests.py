"""The requests of a project that are pending, as entries of the queue."""

from typing import NamedTuple

from ..errors import UsageError
from ..flow.client import exists
from ..waiting.answering import ending
from ..waiting.entry import ProjectPolicy, QueueEntry
from ..waiting.request import PENDING
from ..waiting.request_entry import entry
from ..waiting.selection import is_beginning
from . import store
from .place import QueuePlace, policy_of

_MOST = 1_000
"""Requests that are listed, the oldest first."""


class NamedRequest(NamedTuple):
    """A request as an entry, and how, by whom and when it ended, "" while it is pending."""

    entry: QueueEntry
    ending: str


Found = tuple[tuple[QueueEntry, ...], tuple[str, ...]]
"""Entries of a source, and lines about what could not be read."""


def entries(place: QueuePlace, by: ProjectPolicy) -> Found:
    """Return the pending requests, and lines about more and unreadable ones. Raises HelixError.

    A shared database has the requests of other projects too. Their policies are unknown here, so
    they are decided in a work tree of their project.
    """
    if not exists(place.flow):
        return (), ()
    with store.opened(place.flow) as db:
        found = db.listed(place.filter, (PENDING,), _MOST)
    if found.requests:
        place.store_key()
    faults = list(found.faults)
    if found.left:
        faults.append(f"{found.left} more requests are pending; the oldest {_MOST} are shown")
    return tuple(entry(request, by) for request in found.requests), tuple(faults)


def elsewhere(place: QueuePlace) -> tuple[tuple[str, int], ...]:
    """Return the number of pending requests of each other project. Raises HelixError."""
    if not place.filter or not exists(place.flow):
        return ()
    with store.opened(place.flow) as db:
        return db.pending_elsewhere(place.filter)


def named(place: QueuePlace, name: str) -> NamedRequest | None:
    """Return a request by its id or a beginning of it, also one that is not listed; else None.

    Raises HelixError if the store or the request can't be read.
    """
    if not exists(place.flow) or not is_beginning(name):
        return None
    try:
        with store.opened(place.flow) as db:
            request = db.request(name, place.filter)
    except UsageError:
        return None
    text = ""
    if request.status != PENDING:
        why = f": {request.comment}" if request.comment else ""
        text = f"{ending(request)}{why}"
    return NamedRequest(entry(request, policy_of(place)), text)
