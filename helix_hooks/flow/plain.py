"""Safe reading of files in folders where agents can write: only regular files of limited size.

A named pipe would block the reader, and a link or a device would have other content.
"""

import os
import stat

from ..errors import HelixError

_OPEN = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_MOST = 10_000_000
"""Maximum bytes of a file."""


def opened(place: str) -> int | None:
    """Return the handle of a regular file, None for anything else. Raises OSError."""
    # Open first, then look: between a look and the opening, the file could be replaced.
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
    """Raise HelixError if the path is there, and is not a regular file."""
    try:
        mode = os.lstat(place).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return
    if not stat.S_ISREG(mode):
        raise HelixError(f"{place} is not a regular file; remove it")


def data(place: str) -> bytes:
    """Return the bytes of a file, empty if there is no file.

    Raises:
        HelixError: It is not a regular file, or too large.
        OSError: It can't be read.
    """
    refuse_special(place)
    handle = opened(place)
    if handle is None:
        return b""
    with open(handle, "rb") as file:
        content = file.read(_MOST + 1)
    if len(content) > _MOST:
        raise HelixError(f"{place} is larger than {_MOST // 1_000_000} MB; remove it")
    return content
