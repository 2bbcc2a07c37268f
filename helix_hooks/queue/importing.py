"""The import of recorded decisions in the background: what the server does."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..errors import HelixError
from ..flow.place import FlowPlace
from . import store
from .recorded import import_recorded

_PAUSE, _PATIENCE = 180.0, 5.0
"""Seconds between imports of a server, and to wait for one at the end."""


@contextlib.contextmanager
def imported_in_background(
    place: FlowPlace,
    names: Sequence[str],
    environment: Mapping[str, str],
    log: Callable[[str], None],
) -> Iterator[None]:
    """Import now and every few minutes as long as the block lasts.

    What fails is logged once, and tried again.
    """
    is_over = threading.Event()

    def work() -> None:
        known: tuple[str, ...] = ()
        while not is_over.is_set():
            failures = _failures(place, names, environment)
            for line in failures:
                if line not in known:
                    log(line)
            known = failures
            is_over.wait(_PAUSE)

    thread = threading.Thread(target=work, name="recorded decisions", daemon=True)
    if names:
        thread.start()
    try:
        yield
    finally:
        is_over.set()
        if names:
            thread.join(_PATIENCE)


def _failures(
    place: FlowPlace, names: Sequence[str], environment: Mapping[str, str]
) -> tuple[str, ...]:
    try:
        with store.opened(place) as db:
            return import_recorded(db, names, environment).partial
    except HelixError as error:
        return (f"the recorded decisions could not be imported: {error}",)
    except Exception as error:  # noqa: BLE001 - the thread must try again
        return (f"the recorded decisions could not be imported: {type(error).__name__}",)
