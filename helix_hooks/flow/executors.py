"""Who executes runs of a shared database: each process holds a lock there for as long as it lives.

The server ends the lock with the connection, however the process ends. So a process whose lock is
free is dead, and others take up its runs.
"""

import contextlib
import hashlib
import os
import socket
from collections.abc import Iterable, Iterator

import psycopg
import sqlalchemy as sa
from psycopg.conninfo import make_conninfo

from .place import FlowPlace
from .storage import explained, url_of


class Presence:
    """One process among those that execute runs of a repository."""

    def __init__(self, place: FlowPlace) -> None:
        """Connect, and take the lock. Raises HelixError."""
        self.name = f"{socket.gethostname()}-{os.getpid()}-{os.urandom(3).hex()}"
        self._place = place
        url = sa.make_url(url_of(place))
        values = {**url.query, **url.translate_connect_args(username="user", database="dbname")}
        words = {name: str(value) for name, value in values.items()}
        with self._explained():
            self._connection = psycopg.connect(make_conninfo("", **words), autocommit=True)
            self._connection.execute("SELECT pg_advisory_lock(%s)", (self._key(self.name),))

    def check(self) -> None:
        """Raises HelixError if the connection is gone, and with it the lock."""
        with self._explained():
            self._connection.execute("SELECT 1")

    @contextlib.contextmanager
    def dead(self, executors: Iterable[str]) -> Iterator[list[str]]:
        """Give those that have ended, locked against other processes. Raises HelixError."""
        found: list[str] = []
        try:
            others = (name for name in executors if name != self.name)
            found.extend(name for name in others if self._locked(name))
            yield found
        finally:
            for name in found:
                with self._explained():
                    self._connection.execute("SELECT pg_advisory_unlock(%s)", (self._key(name),))

    def _locked(self, name: str) -> bool:
        with self._explained():
            query = "SELECT pg_try_advisory_lock(%s)"
            row = self._connection.execute(query, (self._key(name),)).fetchone()
        return bool(row and row[0])

    def _key(self, name: str) -> int:
        digest = hashlib.sha256(f"{self._place.name}/{name}".encode()).digest()
        return int.from_bytes(digest[:8], "big", signed=True)

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        with explained(self._place):
            yield
