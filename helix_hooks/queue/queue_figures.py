"""The figures of the requests and the recorded decisions in a database."""

from collections.abc import Collection, Iterator

from ..waiting.figures import QueueFigures, ended_requests, queue_figures
from ..waiting.recorded_decisions import ended_pulls, waiting_pulls
from ..waiting.request import PENDING
from ..waiting.trail import TrailEvent
from .store import ListedRequests, QueueStore

_MOST = 1_000_000
"""Requests that are read."""

_PAGE = 2_000


def stored_figures(
    db: QueueStore, projects: Collection[str] | None = None, since: str = ""
) -> QueueFigures:
    """Return the figures of projects, None for all, since a month, "" for all.

    Raises HelixError.
    """
    found = db.listed(limit=_MOST)
    shown = [item for item in found.requests if projects is None or item.project in projects]
    events = [event for event in _events(db) if projects is None or event.project in projects]
    waiting = sum(item.status == PENDING for item in shown)
    return queue_figures(
        [*ended_requests(shown), *ended_pulls(events)],
        waiting + waiting_pulls(events),
        since,
        _partial(found, projects),
    )


def _events(db: QueueStore) -> Iterator[TrailEvent]:
    after = 0
    while page := db.events(after, _PAGE):
        yield from (event for event in page if not event.request)
        after = page[-1].number


def _partial(listed: ListedRequests, projects: Collection[str] | None) -> tuple[str, ...]:
    """Return what is missing. Only a viewer of all projects sees the ids of requests."""
    faults = listed.faults
    if faults and projects is not None:
        faults = ("some requests can't be read; see `helix-hooks queue verify`",)
    if listed.number >= _MOST:
        return (*faults, f"only the oldest {_MOST} requests were read")
    return faults
