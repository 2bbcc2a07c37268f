"""A run in a process of its own, watched by the one that people and CI see: if either is killed, the other ends what is left.

SIGKILL can't be caught. So the run notices that the other end of a pipe is gone, and ends its judges as if it had been asked to stop; and
orphans of a run that was killed fall to the process that watches it (Linux), which ends them. Windows has no such means.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

from . import orphans

_FORWARDED = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]


def guarded(work: Callable[[], int], failed: int) -> int:
    """The exit code of `work`, which is done in a process of its own; `failed` where that was killed."""
    if not hasattr(os, "fork") or threading.current_thread() is not threading.main_thread():
        return work()
    orphans.adopt()
    spared = orphans.children()
    _flush()
    alive, held = os.pipe()
    worker = os.fork()
    if not worker:
        os.close(held)
        _work(work, alive, failed)
    os.close(alive)
    before = {number: signal.signal(number, lambda number, _: _forward(worker, number)) for number in _FORWARDED}
    try:
        _, status = os.waitpid(worker, 0)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        orphans.end_all(spared)
        os.close(held)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else failed


def _work(work: Callable[[], int], alive: int, failed: int) -> None:
    """Do the work, and leave the process, whatever happens."""
    code = failed
    try:
        threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
        code = work()
        _flush()
    finally:
        os._exit(code)


def _end_with(alive: int) -> None:
    """Wait until the process that watches is gone, and stop in order."""
    with contextlib.suppress(OSError):
        os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _forward(worker: int, number: int, _frame: FrameType | None = None) -> None:
    """Ctrl-C reaches the worker from the terminal; everything else that this process is sent is meant for it."""
    if number != signal.SIGINT or not _at_a_terminal():
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, number)


def _at_a_terminal() -> bool:
    for stream in (0, 2):
        with contextlib.suppress(OSError):
            return os.tcgetpgrp(stream) == os.getpgrp()
    return False


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
