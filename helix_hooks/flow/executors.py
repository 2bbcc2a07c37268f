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

from ..verify.lock import LockedError, held
from .place import FlowPlace
from .segments import Segment
from .storage import explained, url_of


class Presence:
    """A process that executes runs of a repository, by its lock."""

    def __init__(self, place: FlowPlace) -> None:
        """Connect, and acquire the lock. Raises HelixError."""
        self.name = f"{socket.gethostname()}-{os.getpid()}-{os.urandom(3).hex()}"
        self._place = place
        with self._explained():
            self._connection = _connected(place)
            self._connection.execute("SELECT pg_advisory_lock(%s)", (_key(place, self.name),))

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
                    key = (_key(self._place, name),)
                    self._connection.execute("SELECT pg_advisory_unlock(%s)", key)

    def _try_lock(self, name: str) -> bool:
        """Acquire the lock of an executor, and return False if its process holds it."""
        with self._explained():
            return _locked(self._connection, _key(self._place, name))

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        with explained(self._place):
            yield


def executor_of(place: FlowPlace, segment: Segment) -> str:
    """Return the process that executes a run now, "" if none does.

    Raises:
        HelixError: The database can't be reached.
    """
    if not segment.is_alive:
        return ""
    if not place.is_shared:
        # With SQLite, one process executes all runs, and holds this lock.
        try:
            with held(place.lock, 0, ""):
                return ""
        except LockedError:
            return socket.gethostname()
    if not segment.executor:
        return ""
    with explained(place), _connected(place) as connection:
        is_dead = _locked(connection, _key(place, segment.executor))
    return "" if is_dead else segment.executor


def _connected(place: FlowPlace) -> psycopg.Connection:
    url = sa.make_url(url_of(place))
    values = {**url.query, **url.translate_connect_args(username="user", database="dbname")}
    words = {name: str(value) for name, value in values.items()}
    return psycopg.connect(make_conninfo("", **words), autocommit=True)


def _locked(connection: psycopg.Connection, key: int) -> bool:
    """Acquire a lock, and return False if another process holds it."""
    row = connection.execute("SELECT pg_try_advisory_lock(%s)", (key,)).fetchone()
    return bool(row and row[0])


def _key(place: FlowPlace, name: str) -> int:
    digest = hashlib.sha256(f"{place.name}/{name}".encode()).digest()
    return int.from_bytes(digest[:8], "big", signed=True)
