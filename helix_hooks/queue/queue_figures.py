"""The figures of the requests and the recorded decisions in a database."""

from collections.abc import Iterator

from ..waiting.figures import QueueFigures, ended_requests, queue_figures
from ..waiting.recorded_decisions import ended_pulls, waiting_pulls
from ..waiting.request import PENDING
from ..waiting.trail import TrailEvent
from .store import QueueStore

_MOST = 1_000_000
"""Requests that are read."""

_PAGE = 2_000


def stored_figures(db: QueueStore, project: str = "", since: str = "") -> QueueFigures:
    """Return the figures of a project, "" for all, since a month, "" for all. Raises HelixError."""
    requests = db.requests(project, (), _MOST)
    events = [event for event in _events(db) if project in ("", event.project)]
    waiting = sum(request.status == PENDING for request in requests)
    return queue_figures(
        [*ended_requests(requests), *ended_pulls(events)],
        waiting + waiting_pulls(events),
        since,
        _partial(requests=len(requests)),
    )


def _events(db: QueueStore) -> Iterator[TrailEvent]:
    after = 0
    while page := db.events(after, _PAGE):
        yield from (event for event in page if not event.request)
        after = page[-1].number


def _partial(requests: int) -> tuple[str, ...]:
    return (f"only the oldest {_MOST} requests were read",) if requests >= _MOST else ()
