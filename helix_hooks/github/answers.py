"""Answers of GitHub, kept for conditional requests in a file that only this user reads.

GitHub says by 304 that an answer is still the same; such a request does not count against the rate
limit (docs.github.com, "Best practices for using the REST API"). A stored answer is never used
without that. A file that can't be read or written costs requests, and nothing else.
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
"""Seconds after which an answer that nobody has asked for is dropped."""

_DAY = 24 * 3600
_MOST = 50_000
"""Answers in the file; an answer that was used longer ago is dropped for a newer one."""

_SECONDS = 2.0
"""Time that another process may hold the file before this one goes on without it."""

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
    """The answers in a file, for several threads and processes; with "" none are kept."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._file: sqlite3.Connection | None = None
        with contextlib.suppress(sqlite3.Error, OSError):
            self._file = _opened(path) if path else None

    def find(self, key: str) -> StoredAnswer | None:
        """Return the answer that is kept by a key; None for none."""
        if self._file is None:
            return None
        try:
            with self._lock:
                row = self._file.execute(
                    "SELECT etag, link, body, used FROM answers WHERE key = ?", (key,)
                ).fetchone()
            if row is None:
                return None
            found = StoredAnswer(str(row[0]), str(row[1]), zlib.decompress(row[2]))
        except (sqlite3.Error, zlib.error, TypeError):
            return None
        if row[3] < time.time() - _DAY:
            self._run("UPDATE answers SET used = ? WHERE key = ?", int(time.time()), key)
        return found

    def keep(self, key: str, answer: StoredAnswer) -> None:
        """Keep an answer in place of an earlier one."""
        self._run(
            "INSERT OR REPLACE INTO answers (key, etag, link, body, used) VALUES (?, ?, ?, ?, ?)",
            key,
            answer.etag,
            answer.link,
            zlib.compress(answer.body, 1),
            int(time.time()),
        )

    def close(self) -> None:
        """Drop what is old, and close the file."""
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
    """Open the answers of this user while the context lasts."""
    answers = StoredAnswers(place(environment))
    try:
        yield answers
    finally:
        answers.close()


def place(environment: Mapping[str, str]) -> str:
    """Return the path of this user's file, "" where there is no place for it."""
    named, home = environment.get("XDG_CACHE_HOME", ""), environment.get("HOME", "")
    if os.path.isabs(named):
        return os.path.join(named, *_FOLDERS[1:], _FILE)
    return os.path.join(home, *_FOLDERS, _FILE) if os.path.isabs(home) else ""


def _opened(path: str) -> sqlite3.Connection | None:
    """Return the open file, in a folder of this user alone; None for any other. Raises OSError."""
    folder = os.path.dirname(path)
    os.makedirs(folder, mode=_OWN_ONLY, exist_ok=True)
    facts = os.lstat(folder)
    is_mine = not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()
    if not stat.S_ISDIR(facts.st_mode) or not is_mine or os.path.islink(path):
        return None
    os.chmod(folder, _OWN_ONLY)
    file = sqlite3.connect(path, timeout=_SECONDS, isolation_level=None, check_same_thread=False)
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF", _TABLE):
        file.execute(statement)
    return file
