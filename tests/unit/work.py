"""The calls that a piece of work makes, which are the same on any machine."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from helix_hooks.check import files
from tests import series

MOST = 2.3
"""Times as much for twice the input; work that grows with its square is three times as much."""


def _size_of(argument: object) -> int:
    return (
        len(argument)
        if isinstance(argument, str | bytes | list | tuple | dict | set | frozenset)
        else 0
    )


def calls_of(done: Callable[[], object]) -> int:
    """Return the lines of our own code that are run, and the characters that it escapes."""
    package = str(Path(files.__file__).parent.parent)
    ours: dict[str, bool] = {}
    count = 0

    def line(_frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal count
        count += 1
        return line

    def call(frame: FrameType, _event: str, _argument: object) -> Any:
        nonlocal count
        name = frame.f_code.co_filename
        if name not in ours:
            ours[name] = name.startswith(package)
        if not ours[name]:
            return None
        if frame.f_code.co_name == "printable":
            count += _size_of(frame.f_locals["text"]) // 4
        count += 1
        return line

    before = sys.gettrace()
    sys.settrace(call)
    try:
        done()
    finally:
        sys.settrace(before)
    return count


def growth(work: Callable[[int], int], of: int) -> float:
    """Return how much more work twice the input makes: 2 where it grows in line with the input.

    Work that even a small input makes, of the size `of`, is left out of both. 0 where all inputs
    make the same work.
    """
    small = series.size(4 * of)
    little, once, twice = (work(small * times) for times in (1, 3, 5))
    assert little <= once, f"{small} are too few: they make more work than three times as many"
    return (twice - little) / max(once - little, 1)
