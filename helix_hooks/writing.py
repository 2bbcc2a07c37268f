"""The one writer of files. A file is written whole or not at all, in the bytes that the caller
encoded.

All functions raise OSError; the caller says which file of the user it was.
"""

import errno
import os
import stat
from contextlib import ExitStack, suppress

UNFINISHED = ".new"
"""The end of the name under which a file is written. A killed process leaves one behind."""

_BINARY = getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


def create(path: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file that does not exist yet.

    Raises FileExistsError if anything is there, even a link to nothing.

    If it cannot be written to the end, no part of it is left.
    """
    opened = os.open(path, _NEW, mode)
    with ExitStack() as undo:
        undo.callback(_remove, path)
        _write_all(opened, data)
        undo.pop_all()


def replace(path: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file in one move, so that nobody ever reads half of it.

    A link stays, and the file that it names is replaced. `mode` sets the permissions of a new file,
    and limits those of an existing one, which stays executable. A target that is not a regular
    file, such as a pipe, is written to directly. So is a file in a folder where nobody may create
    one, and what /dev names and a shell has open, as in `--output /dev/stdout > log`.
    """
    target = os.path.realpath(path)
    rights = _rights(path)
    is_special = rights is not None and not stat.S_ISREG(rights)
    is_open = os.path.dirname(os.path.abspath(path)) in ("/dev", "/dev/fd")
    if is_special or is_open or not os.path.basename(path):
        _overwrite(path, data)
        return
    if rights is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    beside = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}{UNFINISHED}")
    try:
        opened = os.open(beside, _NEW, mode if rights is None else 0o600)
    except PermissionError:
        _overwrite(target, data)
        return
    with ExitStack() as undo:
        undo.callback(_remove, beside)
        _write_all(opened, data)
        if rights is not None:
            executable = (mode & 0o444) >> 2
            os.chmod(beside, stat.S_IMODE(rights) & (mode | executable))
        os.replace(beside, target)
        undo.pop_all()


def move(path: str, new_path: str) -> None:
    """Give a file another name in its folder. Raises FileExistsError if anything is there."""
    if os.path.lexists(new_path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_path)
    os.rename(path, new_path)


def append(path: str, data: bytes, mode: int = 0o666) -> None:
    """Add to the end of a file in one write, so that lines of several processes do not mix.

    A named pipe is refused: it blocks until somebody reads.
    """
    if os.path.lexists(path) and stat.S_ISFIFO(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, "it is a pipe; remove it", path)
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY, mode)
    _write_all(opened, data)


def _rights(path: str) -> int | None:
    """Return type and rights of what is at a path; None where nothing is."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _overwrite(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _write_all(opened: int, data: bytes) -> None:
    with open(opened, "wb", buffering=0) as file:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
