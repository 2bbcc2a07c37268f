"""The processes that execute runs of a shared database. Each holds a lock there while it lives.

The server releases the lock when the connection ends, also after a kill. So a process whose lock is
free is dead, and others take over its runs.
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
    """A process that executes runs of a repository, by its lock."""

    def __init__(self, place: FlowPlace) -> None:
        """Connect, and acquire the lock. Raises HelixError."""
        self.name = f"{socket.gethostname()}-{os.getpid()}-{os.urandom(3).hex()}"
        self._place = place
        url = sa.make_url(url_of(place))
        values = {**url.query, **url.translate_connect_args(username="user", database="dbname")}
        words = {name: str(value) for name, value in values.items()}
        with self._explained():
            self._connection = psycopg.connect(make_conninfo("", **words), autocommit=True)
            self._connection.execute("SELECT pg_advisory_lock(%s)", (self._key(self.name),))

    def check(self) -> None:
        """Raise HelixError if the connection, and with it the lock, is lost."""
        with self._explained():
            self._connection.execute("SELECT 1")

    @contextlib.contextmanager
    def locked_dead(self, executors: Iterable[str]) -> Iterator[list[str]]:
        """Yield the executors that have ended. Hold their locks until the block ends.

        Raises:
            HelixError: The database can't be reached.
        """
        locked: list[str] = []
        try:
            others = [name for name in executors if name != self.name]
            locked.extend(name for name in others if self._try_lock(name))
            yield locked
        finally:
            for name in locked:
                with self._explained():
                    self._connection.execute("SELECT pg_advisory_unlock(%s)", (self._key(name),))

    def _try_lock(self, name: str) -> bool:
        """Acquire the lock of an executor, and return False if its process holds it."""
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
