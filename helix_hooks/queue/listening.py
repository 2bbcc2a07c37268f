"""Wait for the next event without constant polling.

A PostgreSQL server tells who listens. A file is looked at in growing pauses.
"""

import os
import select
import time

import psycopg
import sqlalchemy as sa

from ..flow.place import FlowPlace
from ..flow.storage import explained

_CHANNEL = "helix_events"
_LONGEST_SILENCE = 30.0
"""Seconds after which the server is asked, in case its word was lost on the way."""

_FIRST_PAUSE, _LONGEST_PAUSE, _GROWTH = 0.02, 0.5, 1.5
_LOST = 20_000
"""Milliseconds after which a server that does not answer is given up."""

_NEWEST = "SELECT number FROM helix_trail WHERE id = 1"


def announce(connection: sa.Connection, number: int) -> None:
    """Announce an event to all listeners when the transaction is committed."""
    if connection.dialect.name != "sqlite":
        connection.execute(sa.select(sa.func.pg_notify(_CHANNEL, str(number))))


def wait(place: FlowPlace, engine: sa.Engine, after: int, seconds: float) -> int:
    """Wait for an event above `after`, and return the newest number. Raises HelixError."""
    until = time.monotonic() + seconds
    if not place.is_shared:
        return _of_file(place, engine, after, until)
    with explained(place):
        return _of_server(engine, after, until)


def _of_server(engine: sa.Engine, after: int, until: float) -> int:
    server = engine.dialect.create_connect_args(engine.url)[1]
    heard: list[object] = []
    with psycopg.connect(**server, autocommit=True, tcp_user_timeout=_LOST) as connection:
        connection.add_notify_handler(heard.append)
        connection.execute(f"LISTEN {_CHANNEL}")
        while True:
            heard.clear()
            row = connection.execute(_NEWEST).fetchone()
            newest = int(row[0]) if row else 0
            left = until - time.monotonic()
            if newest > after or left <= 0:
                return newest
            if not heard:  # psycopg already took what came with the answer from the socket
                select.select([connection.fileno()], [], [], min(left, _LONGEST_SILENCE))


def _of_file(place: FlowPlace, engine: sa.Engine, after: int, until: float) -> int:
    pause = _FIRST_PAUSE
    with explained(place), engine.connect() as connection:
        file = os.stat(place.database).st_ino
        cursor = connection.connection.cursor()  # SQLAlchemy would take most of the time of a look
        while True:
            cursor.execute(_NEWEST)
            row = cursor.fetchone()
            newest = int(row[0]) if row else 0
            left = until - time.monotonic()
            # A database file that was replaced is opened again by the caller.
            if newest > after or left <= 0 or os.stat(place.database).st_ino != file:
                return newest
            time.sleep(min(pause, left))
            pause = min(pause * _GROWTH, _LONGEST_PAUSE)
