"""A cache of GitHub's answers for conditional requests, in a file that only this user can read.

GitHub answers 304 if nothing has changed; such a request does not count against the rate limit
(docs.github.com, "Best practices for using the REST API"). A stored answer is used only after a
304. If the file can't be read or written, more requests are sent; nothing else changes.
"""

import contextlib
import os
import sqlite3
import stat
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from typing import NamedTuple

_FOLDERS = (".cache", "helix-hooks")
_FILE = "github.sqlite"
_OWN_ONLY = 0o700
_OLD = 30 * 24 * 3600
"""Seconds after which an unused answer is deleted."""

_DAY = 24 * 3600
_MOST = 50_000
"""Maximum number of answers in the file; the least recently used ones are deleted."""

_SECONDS = 2.0
"""Time to wait for a lock of another process before the cache is skipped."""

_TABLE = """CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, etag TEXT NOT NULL, link TEXT NOT NULL, body BLOB NOT NULL,
    used INTEGER NOT NULL
) WITHOUT ROWID"""


class StoredAnswer(NamedTuple):
    """An answer: its ETag, its header `Link`, and its body as JSON."""

    etag: str
    link: str
    body: bytes


class StoredAnswers:
    """The answers in a file, for several threads and processes; with path "" it stores none."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        if path:
            with contextlib.suppress(sqlite3.Error, OSError):
                self._file = _open(path)

    def find(self, key: str) -> StoredAnswer | None:
        """Return the answer with a key; None if there is none."""
        if self._file is None:
            return None
        try:
            with self._lock:
                row = self._file.execute(
                    "SELECT etag, link, body, used FROM answers WHERE key = ?", (key,)
                ).fetchone()
            if row is None:
                return None
            answer = StoredAnswer(str(row[0]), str(row[1]), zlib.decompress(row[2]))
        except (sqlite3.Error, zlib.error, TypeError):
            return None
        # At most one write a day for each answer: most runs only read.
        if row[3] < time.time() - _DAY:
            self._run("UPDATE answers SET used = ? WHERE key = ?", int(time.time()), key)
        return answer

    def keep(self, key: str, answer: StoredAnswer) -> None:
        """Store an answer, and replace an earlier one with the same key."""
        self._run(
            "INSERT OR REPLACE INTO answers (key, etag, link, body, used) VALUES (?, ?, ?, ?, ?)",
            key,
            answer.etag,
            answer.link,
            zlib.compress(answer.body, 1),
            int(time.time()),
        )

    def close(self) -> None:
        """Delete old answers, and close the file."""
        self._run("DELETE FROM answers WHERE used < ?", int(time.time()) - _OLD)
        self._run(
            "DELETE FROM answers WHERE key IN "
            "(SELECT key FROM answers ORDER BY used DESC LIMIT -1 OFFSET ?)",
            _MOST,
        )
        with self._lock, contextlib.suppress(sqlite3.Error):
            if self._file is not None:
                self._file.close()
        self._file = None

    def _run(self, statement: str, *values: object) -> None:
        if self._file is None:
            return
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._file.execute(statement, values)


@contextlib.contextmanager
def stored(environment: Mapping[str, str]) -> Iterator[StoredAnswers]:
    """Open the answers of this user, and close them at the end of the context."""
    answers = StoredAnswers(place(environment))
    try:
        yield answers
    finally:
        answers.close()


def place(environment: Mapping[str, str]) -> str:
    """Return the path of this user's file; "" if neither XDG_CACHE_HOME nor HOME is absolute."""
    cache, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if os.path.isabs(cache):
        return os.path.join(cache, *_FOLDERS[1:], _FILE)
    if os.path.isabs(home):
        return os.path.join(home, *_FOLDERS, _FILE)
    return ""


def _open(path: str) -> sqlite3.Connection | None:
    """Open the file; return None if its folder does not belong to this user alone.

    Raises:
        OSError: The folder can't be created or changed.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=_OWN_ONLY, exist_ok=True)
    facts = os.lstat(folder)
    # Windows has no user ids; there a profile folder is private by default.
    is_mine = not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()
    # A link could lead to a file of another user.
    if not stat.S_ISDIR(facts.st_mode) or not is_mine or os.path.islink(path):
        return None
    os.chmod(folder, _OWN_ONLY)
    file = sqlite3.connect(path, timeout=_SECONDS, isolation_level=None, check_same_thread=False)
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF", _TABLE):
        file.execute(statement)
    return file
