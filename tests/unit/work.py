"""The calls that a piece of work makes, which are the same on any machine."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from helix_hooks.repository import files

MOST = 2.3
"""Times as much for twice the input; a square would be four times."""


def _size_of(argument: object) -> int:
    return (
        len(argument)
        if isinstance(argument, str | bytes | list | tuple | dict | set | frozenset)
        else 0
    )


def calls_of(done: Callable[[], object]) -> int:
    """The lines of our own code that are run, and the characters that it escapes."""
    package = str(Path(files.__file__).parent.parent)
    count = 0

    def trace(frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        if event == "call":
            if not frame.f_code.co_filename.startswith(package):
                return None
            if frame.f_code.co_name == "printable":
                count += _size_of(frame.f_locals["text"]) // 4
        count += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        done()
    finally:
        sys.settrace(before)
    return count
