"""Files in places where agents write: read only where they are plain, and not without end.

A pipe that somebody puts in the place of a file would block who opens it, and a link or a device
would have something else read.
"""

import os
import stat

from ..errors import HelixError

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MOST = 10_000_000


def opened(place: str) -> int | None:
    """Return the handle of a plain file, None for anything else. Raises OSError."""
    try:
        handle = os.open(place, _OPEN)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        if os.path.islink(place) or not os.path.isfile(place):
            return None
        raise
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    return None


def refuse_special(place: str) -> None:
    """Raise HelixError where there is something that is no plain file."""
    try:
        mode = os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISREG(mode):
        raise HelixError(f"{place} is a link or no plain file; remove it")


def data(place: str) -> bytes:
    """Return the bytes of a file, none where there is no file. Raises HelixError, OSError."""
    refuse_special(place)
    handle = opened(place)
    if handle is None:
        return b""
    with open(handle, "rb") as file:
        found = file.read(_MOST + 1)
    if len(found) > _MOST:
        raise HelixError(f"{place} is larger than {_MOST // 1_000_000} MB; remove it")
    return found
