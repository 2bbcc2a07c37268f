"""The processes that execute runs of a shared database: a row for each, renewed every few seconds.

A process whose row is old, or gone, counts as dead, and another one takes over its runs. All times
are those of the database's clock.
"""

import contextlib
import os
import socket
import threading
from typing import NamedTuple

import sqlalchemy as sa
from dbos import DBOSClient

from ..errors import HelixError
from ..verify.lock import LockedError, held
from .database import LOCK, POLL
from .place import FlowPlace
from .segments import Segment
from .storage import engine_of, explained, explanation

BEAT = 2.0
"""Seconds between two renewals of a row."""
EXPIRY = 12.0
"""Seconds after which a process counts as dead."""
_TAKEN_OVER = (
    "this process was not seen for a while, and another one has taken over its runs; start it again"
)

_WRITE = """INSERT INTO helix_workers VALUES (:name, :application, now())
    ON CONFLICT (name) DO UPDATE SET seen = now()"""
_RENEW = "UPDATE helix_workers SET seen = now() WHERE name = :name"
_SEEN = """SELECT name, extract(epoch FROM now() - seen) FROM helix_workers
    WHERE application = :application"""
_REMOVE = "DELETE FROM helix_workers WHERE name = :name"


class Sign(NamedTuple):
    """The last sign of life of a process, `seconds` ago."""

    name: str
    seconds: float

    @property
    def is_alive(self) -> bool:
        return self.seconds < EXPIRY


def new_name() -> str:
    """Return a name for a process that executes runs."""
    return f"{socket.gethostname()}-{os.getpid()}-{os.urandom(3).hex()}"


class Worker:
    """The row of this process, which a thread renews. `queue` has the workflows for it alone."""

    def __init__(self, place: FlowPlace, client: DBOSClient, name: str) -> None:
        """Write the row, and start to renew it. Raises HelixError."""
        self.name, self._place, self._client = name, place, client
        self.queue = _queue(place, name)
        self._engine = engine_of(place)
        self._failure: HelixError | None = None
        self._ends = threading.Event()
        row = {"name": name, "application": place.name}
        with explained(place), self._engine.begin() as connection:
            connection.execute(sa.text(_WRITE), row)
        client.register_queue(
            self.queue,
            polling_interval_sec=POLL,
            on_conflict="never_update",
            application_name=place.name,
        )
        threading.Thread(target=self._beat, daemon=True).start()

    def check(self) -> None:
        """Raise HelixError if the row can't be renewed, or another process has removed it."""
        if self._failure:
            raise self._failure

    def renew(self) -> bool:
        """Renew the row, and return whether there is one: no other process has taken over."""
        with explained(self._place), self._engine.begin() as connection:
            return self._renew(connection)

    def _renew(self, connection: sa.Connection) -> bool:
        return connection.execute(sa.text(_RENEW), {"name": self.name}).rowcount == 1

    def take_over(self) -> None:
        """Take over the workflows of processes that are dead. Raises HelixError.

        One process at a time does so, since two could resume the same workflow.
        """
        with explained(self._place), self._engine.begin() as connection:
            connection.execute(sa.text(LOCK))
            if not self._renew(connection):
                raise HelixError(_TAKEN_OVER)
            alive = {sign.name for sign in _signs(connection, self._place) if sign.is_alive}
            pending = self._client.list_workflows(
                status=["PENDING", "ENQUEUED"],
                application_name=self._place.name,
                load_input=False,
                load_output=False,
            )
            queues = {_queue(self._place, name) for name in alive}
            left = []
            for status in pending:
                queue = status.queue_name or ""
                if status.status == "PENDING":
                    is_left = (status.executor_id or "") not in alive
                else:
                    # Resumed for a process that died before it began.
                    is_left = queue != self._place.name and queue not in queues
                if is_left:
                    left.append(status.workflow_id)
            if left:
                self._client.resume_workflows(left, queue_name=self.queue)
            for sign in _signs(connection, self._place):
                if sign.name not in alive:
                    connection.execute(sa.text(_REMOVE), {"name": sign.name})
                    self._client.delete_queue(_queue(self._place, sign.name))

    def stop(self) -> None:
        """Remove the row, so that others need not wait until it is old."""
        self._ends.set()
        with contextlib.suppress(HelixError), explained(self._place):
            with self._engine.begin() as connection:
                connection.execute(sa.text(_REMOVE), {"name": self.name})
            self._client.delete_queue(self.queue)

    def _beat(self) -> None:
        while not self._ends.wait(BEAT):
            try:
                if not self.renew():
                    self._failure = HelixError(_TAKEN_OVER)
            except Exception as error:  # noqa: BLE001 -- the main thread raises it
                self._failure = explanation(self._place, error)
            if self._failure:
                return


def executor_of(place: FlowPlace, segment: Segment) -> Sign | None:
    """Return the process that executes a run, None if there is none.

    Raises:
        HelixError: The database can't be reached.
    """
    if not segment.is_alive:
        return None
    if not place.is_shared:
        # With SQLite, one process executes all runs, and holds this lock.
        try:
            with held(place.lock, 0, ""):
                return None
        except LockedError:
            return Sign(socket.gethostname(), 0.0)
    with explained(place), engine_of(place).connect() as connection:
        by_name = {sign.name: sign for sign in _signs(connection, place)}
    return by_name.get(segment.executor)


def _signs(connection: sa.Connection, place: FlowPlace) -> list[Sign]:
    rows = connection.execute(sa.text(_SEEN), {"application": place.name}).fetchall()
    return [Sign(str(name), float(seconds)) for name, seconds in rows]


def _queue(place: FlowPlace, name: str) -> str:
    return f"{place.name}.{name}"
