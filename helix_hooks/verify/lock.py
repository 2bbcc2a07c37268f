"""A lock between processes. The system releases it when its process ends, also after a kill."""

import contextlib
import os
import sys
import time
from collections.abc import Iterator

from .. import writing
from ..errors import HelixError

_PAUSE = 0.02
"""Seconds between two attempts."""


class LockedError(HelixError):
    """Another process has the lock."""


@contextlib.contextmanager
def held(path: str, seconds: float, owner: str) -> Iterator[None]:
    """Hold the lock of a file for the duration of a block. The file is created, and not removed.

    `owner` describes the other process in a message.

    Raises:
        LockedError: Another process has the lock for longer than `seconds`.
        OSError: The file can't be opened.
    """
    # Append nothing, which creates the file if it is missing.
    writing.append(path, b"", mode=0o600)
    opened = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        end = time.monotonic() + seconds
        while not _taken(opened):
            if time.monotonic() >= end:
                raise LockedError(f"{path} is locked: {owner}")
            time.sleep(_PAUSE)
        yield
    finally:
        os.close(opened)


if sys.platform == "win32":
    import msvcrt

    def _taken(opened: int) -> bool:
        try:
            msvcrt.locking(opened, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _taken(opened: int) -> bool:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
