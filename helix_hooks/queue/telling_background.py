"""Notifications in the background: what the server does."""

import contextlib
import queue as queues
import threading
from collections.abc import Callable, Iterator, Mapping

from ..errors import HelixError
from ..waiting.entry import Queue
from .place import QueuePlace, Wanted
from .telling import tell_about

_PATIENCE = 5.0
"""Seconds to wait at the end for a delivery; its courier continues anyway."""


@contextlib.contextmanager
def in_background(
    place: QueuePlace,
    wanted: Wanted,
    environment: Mapping[str, str],
    log: Callable[[str], None],
) -> Iterator[Callable[[Queue], None]]:
    """Yield a function that takes a state of the queue and returns at once.

    A thread sends the notifications. If several states are queued, it uses only the newest.
    """
    looks: queues.Queue[Queue | None] = queues.Queue()

    def work() -> None:
        while (look := _last(looks)) is not None:
            try:
                report = tell_about(place, wanted, look, environment)
            except HelixError as error:
                log(f"notifications failed: {error}")
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
