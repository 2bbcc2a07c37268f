"""The key of cached reports: a hash of the program and the settings."""

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
"""Packages whose code decides about the findings in an ADR."""

_FRESH = 5 * 10**9
"""Nanoseconds, more than the time from the start of the process to the import of this module."""

_LOADED = time.time_ns()
"""The time of this import. This process may run an older version of a file written after it."""

_PLAIN = (str, bytes, int, float, type(None))


def program() -> str:
    """Return a hash of the program's files; "" if this process may run older versions of them.

    A file with the same size and times is unchanged. Only the system sets the change time.
    """
    digest = hashlib.blake2b(f"{__version__} {sys.version} {sys.flags}".encode())
    newest = 0
    try:
        for name in _PACKAGES:
            spec = find_spec(name)
            folder = os.path.dirname(spec.origin) if spec and spec.origin else ""
            for path, facts in _files(folder):
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
    """Return the key for the hash of a program, as `program` returns it, and some settings.

    "" if a value in the settings can't be compared with a value of another process.
    """
    try:
        text = "\0".join(_parts((running, settings, asks_habit)))
    except TypeError:
        return ""
    return hashlib.blake2b(text.encode(), digest_size=20).hexdigest()


def _parts(value: object) -> Iterator[str]:
    """Yield the type and the content of a value. Raises TypeError for an unknown type."""
    yield type(value).__qualname__
    if isinstance(value, _PLAIN):
        yield repr(value)
    elif isinstance(value, Meanings):
        yield from _each(value._replace(known={}))  # a cache, which does not change the findings
    elif isinstance(value, dict):
        yield from _each(chain.from_iterable(value.items()))
    elif isinstance(value, set | frozenset):
        yield from sorted("\0".join(_parts(item)) for item in value)
    elif isinstance(value, tuple | list):
        yield from _each(value)
    elif type(value).__module__.startswith(f"{_OURS}."):
        yield from _each(vars(value).items())
    else:
        raise TypeError(f"{type(value)} is not compared")
    # The end keeps nested values apart: ((1), 2) and ((1, 2)) differ.
    yield "end"


def _each(values: Iterable[object]) -> Iterator[str]:
    for item in values:
        yield from _parts(item)
