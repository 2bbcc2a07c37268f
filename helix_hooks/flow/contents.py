"""The SHA-256 hashes of the files that a gate saw, to notice a later change.

Only regular files count. The target of a link can be replaced without changing the link; the same
is true for links among the folders above.
"""

import contextlib
import hashlib
import json
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..check.trees import SKIPPED_FOLDERS
from ..paths import is_result, matches
from . import plain

_PATTERNS = ("approvals/**", "config/**", ".helix-hooks.yaml")
PROJECT = "pyproject.toml"
_TABLE = f"{PROJECT} [tool.helix-hooks]"
_WILD = "*?{"
_CHUNK = 1 << 20
_LARGEST = 1_000_000_000
"""Maximum bytes of a file. A sparse file can be larger than any disk and take days to read."""


class Contents(NamedTuple):
    """The hashes of files by path, the patterns without a match, and paths of other files."""

    hashes: Mapping[str, str]
    missing: tuple[str, ...]
    refused: tuple[str, ...]


def contents(root: str, patterns: Iterable[str]) -> Contents:
    """Return the contents of the work tree at paths and globs. Raises OSError."""
    hashes: dict[str, str] = {}
    missing, refused = [], []
    for pattern in dict.fromkeys(patterns):
        paths = _paths(root, pattern)
        if not paths:
            missing.append(pattern)
        for path in paths:
            hash = hash_of(root, path)
            if hash:
                hashes[path] = hash
            else:
                refused.append(path)
    return Contents(dict(sorted(hashes.items())), tuple(missing), tuple(dict.fromkeys(refused)))


Stamp = tuple[int, int, int, int]
"""Facts of a file system about a file. Each writing changes one, even with the same content."""


def stamps(root: str, patterns: Iterable[str]) -> dict[str, Stamp]:
    """Return the stamps of the files at paths and globs."""
    found: dict[str, Stamp] = {}
    for path in {path for pattern in patterns for path in _paths(root, pattern)}:
        with contextlib.suppress(FileNotFoundError):
            facts = os.lstat(os.path.join(root, path))
            found[path] = (facts.st_mtime_ns, facts.st_ctime_ns, facts.st_size, facts.st_ino)
    return found


def changed(root: str, approved: Mapping[str, str]) -> tuple[str, ...]:
    """Return the approved files that are changed or removed. Raises OSError."""
    folders = {os.path.dirname(path) for path in approved}
    linked = {folder for folder in folders if _is_linked(root, folder)}
    return tuple(
        path
        for path, hash in approved.items()
        if os.path.dirname(path) in linked or _hash(root, path) != hash
    )


def hash_of(root: str, path: str) -> str:
    """Return the SHA-256 of a regular file, "" for a large or any other file. Raises OSError."""
    return "" if _is_linked(root, os.path.dirname(path)) else _hash(root, path)


def _is_linked(root: str, folder: str) -> bool:
    """Return whether a folder, or one above it, is a link."""
    place = os.path.join(root, folder)
    return os.path.realpath(place) != os.path.normpath(place)


def _hash(root: str, path: str) -> str:
    place = os.path.join(root, path)
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
    """Return the files of a path or a glob, sorted, without folders."""
    if not set(pattern) & set(_WILD):
        is_there = os.path.lexists(os.path.join(root, pattern))
        return [pattern] if is_there else []
    # Walk only the folder before the first wildcard.
    first = min(pattern.index(sign) for sign in _WILD if sign in pattern)
    start = pattern[:first].rpartition("/")[0]
    return sorted(path for path in _below(root, start) if matches(path, (pattern,)))


def _below(root: str, start: str) -> Iterator[str]:
    """Yield all files and links below a folder that gates read, as paths relative to the root."""
    for folder, folders, names in os.walk(os.path.join(root, start)):
        relative = os.path.relpath(folder, root).replace(os.sep, "/")
        prefix = "" if relative == "." else f"{relative}/"
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        folders[:] = sorted({*folders} - {*links, *SKIPPED_FOLDERS})
        yield from (f"{prefix}{name}" for name in (*names, *links))


# The settings for gates. An agent of the run can also write to these files, so after a change every
# gate fails until the change is reverted. A new run uses the new settings.


def policy_hashes(root: str) -> dict[str, str]:
    """Return the hashes of the settings for gates, by path. Raises OSError."""
    settings = contents(root, _PATTERNS)
    hashes = {**settings.hashes, **dict.fromkeys(settings.refused, "")}
    # Gates write their results below approvals/.
    hashes = {path: hash for path, hash in hashes.items() if not is_result(path)}
    hashes[_TABLE] = hashlib.sha256(_table(root)).hexdigest()
    return hashes


def changed_policy(root: str, before: Mapping[str, str]) -> str:
    """Return a changed file, "" if there is none. Raises OSError."""
    now = policy_hashes(root)
    paths = sorted({*now, *before})
    return next((path for path in paths if now.get(path) != before.get(path)), "")


def _table(root: str) -> bytes:
    data = plain.data(os.path.realpath(os.path.join(root, PROJECT)))
    try:
        table = tomllib.loads(data.decode()).get("tool", {})
    except (ValueError, RecursionError):
        return data
    own = table.get("helix-hooks") if isinstance(table, dict) else table
    return json.dumps(own, default=str, sort_keys=True).encode()
