"""The key of cached reports: the program and the settings by which ADRs are examined."""

import hashlib
import os
import sys
import time
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from itertools import chain

from .. import __version__
from ..adr.names.heading import Meanings
from ..config.settings import Settings

_OURS = __name__.partition(".")[0]
_PACKAGES = (_OURS, "pyromark", "yaml")
"""Packages whose code decides what is found in an ADR."""

_FRESH = 5 * 10**9
"""Nanoseconds, more than from the start of the process to the import of this module."""

_LOADED = time.time_ns()
"""The time of this import. Of a file that was written since, this process may run another state."""

_PLAIN = (str, bytes, int, float, type(None))


def program() -> str:
    """Return a hash of the program's files; "" where it is not certain that this process runs them.

    Size and times tell whether a file changed; only the system sets the second time.
    """
    digest = hashlib.blake2b(f"{__version__} {sys.version} {sys.flags}".encode())
    newest = 0
    try:
        for name in _PACKAGES:
            found = find_spec(name)
            origin = found.origin if found else None
            for path, facts in _files(os.path.dirname(origin or "")):
                newest = max(newest, facts.st_mtime_ns, facts.st_ctime_ns)
                times = (facts.st_mtime_ns, facts.st_ctime_ns)
                digest.update(repr((path, facts.st_size, facts.st_ino, *times)).encode())
    except (OSError, ValueError):
        return ""
    if newest > _LOADED - _FRESH:
        return ""
    return digest.hexdigest()


def _files(folder: str) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the files below a folder of modules, in a fixed order. Raises OSError."""
    with os.scandir(folder) as entries:
        ordered = sorted(entries, key=lambda entry: entry.name)
    for entry in ordered:
        if not entry.is_dir():
            yield entry.path, entry.stat()
        elif entry.name != "__pycache__":
            yield from _files(entry.path)


def key(running: str, settings: Settings, *, asks_habit: bool) -> str:
    """Return the key of the reports by a program, as `program` tells it, and by some settings.

    "" where a value in the settings cannot be compared with one of another process.
    """
    try:
        words = "\0".join(_words((running, settings, asks_habit)))
    except TypeError:
        return ""
    return hashlib.blake2b(words.encode(), digest_size=20).hexdigest()


def _words(value: object) -> Iterator[str]:
    """Yield what makes a value. Raises TypeError for one that may have more to it."""
    yield type(value).__qualname__
    if isinstance(value, _PLAIN):
        yield repr(value)
    elif isinstance(value, Meanings):
        yield from _each(value._replace(known={}))  # answers that it remembers
    elif isinstance(value, dict):
        yield from _each(chain.from_iterable(value.items()))
    elif isinstance(value, set | frozenset):
        yield from sorted("\0".join(_words(item)) for item in value)
    elif isinstance(value, tuple | list):
        yield from _each(value)
    elif type(value).__module__.startswith(f"{_OURS}."):
        yield from _each(vars(value).items())
    else:
        raise TypeError(f"{type(value)} is not compared")
    yield "end"


def _each(values: Iterable[object]) -> Iterator[str]:
    for item in values:
        yield from _words(item)
