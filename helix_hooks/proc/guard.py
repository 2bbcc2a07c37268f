"""Run work in a child process that its parent watches. If one is killed, the other cleans up.

SIGKILL can't be caught. If the parent is killed, the child sees the end of a pipe, and ends its
judges as after SIGTERM. If the child is killed, Linux makes its orphans children of the parent,
which ends them. Windows has no equivalent.
"""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from functools import partial

from ..errors import HelixError
from . import INTERRUPT_OR_END, handled, orphans


def run_guarded(work: Callable[[], int]) -> int:
    """Run `work` in a child process and return its exit code, or that of an error if it is killed.

    Where no child process can be forked, this process does the work.
    """
    if not hasattr(os, "fork") or threading.current_thread() is not threading.main_thread():
        return work()
    orphans.adopt()
    spared = orphans.children()
    # The child would print buffered output a second time.
    _flush()
    # Only the parent holds the writing end, so the child reads its end when the parent is gone.
    read_end, write_end = os.pipe()
    worker = os.fork()
    if not worker:
        os.close(write_end)
        _work_and_exit(work, read_end)
    os.close(read_end)
    try:
        with handled(INTERRUPT_OR_END, partial(_forward, worker)):
            _, status = os.waitpid(worker, 0)
    finally:
        orphans.end_all(spared)
        os.close(write_end)
    if not os.WIFEXITED(status):
        return HelixError.exit_code
    return os.WEXITSTATUS(status)


def _work_and_exit(work: Callable[[], int], read_end: int) -> None:
    """Do the work, then exit the process, also after an error."""
    code = HelixError.exit_code
    try:
        threading.Thread(target=_terminate_when_parent_dies, args=(read_end,), daemon=True).start()
        code = work()
        _flush()
    except Exception:
        sys.excepthook(*sys.exc_info())
        raise
    finally:
        os._exit(code)


def _terminate_when_parent_dies(read_end: int) -> None:
    """Wait until the parent is gone, then stop this process by SIGTERM, so that it cleans up."""
    with contextlib.suppress(OSError):
        os.read(read_end, 1)
    os.kill(os.getpid(), signal.SIGTERM)


def _forward(worker: int, number: int) -> None:
    """Forward a signal to the worker."""
    # A terminal sends Ctrl-C to the whole process group, so the worker has it already.
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
