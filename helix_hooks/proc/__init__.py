"""Programs and processes: find a program, handle signals, share work among all processors.

PATH may have relative folders, and an empty entry is the current folder. Windows searches the
current folder first, regardless of PATH. In a checkout, it may have a malicious `git`.
"""

import contextlib
import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from types import FrameType
from typing import Any, TypeVar

from ..errors import HelixError

_ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""The extensions of programs on Windows, if PATHEXT is not set."""


def search_path(variables: Mapping[str, str]) -> str:
    """Return PATH without relative folders, or the default of the system if no folder remains."""
    for path in (variables.get("PATH", os.defpath), os.defpath):
        folders = [*filter(os.path.isabs, path.split(os.pathsep))]
        if folders:
            return os.pathsep.join(folders)
    return ""


def find(program: str, variables: Mapping[str, str]) -> str:
    """Return the path of a program on the PATH, or as named if absolute; "" if there is none.

    The current folder is never searched.
    """
    if os.path.dirname(program):
        if os.path.isabs(program) and _runs(program):
            return program
        return ""
    endings = ""
    if os.name == "nt":
        endings = variables.get("PATHEXT", _ENDINGS)
    return _find_on_path(program, search_path(variables), endings)


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which child processes do not search the current folder either."""
    return {**variables, "PATH": search_path(variables)}


@lru_cache(maxsize=64)
def _find_on_path(program: str, path: str, endings: str) -> str:
    """Find a program once: one that appears later in an earlier folder is never run.

    A name without any of the endings, of which there are some on Windows, is tried with each.
    """
    listed = [*filter(None, endings.lower().split(";"))]
    if program.lower().endswith(tuple(listed)):
        listed = []
    for folder in filter(None, path.split(os.pathsep)):
        for ending in listed or [""]:
            place = os.path.join(folder, program + ending)
            if _runs(place):
                return place
    return ""


def _runs(place: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(place).st_mode) and os.access(place, os.X_OK)
    except (OSError, ValueError):
        return False


# Signal handlers for the duration of a block.

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


# Work on many files with all processors.

Item = TypeVar("Item")
Result = TypeVar("Result")

FEWEST = 48
"""Number of items from which several processes save more time than they cost."""
_MAX_PROCESSES = 8
_SHARE_SIZE = 8
"""Items that a process takes at a time."""


def each(
    items: Sequence[Item],
    work: Callable[[Item], Result],
    begin: Callable[[], None],
    *,
    jobs: int = 0,
) -> list[Result]:
    """Return the results of `work`, in the order of the items.

    `jobs` is the number of processes, 0 for one a processor. `begin` is called in each child
    process. Where processes can't fork (Windows), and for a few items, this process does all work.

    Raises:
        HelixError: A child process failed, or ended without its results.
    """
    # A container may allow fewer processors than the machine has.
    allowed = getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0)
    processes = jobs or min(_MAX_PROCESSES, len(allowed))
    if processes < 2 or len(items) < FEWEST or not hasattr(os, "fork"):
        return list(map(work, items))
    # Not at the top: a hook checks few files.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Children that fork inherit `work`, so only items and results are pickled.
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("fork"), initializer=partial(_begin, work, begin)
    )
    try:
        with pool:
            return list(pool.map(_call, items, chunksize=_SHARE_SIZE))
    except BrokenProcessPool as error:
        raise HelixError("a worker process ended without a result") from error


_work: Callable[[Any], Any]
"""The work of a child process on each item."""


def _begin(work: Callable[[Any], Any], begin: Callable[[], None]) -> None:
    global _work  # noqa: PLW0603 -- one job a process
    # At Ctrl-C the parent prints one line; a child ends without a traceback.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _work = work
    begin()


def _call(item: Any) -> Any:
    try:
        return _work(item)
    except HelixError as error:
        # The constructors of some errors take other arguments than their message.
        plain = HelixError(str(error))
        plain.exit_code = error.exit_code
        raise plain from None
