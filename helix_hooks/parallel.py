"""Work on many files by all processors: the process splits, each part does its share, and the results come back in order."""

import os
import pickle
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from .errors import HelixError

Item = TypeVar("Item")
Result = TypeVar("Result")

FEWEST = 48
"""Files for which splitting pays; below it costs more than it saves."""
_MOST = 8


def each(items: Sequence[Item], work: Callable[[Item], Result], begin: Callable[[], None]) -> list[Result]:
    """The results of some work, in the order of the items; `begin` is called in each process that was split off.

    Where processes can't be split (Windows), or for few items, all is done here. An error in a part is raised here, and a part that
    ends without a result is one.
    """
    parts = min(_MOST, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    if len(items) < FEWEST or parts < 2 or not hasattr(os, "fork"):
        return [work(item) for item in items]
    sys.stdout.flush()
    sys.stderr.flush()
    running = [_split(items[number::parts], work, begin) for number in range(1, parts)]
    results: list[Result] = [None] * len(items)  # type: ignore[list-item]
    results[::parts] = [work(item) for item in items[::parts]]
    for number, (process, pipe) in enumerate(running, 1):
        results[number::parts] = _joined(process, pipe)
    return results


def _split(items: Sequence[Item], work: Callable[[Item], Result], begin: Callable[[], None]) -> tuple[int, int]:
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        os.close(reading)
        begin()
        answer = pickle.dumps([work(item) for item in items], pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # noqa: BLE001 -- whatever it is, the other process raises it
        answer = pickle.dumps(error if isinstance(error, HelixError) else HelixError(f"internal error: {type(error).__name__}: {error}"))
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(answer)
    os._exit(0)


def _joined(process: int, reading: int) -> list[Result]:
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(process, 0)
    result = pickle.loads(answer) if answer and not status else HelixError(f"a part of the check ended with status {status} and no result")  # noqa: S301 -- our own
    if isinstance(result, BaseException):
        raise result
    return list(result)
