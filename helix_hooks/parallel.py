"""Work on many files with all processors.

The process forks. Each child takes a few files at a time, and the results come in order.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

from .errors import HelixError

Item = TypeVar("Item")
Result = TypeVar("Result")

_MAX_PROCESSES = 8
_WARM_UP = 16
"""Files that are processed before the fork, so that no child compiles patterns and fills caches
again.
"""
_SHARE_SIZE = 8
"""Minimum items of a share."""
_TOKEN_BYTES = 4
_MAX_SHARES = 8_000
"""Their tokens take 32 kB: a pipe holds 64 kB on Linux, and no process reads it yet."""


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
    process. `tell` is called with the number of processed items; it may be a little ahead, since
    other processes may still work on their last share. On Windows, this process does all work.

    Raises:
        HelixError: A child process failed, or ended without its results.
    """
    processes = jobs or min(_MAX_PROCESSES, _processors())
    if processes < 2 or not hasattr(os, "fork"):
        return _in_this_process(items, work, tell)
    results = _in_this_process(items[:_WARM_UP], work, tell)
    # A child would print the buffered output again.
    sys.stdout.flush()
    sys.stderr.flush()
    shares = _shares(items[_WARM_UP:])
    tokens = _tokens(len(shares))
    children = min(processes, len(shares)) - 1
    running = [_fork(tokens, shares, work, begin) for _ in range(children)]
    done = _process_shares(tokens, shares, work, tell)
    os.close(tokens)
    for process, pipe in running:
        done |= _results_of(process, pipe)
    if len(done) != len(shares):
        raise HelixError("a worker process ended without a result")
    for number in range(len(shares)):
        results += done[number]
    return results


def _processors() -> int:
    # A container may allow fewer processors than the machine has.
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _in_this_process(
    items: Sequence[Item], work: Callable[[Item], Result], tell: Callable[[int], None] | None
) -> list[Result]:
    results: list[Result] = []
    for item in items:
        results.append(work(item))
        if tell:
            tell(len(results))
    return results


def _shares(items: Sequence[Item]) -> list[Sequence[Item]]:
    size = max(_SHARE_SIZE, len(items) // _MAX_SHARES + 1)
    return [items[start : start + size] for start in range(0, len(items), size)]


def _tokens(count: int) -> int:
    """Return the reading end of a pipe with the number of each share.

    A process takes a share by reading its number.
    """
    reading, writing = os.pipe()
    os.write(writing, b"".join(number.to_bytes(_TOKEN_BYTES, "big") for number in range(count)))
    os.close(writing)
    return reading


def _process_shares(
    tokens: int,
    shares: list[Sequence[Item]],
    work: Callable[[Item], Result],
    tell: Callable[[int], None] | None = None,
) -> dict[int, list[Result]]:
    """Take shares until none is left, and return their results by number."""
    results: dict[int, list[Result]] = {}
    while token := os.read(tokens, _TOKEN_BYTES):
        number = int.from_bytes(token, "big")
        if tell:
            # Shares are taken in order: all shares before this one are done or in work.
            tell(_WARM_UP + number * len(shares[0]))
        results[number] = [work(item) for item in shares[number]]
    return results


def _fork(
    tokens: int,
    shares: list[Sequence[Item]],
    work: Callable[[Item], Result],
    begin: Callable[[], None],
) -> tuple[int, int]:
    """Start a child process. Return its id, and a pipe with its pickled results or error."""
    import pickle

    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        os.close(reading)
        begin()
        answer = pickle.dumps(_process_shares(tokens, shares, work), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # noqa: BLE001 -- the parent process raises it
        answer = pickle.dumps(_described(error))
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(answer)
    # Without the handlers of `sys.exit`, which belong to the parent process.
    os._exit(0)


def _described(error: BaseException) -> tuple[type[BaseException], str]:
    """Return class and message of an error. Other classes than ours may not be picklable."""
    if isinstance(error, HelixError):
        return type(error), str(error)
    return HelixError, f"internal error: {type(error).__name__}: {error}"


def _results_of(process: int, reading: int) -> dict[int, list[Result]]:
    """Wait for a child process, and return its results, or raise its error."""
    import pickle

    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(process, 0)
    if status or not answer:
        raise HelixError(f"a worker process ended with status {status} and no result")
    result = pickle.loads(answer)  # noqa: S301 -- written by our child process
    if isinstance(result, dict):
        return result
    kind, message = result
    # The constructors of some errors take other arguments than a message.
    error = kind.__new__(kind)
    error.args = (message,)
    raise error
