"""The file of the cached reports: read as a whole, and replaced in one step.

It is in the git directory of the work tree, which no commit and no pull request can change. A file
is ignored if it is damaged, if it is a link, or if another key or another user wrote it.
"""

import contextlib
import hashlib
import json
import os
import stat
import time
from itertools import groupby
from typing import Any

from .. import writing
from ..records import NamedTuple
from ..repository.git import git_folder
from ..repository.questions import Mark, Question

_FOLDERS = ("helix-hooks", "check")
_LARGEST = 64_000_000
"""Limit for the size of a file, in bytes; a larger one is neither written nor read."""

_MOST = 4
"""Limit for files in the folder: one for each set of options and settings, the last used ones."""

_UNFINISHED = 3600
"""Seconds after which an unfinished file belongs to a run that was killed."""

_FLAGS = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)

_HASH = 32
_OWN_ONLY = 0o700


class CachedReport(NamedTuple):
    """The report on an ADR as a JSON value, and the numbers of its questions."""

    questions: list[int]
    report: list[Any]


class CachedReports(NamedTuple):
    """Reports by the path of their ADR, and the questions with their answers (marks)."""

    questions: list[Question]
    marks: list[Mark]
    reports: dict[str, CachedReport]


EMPTY = CachedReports([], [], {})


def place(root: str, key: str) -> str:
    """Return the path of the file for a key; "" if there is no git directory."""
    try:
        return os.path.join(git_folder(root), *_FOLDERS, f"{key}.json")
    except OSError:
        return ""


def load(path: str, key: str) -> CachedReports:
    """Return the content of a file; empty if it can't be read."""
    try:
        if not _is_own(os.path.dirname(path)):
            return EMPTY
        data = _read(path)
        body = data[_HASH * 2 :]
        if data[: _HASH * 2] != _signed(body, key):
            return EMPTY
        groups, reports = json.loads(body)
        questions: list[Question] = []
        marks: list[Mark] = []
        for method, answers in groups:
            questions += [(method, about) for about in answers]
            marks += answers.values()
        rows = {name: CachedReport(*row) for name, row in reports.items()}
        return CachedReports(questions, marks, rows)
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return EMPTY


def _read(path: str) -> bytes:
    """Return the bytes of a regular file of this user. Raises OSError."""
    opened = os.open(path, _FLAGS)
    with open(opened, "rb") as file:
        facts = os.fstat(opened)
        if not stat.S_ISREG(facts.st_mode) or not _is_mine(facts) or facts.st_size > _LARGEST:
            return b""
        with contextlib.suppress(OSError):
            os.utime(path)  # the files of latest use are kept
        return file.read()


def save(path: str, key: str, cached: CachedReports) -> None:
    """Write a file. A failure is ignored: it costs only time in the next run."""
    # Questions are sorted by method, which is written once for all its questions.
    pairs = zip(cached.questions, cached.marks, strict=True)
    groups = [
        (method, {about: mark for (_, about), mark in group})
        for method, group in groupby(pairs, key=lambda item: item[0][0])
    ]
    with contextlib.suppress(OSError, ValueError, TypeError, RecursionError):
        body = json.dumps((groups, cached.reports), separators=(",", ":")).encode()
        folder = os.path.dirname(path)
        if len(body) <= _LARGEST and _make(folder):
            _tidy(folder, path)
            if not os.path.islink(path):
                writing.replace(path, _signed(body, key) + body, mode=0o600)


def _signed(body: bytes, key: str) -> bytes:
    """Return the hash that detects damage, and a file of another key. It is no secret."""
    return hashlib.blake2b(key.encode() + body, digest_size=_HASH).hexdigest().encode()


def _make(folder: str) -> bool:
    """Make the folder for the files, and return whether it can be used. Raises OSError."""
    if not os.path.lexists(folder):
        above = os.path.dirname(folder)
        if not os.path.lexists(above):
            os.mkdir(above)
        os.mkdir(folder, _OWN_ONLY)
    return _is_own(folder)


def _is_own(folder: str) -> bool:
    """Return whether a folder belongs to this user, and neither it nor its parent is a link.

    Raises OSError.
    """
    facts = [os.lstat(name) for name in (folder, os.path.dirname(folder))]
    return all(stat.S_ISDIR(item.st_mode) for item in facts) and _is_mine(facts[0])


def _is_mine(facts: os.stat_result) -> bool:
    # Windows has no user ids. There the rights on the git directory decide.
    return not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()


def _tidy(folder: str, path: str) -> None:
    """Remove the files unused for longest, and unfinished files of runs that were killed."""
    with os.scandir(folder) as entries:
        used = {entry.path: entry.stat(follow_symlinks=False).st_mtime for entry in entries}
    others = [name for name in used if name != path and name.endswith(".json")]
    others.sort(key=lambda name: used[name])
    unused = others[: 1 - _MOST]
    for name, last in used.items():
        if name.endswith(writing.UNFINISHED) and time.time() - last > _UNFINISHED:
            unused.append(name)
    for name in unused:
        with contextlib.suppress(OSError):
            os.unlink(name)
