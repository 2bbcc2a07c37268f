"""The files that a gate saw, by their SHA-256, so that a later change is noticed.

Only plain files have content of their own: a link names another file, which can be exchanged
without changing the link, and so do links among the folders above.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..globs import matches
from . import plain

_WILD = "*?{"
_CHUNK = 1 << 20
_LARGEST = 1_000_000_000
"""Bytes of the largest file that is read; a sparse one of more costs nothing to write."""


class Contents(NamedTuple):
    """The hashes of files by path, the patterns that match none, and what is no plain file."""

    hashes: Mapping[str, str]
    missing: tuple[str, ...]
    refused: tuple[str, ...]


def contents(root: str, patterns: Iterable[str]) -> Contents:
    """Return what the work tree has at paths and globs. Raises OSError."""
    hashes: dict[str, str] = {}
    missing, refused = [], []
    for pattern in dict.fromkeys(patterns):
        paths = _paths(root, pattern)
        missing += [] if paths else [pattern]
        for path in paths:
            hash = hash_of(root, path)
            if hash:
                hashes[path] = hash
            else:
                refused.append(path)
    return Contents(dict(sorted(hashes.items())), tuple(missing), tuple(dict.fromkeys(refused)))


def changed(root: str, approved: Mapping[str, str]) -> tuple[str, ...]:
    """Return the approved files that are not there any more as they were. Raises OSError."""
    return tuple(path for path, hash in approved.items() if hash_of(root, path) != hash)


def hash_of(root: str, path: str) -> str:
    """Return the SHA-256 of a plain file, "" for anything else or too large. Raises OSError."""
    place = os.path.join(root, path)
    folder = os.path.dirname(place)
    if os.path.realpath(folder) != os.path.normpath(folder):
        return ""
    opened = plain.opened(place)
    if opened is None:
        return ""
    digest = hashlib.sha256()
    with open(opened, "rb", buffering=0) as file:
        if os.fstat(opened).st_size > _LARGEST:
            return ""
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _paths(root: str, pattern: str) -> list[str]:
    """Return what a path or a glob names, sorted; folders are not among it."""
    if not set(pattern) & set(_WILD):
        return [pattern] if os.path.lexists(os.path.join(root, pattern)) else []
    first = min(pattern.index(sign) for sign in _WILD if sign in pattern)
    start = pattern[:first].rpartition("/")[0]
    return sorted(path for path in _below(root, start) if matches(path, (pattern,)))


def _below(root: str, start: str) -> Iterator[str]:
    """Yield all files and links below a folder, by their path from the root."""
    for folder, folders, names in os.walk(os.path.join(root, start)):
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if relative == "." else f"{relative}/"
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted(name for name in folders if name != ".git" and name not in links)
        yield from (f"{prefix}{name}" for name in (*names, *links))
