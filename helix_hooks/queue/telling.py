"""Notify people of all pending entries of a place, as `queue sweep` does."""

from collections.abc import Mapping

from ..waiting.entry import FLOW, PULL_REQUEST, VERIFICATION, Queue
from ..waiting.notices import Covered
from . import notify, store
from .collect import collect
from .notify import DeliveryReport
from .notify_file import notify_settings
from .place import QueuePlace, Wanted


def tell_all(place: QueuePlace, environment: Mapping[str, str], now: int) -> DeliveryReport:
    """Read the queue, and notify people of its changes. Raises HelixError.

    Without a notification file nothing is read.
    """
    if not notify_settings(environment, place.root):
        return DeliveryReport()
    wanted = Wanted()
    return tell_about(place, wanted, collect(place, wanted, environment, now), environment)


def tell_about(
    place: QueuePlace,
    wanted: Wanted,
    queue: Queue,
    environment: Mapping[str, str],
    *,
    awaits: bool = True,
) -> DeliveryReport:
    """Notify people of the changes of a queue. Raises HelixError.

    If `awaits` is false, it does not wait for channels.
    """
    if not notify_settings(environment, place.root):
        return DeliveryReport()
    with store.opened(place.flow) as db:
        covered = covered_by(place, wanted, queue)
        return notify.tell(db, place.flow, queue, covered, environment, awaits=awaits)


def covered_by(place: QueuePlace, wanted: Wanted, queue: Queue) -> Covered:
    """Return the sources that were read completely; none if any part could not be read."""
    if queue.partial or wanted.sources:
        return Covered()
    pairs = [(source, place.project) for source in (FLOW, VERIFICATION)]
    own = (place.repository,) if place.repository and not wanted.owner else ()
    pairs += [(PULL_REQUEST, name) for name in wanted.repositories or own]
    return Covered(tuple(pairs), wanted.owner)
