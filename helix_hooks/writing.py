"""Write files: the only module that does. A file is written completely or not at all.

Data are bytes, which the caller has encoded. All functions raise OSError. The caller adds which
file of the user failed.
"""

import errno
import os
import stat
from contextlib import ExitStack, suppress

UNFINISHED = ".new"
"""The suffix of a file that is being written. A killed process leaves one behind."""

_BINARY = getattr(os, "O_BINARY", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY


def create(path: str, data: bytes, mode: int = 0o666) -> None:
    """Write a file that does not exist yet. If writing fails, no part of it is left.

    Raises FileExistsError if the path exists, even as a broken link.
    """
    opened = os.open(path, _NEW, mode)
    with ExitStack() as undo:
        undo.callback(_remove, path)
        _write_all(opened, data)
        undo.pop_all()


def replace(path: str, data: bytes, mode: int = 0o666, *, is_record: bool = False) -> None:
    """Write a file atomically, so that no process reads half of it.

    The target of a link is replaced, and the link stays. `mode` sets the permissions of a new
    file, and limits those of an existing one, which stays executable.

    Data are written directly where a file cannot be replaced: to a pipe or a device, and in a
    folder that does not allow new files. A killed process may leave half of such a file, so a
    record (`is_record`) is not written there.

    Raises PermissionError if the file is read-only, or a record in such a folder.
    """
    target = os.path.realpath(path)
    old_mode = _mode(path)
    if _is_stream(path, old_mode):
        _overwrite(path, data)
        return
    # `os.replace` below would replace a read-only file: only its folder must be writable.
    if old_mode is not None and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    beside = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}{UNFINISHED}")
    try:
        # The old file may be private: nobody else may read the new one before `chmod`.
        opened = os.open(beside, _NEW, mode if old_mode is None else 0o600)
    except PermissionError:
        if is_record:
            raise
        _overwrite(target, data)
        return
    with ExitStack() as undo:
        undo.callback(_remove, beside)
        _write_all(opened, data)
        if old_mode is not None:
            executable = (mode & 0o444) >> 2
            os.chmod(beside, stat.S_IMODE(old_mode) & (mode | executable))
        os.replace(beside, target)
        undo.pop_all()


def _is_stream(path: str, mode: int | None) -> bool:
    """Return whether a path must be written to directly."""
    if mode is not None and not stat.S_ISREG(mode):
        return True
    # With `--output /dev/stdout > log`, the path leads to a regular file that a shell has open.
    folder = os.path.dirname(os.path.abspath(path))
    return folder in ("/dev", "/dev/fd") or not os.path.basename(path)


def move(path: str, new_path: str) -> None:
    """Rename a file within its folder. Raises FileExistsError if the new name exists."""
    # On Linux, `os.rename` would replace the other file.
    if os.path.lexists(new_path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_path)
    os.rename(path, new_path)


def append(path: str, data: bytes, mode: int = 0o666) -> None:
    """Add to the end of a file in one write, so that lines of several processes do not mix.

    Raises OSError for a named pipe, which would block until a process reads it.
    """
    if os.path.lexists(path) and stat.S_ISFIFO(os.lstat(path).st_mode):
        raise OSError(errno.EINVAL, "it is a pipe; remove it", path)
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | _BINARY, mode)
    _write_all(opened, data)


def _mode(path: str) -> int | None:
    """Return the type and the permissions of a path; None if it does not exist."""
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
        # An unbuffered write may take only a part, for example into a pipe.
        while rest:
            rest = rest[file.write(rest) :]


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
