"""The requests of a project that are pending, as entries of the queue."""

from ..flow.client import exists
from ..waiting.entry import QueueEntry
from ..waiting.project_policy import ProjectPolicy
from ..waiting.request import PENDING
from ..waiting.request_entry import entry
from . import store
from .place import QueuePlace

_MOST = 1_000
"""Requests that are listed, the oldest first."""

Found = tuple[tuple[QueueEntry, ...], tuple[str, ...]]


def entries(place: QueuePlace, by: ProjectPolicy) -> Found:
    """Return the pending requests, and a line where there are more. Raises HelixError.

    A shared database has those of other projects too. Their policies are not known here, so they
    are decided in a work tree of theirs.
    """
    if not exists(place.flow):
        return (), ()
    with store.opened(place.flow) as db:
        found = db.requests(place.project, (PENDING,), _MOST)
        number = len(found) if len(found) < _MOST else db.count(place.project, (PENDING,))
    left = number - len(found)
    lines = (f"{left} more requests wait; the oldest {_MOST} are shown",) if left > 0 else ()
    return tuple(entry(request, by) for request in found), lines
