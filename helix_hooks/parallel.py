"""Work on many files with all processors."""

import os
import signal
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from .errors import HelixError

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
    tell: Callable[[int], None] | None = None,
) -> list[Result]:
    """Return the results of `work`, in the order of the items.

    `jobs` is the number of processes, 0 for one a processor. `begin` is called in each child
    process. `tell` is called with the number of results. Where processes can't fork (Windows), and
    for a few items, this process does all work.

    Raises:
        HelixError: A child process failed, or ended without its results.
    """
    processes = jobs or min(_MAX_PROCESSES, _processors())
    if processes < 2 or len(items) < FEWEST or not hasattr(os, "fork"):
        results = []
        for item in items:
            results.append(work(item))
            if tell:
                tell(len(results))
        return results
    return _in_processes(items, work, begin, processes, tell)


def _processors() -> int:
    # A container may allow fewer processors than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_processes(
    items: Sequence[Item],
    work: Callable[[Item], Result],
    begin: Callable[[], None],
    processes: int,
    tell: Callable[[int], None] | None,
) -> list[Result]:
    # Not at the top: a hook checks few files.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    # Children that fork inherit `work`, so only items and results are pickled.
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("fork"), initializer=partial(_begin, work, begin)
    )
    results: list[Result] = []
    try:
        with pool:
            for result in pool.map(_call, items, chunksize=_SHARE_SIZE):
                results.append(result)
                if tell:
                    tell(len(results))
    except BrokenProcessPool as error:
        raise HelixError("a worker process ended without a result") from error
    return results


_work: Callable[[Any], Any]
"""What a child process does with each item."""


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
