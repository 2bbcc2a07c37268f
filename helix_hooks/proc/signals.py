"""Signal handlers for the duration of a block."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

END = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that ask a process to end, without SIGINT (Ctrl-C). Windows has no SIGHUP."""

INTERRUPT_OR_END = (*END, signal.SIGINT)


@contextlib.contextmanager
def handled(numbers: tuple[int, ...], handle: Callable[[int], None]) -> Iterator[None]:
    """Call `handle` for these signals. Outside of the main thread this does nothing."""

    def handler(number: int, _frame: FrameType | None) -> None:
        handle(number)

    # Python allows only the main thread to set handlers.
    is_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number in numbers if is_main}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
