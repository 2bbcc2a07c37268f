"""The file that keeps what was found in ADRs: read in whole, written in one move.

It lies in git's own folder of the work tree, which no commit and no pull request reaches. A file
that is damaged, that another key or another user wrote, or that a link leads to counts as none.
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
"""Bytes of a file; no larger one is written or read."""

_MOST = 4
"""Files in the folder, the latest of use: one for each set of options and settings."""

_UNFINISHED = 3600
"""Seconds after which an unfinished file is one of a run that was killed."""

_FLAGS = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)

_HASH = 32
_OWN_ONLY = 0o700


class CachedReport(NamedTuple):
    """The report on an ADR, as JSON has it, and the questions by which it was found."""

    questions: list[int]
    report: list[Any]


class CachedReports(NamedTuple):
    """Reports by the path of their ADR. `questions` and `marks` belong together by number."""

    questions: list[Question]
    marks: list[Mark]
    reports: dict[str, CachedReport]


EMPTY = CachedReports([], [], {})


def place(root: str, key: str) -> str:
    """Return where the reports of a key are kept; "" where there is no place for them."""
    try:
        return os.path.join(git_folder(root), *_FOLDERS, f"{key}.json")
    except OSError:
        return ""


def load(path: str, key: str) -> CachedReports:
    """Return what is kept; nothing where that cannot be read."""
    try:
        if not _is_own(os.path.dirname(path)):
            return EMPTY
        data = _read(path)
        body = data[_HASH * 2 :]
        if data[: _HASH * 2] != _signed(body, key):
            return EMPTY
        asked, reports = json.loads(body)
        found = {name: CachedReport(*row) for name, row in reports.items()}
        questions = [(method, about) for method, marks in asked for about in marks]
        return CachedReports(
            questions, [mark for _, marks in asked for mark in marks.values()], found
        )
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


def save(path: str, key: str, kept: CachedReports) -> None:
    """Write what is kept. A failure costs time later, and nothing now."""
    asked = [
        (method, {about: mark for (_, about), mark in group})
        for method, group in groupby(
            zip(kept.questions, kept.marks, strict=True), key=lambda item: item[0][0]
        )
    ]
    with contextlib.suppress(OSError, ValueError, TypeError, RecursionError):
        body = json.dumps((asked, kept.reports), separators=(",", ":")).encode()
        folder = os.path.dirname(path)
        if len(body) <= _LARGEST and _made(folder):
            _tidy(folder, path)
            if not os.path.islink(path):
                writing.replace(path, _signed(body, key) + body, mode=0o600)


def _signed(body: bytes, key: str) -> bytes:
    """Return the hash by which damage is noticed, and a file that another key wrote."""
    return hashlib.blake2b(key.encode() + body, digest_size=_HASH).hexdigest().encode()


def _made(folder: str) -> bool:
    """Return whether there is a folder for the files, and make it. Raises OSError."""
    if not os.path.lexists(folder):
        above = os.path.dirname(folder)
        if not os.path.lexists(above):
            os.mkdir(above)
        os.mkdir(folder, _OWN_ONLY)
    return _is_own(folder)


def _is_own(folder: str) -> bool:
    """Return whether a folder and the one above are folders of this user, not links. Raises
    OSError.
    """
    facts = [os.lstat(name) for name in (folder, os.path.dirname(folder))]
    return all(stat.S_ISDIR(item.st_mode) for item in facts) and _is_mine(facts[0])


def _is_mine(facts: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()


def _tidy(folder: str, path: str) -> None:
    """Remove what was not used for longest, and unfinished files of runs that were killed."""
    with os.scandir(folder) as entries:
        found = [(entry.stat(follow_symlinks=False).st_mtime, entry.path) for entry in entries]
    others = sorted(item for item in found if item[1] != path and item[1].endswith(".json"))
    unused = [name for _, name in others[: 1 - _MOST]]
    for used, name in found:
        if name.endswith(writing.UNFINISHED) and time.time() - used > _UNFINISHED:
            unused.append(name)
    for name in unused:
        with contextlib.suppress(OSError):
            os.unlink(name)
