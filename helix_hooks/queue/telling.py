"""Notifications about all that waits in a place: what `queue sweep` and the server do."""

from collections.abc import Mapping

from ..waiting.entry import FLOW, PULL_REQUEST, VERIFICATION, Queue
from . import notify, store
from .collect import Wanted, collect
from .notify import DeliveryReport
from .notify_file import notify_settings
from .place import QueuePlace


def tell_all(place: QueuePlace, environment: Mapping[str, str], now: int) -> DeliveryReport:
    """Read the queue, and tell people what has changed in it. Raises HelixError.

    Without a file of notifications nothing is read.
    """
    if not notify_settings(environment, place.root):
        return DeliveryReport()
    return tell_about(place, collect(place, Wanted(), environment, now), environment)


def tell_about(place: QueuePlace, queue: Queue, environment: Mapping[str, str]) -> DeliveryReport:
    """Tell people what has changed in a queue that was read from all sources of a place."""
    with store.opened(place.flow) as db:
        return notify.tell(db, place.flow, queue, _read(place, queue), environment)


def _read(place: QueuePlace, queue: Queue) -> tuple[tuple[str, str], ...]:
    """Return the sources that were read to the end; none where a part of them could not be."""
    if queue.partial:
        return ()
    sources = ((source, place.project) for source in (FLOW, VERIFICATION))
    pulls = ((PULL_REQUEST, place.repository),) if place.repository else ()
    return (*sources, *pulls)
