"""Work on many files by all processors.

The process forks. Each child takes a few files at a time, and the results come in order.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from .errors import HelixError

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST = 8
_TOGETHER = 16
"""Files for which all parts warm up once: patterns are compiled, and names looked up, before the
process splits.
"""
_SHARE = 8
_TOKEN = 4
_TOKENS = 8_000
"""Shares at most: all of their tokens fit into a pipe at once."""


def each(
    items: Sequence[Item],
    work: Callable[[Item], Result],
    begin: Callable[[], None],
    *,
    jobs: int = 0,
    tell: Callable[[int], None] | None = None,
) -> list[Result]:
    """Return the results of some work, in the order of the items; `begin` is called in each child
    process.

    There are as many processes as `jobs`, 0 for one a processor. Where processes can't fork
    (Windows), this process does all work. `tell` is called with the number of items that are done,
    or nearly: other processes may still work on their last share. An error in a child is raised
    here, and so is a child that ends without its results.
    """
    parts = jobs or min(_MOST, _processors())
    if parts < 2 or not hasattr(os, "fork"):
        return _alone(items, work, tell)
    first = _alone(items[:_TOGETHER], work, tell)
    sys.stdout.flush()
    sys.stderr.flush()
    shares = _shares(items[_TOGETHER:])
    tokens = _tokens(len(shares))
    running = [_split(tokens, shares, work, begin) for _ in range(min(parts, len(shares)) - 1)]
    done = _taken(tokens, shares, work, tell)
    os.close(tokens)
    for process, pipe in running:
        done |= _joined(process, pipe)
    if len(done) != len(shares):
        raise HelixError("a part of the check ended without its results")
    return [*first, *(result for number in range(len(shares)) for result in done[number])]


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _alone(
    items: Sequence[Item], work: Callable[[Item], Result], tell: Callable[[int], None] | None
) -> list[Result]:
    """Return the results of some work that this process does."""
    results: list[Result] = []
    for item in items:
        results.append(work(item))
        if tell:
            tell(len(results))
    return results


def _shares(items: Sequence[Item]) -> list[Sequence[Item]]:
    size = max(_SHARE, len(items) // _TOKENS + 1)
    return [items[start : start + size] for start in range(0, len(items), size)]


def _tokens(count: int) -> int:
    """Return a pipe with the number of each share.

    A process takes a share by reading its number.
    """
    reading, writing = os.pipe()
    os.write(writing, b"".join(number.to_bytes(_TOKEN, "big") for number in range(count)))
    os.close(writing)
    return reading


def _taken(
    tokens: int,
    shares: list[Sequence[Item]],
    work: Callable[[Item], Result],
    tell: Callable[[int], None] | None = None,
) -> dict[int, list[Result]]:
    """Return the results of the shares that this process has taken.

    Shares are taken in order, so all before the one at hand are done or in work.
    """

    def numbers() -> Iterator[int]:
        while token := os.read(tokens, _TOKEN):
            number = int.from_bytes(token, "big")
            if tell:
                tell(_TOGETHER + number * len(shares[0]))
            yield number

    return {number: [work(item) for item in shares[number]] for number in numbers()}


def _split(
    tokens: int,
    shares: list[Sequence[Item]],
    work: Callable[[Item], Result],
    begin: Callable[[], None],
) -> tuple[int, int]:
    import pickle

    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        os.close(reading)
        begin()
        answer = pickle.dumps(_taken(tokens, shares, work), pickle.HIGHEST_PROTOCOL)
    except BaseException as error:  # noqa: BLE001 -- whatever it is, the other process raises it
        known = isinstance(error, HelixError)
        answer = pickle.dumps(
            (type(error), str(error))
            if known
            else (HelixError, f"internal error: {type(error).__name__}: {error}")
        )
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(answer)
    os._exit(0)


def _joined(process: int, reading: int) -> dict[int, list[Result]]:
    import pickle

    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    _, status = os.waitpid(process, 0)
    if status or not answer:
        raise HelixError(f"a part of the check ended with status {status} and no result")
    result = pickle.loads(answer)  # noqa: S301 -- our own
    if isinstance(result, dict):
        return result
    kind, message = result
    error = kind.__new__(kind)
    error.args = (message,)
    raise error
