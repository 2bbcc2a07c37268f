"""Handlers of signals for as long as a block runs."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

END = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals by which somebody asks a process to end; Ctrl-C is not among them."""

INTERRUPT_OR_END = (*END, signal.SIGINT)


@contextlib.contextmanager
def handled(numbers: tuple[int, ...], handle: Callable[[int], None]) -> Iterator[None]:
    """Call `handle` for these signals. Only the main thread can; in another one nothing changes."""

    def handler(number: int, _frame: FrameType | None) -> None:
        handle(number)

    is_main = threading.current_thread() is threading.main_thread()
    before = {number: signal.signal(number, handler) for number in numbers if is_main}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)
