"""Run work in a child process that its parent watches; if one is killed, the other ends the rest.

SIGKILL can't be caught. So the child notices that the other end of a pipe is gone, and ends its
judges as if it had been asked to stop. If the child is killed, its orphans become children of the
parent (Linux), which ends them. Windows has no such means.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial

from . import orphans
from .signals import INTERRUPT_OR_END, handled


def _nothing() -> None:
    """Only wait for the child."""


def can_guard() -> bool:
    """Return whether work can be done in a child process here."""
    return hasattr(os, "fork") and threading.current_thread() is threading.main_thread()


def guarded(work: Callable[[], int], failed: int, meanwhile: Callable[[], None] = _nothing) -> int:
    """Return the exit code of `work`, done in a child process; `failed` if that was killed.

    `meanwhile` is done in this process until the child ends.
    """
    if not can_guard():
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
    try:
        with handled(INTERRUPT_OR_END, partial(_forward, worker)):
            meanwhile()
            _, status = os.waitpid(worker, 0)
    finally:
        orphans.end_all(spared)
        os.close(held)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else failed


def _work(work: Callable[[], int], alive: int, failed: int) -> None:
    """Do the work, then exit the process in any case."""
    code = failed
    try:
        threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
        code = work()
        _flush()
    finally:
        os._exit(code)


def _end_with(alive: int) -> None:
    """Wait until the parent is gone, then stop in order."""
    with contextlib.suppress(OSError):
        os.read(alive, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _forward(worker: int, number: int) -> None:
    """Send a signal on to the worker, but not Ctrl-C at a terminal, which reaches it from there."""
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
