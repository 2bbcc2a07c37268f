"""Notifications about all that waits in a place: what `queue sweep` and the server do."""

import contextlib
import queue as queues
import threading
from collections.abc import Callable, Iterator, Mapping

from ..errors import HelixError
from ..waiting.entry import FLOW, PULL_REQUEST, VERIFICATION, Queue
from ..waiting.notices import Covered
from . import notify, store
from .collect import Wanted, collect
from .notify import DeliveryReport
from .notify_file import notify_settings
from .place import QueuePlace

_PATIENCE = 5.0
"""Seconds to wait at the end for a delivery; its courier goes on anyway."""


def tell_all(place: QueuePlace, environment: Mapping[str, str], now: int) -> DeliveryReport:
    """Read the queue, and tell people what has changed in it. Raises HelixError.

    Without a file of notifications nothing is read.
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
    """Tell people what has changed in a queue that was read. Raises HelixError.

    Without `awaits` it does not wait for channels.
    """
    if not notify_settings(environment, place.root):
        return DeliveryReport()
    with store.opened(place.flow) as db:
        covered = covered_by(place, wanted, queue)
        return notify.tell(db, place.flow, queue, covered, environment, awaits=awaits)


def covered_by(place: QueuePlace, wanted: Wanted, queue: Queue) -> Covered:
    """Return what was read to the end; nothing where a part of it could not be."""
    if queue.partial or wanted.sources:
        return Covered()
    pairs = [(source, place.project) for source in (FLOW, VERIFICATION)]
    own = (place.repository,) if place.repository and not wanted.owner else ()
    pairs += [(PULL_REQUEST, name) for name in wanted.repositories or own]
    return Covered(tuple(pairs), wanted.owner)


@contextlib.contextmanager
def in_background(
    place: QueuePlace,
    wanted: Wanted,
    environment: Mapping[str, str],
    log: Callable[[str], None],
) -> Iterator[Callable[[Queue], None]]:
    """Give a function that takes a look at the queue and returns at once.

    A thread tells people about it. Of several looks that come meanwhile it takes the last one.
    """
    looks: queues.Queue[Queue | None] = queues.Queue()

    def work() -> None:
        while (look := _last(looks)) is not None:
            try:
                report = tell_about(place, wanted, look, environment)
            except HelixError as error:
                log(f"people could not be told: {error}")
            else:
                for line in report.failures:
                    log(line)

    thread = threading.Thread(target=work, name="notifications", daemon=True)
    thread.start()
    try:
        yield looks.put
    finally:
        looks.put(None)
        thread.join(_PATIENCE)


def _last(looks: "queues.Queue[Queue | None]") -> Queue | None:
    """Wait for a look, and return the last one that is there; None is the end."""
    look = looks.get()
    while look is not None:
        try:
            look = looks.get_nowait()
        except queues.Empty:
            return look
    return None
