"""Connections to the database whose commits outlast a power failure, and transactions."""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from urllib.parse import quote

import sqlalchemy as sa

from .place import FlowPlace
from .storage import url_of

PATIENCE = 15
"""Seconds to wait for others that write."""

_IDLE = 10
"""Seconds after which a process that was stopped in a transaction loses its lock; less than others
wait for it.
"""


def engine_of(place: FlowPlace) -> sa.Engine:
    """Return the engine of a place; nothing is opened yet. Raises UsageError for a wrong URL."""
    if not place.is_shared:
        return _of_file(place)
    url = sa.make_url(url_of(place))
    options = url.query.get("options", "")
    named = options if isinstance(options, str) else " ".join(options)
    limits = f"-c lock_timeout={PATIENCE}s -c idle_in_transaction_session_timeout={_IDLE}s"
    return sa.create_engine(
        url.difference_update_query(["options"]),
        connect_args={"options": f"{limits} {named}".strip(), "prepare_threshold": None},
        isolation_level="READ COMMITTED",  # after the lock, all that others have committed is read
        pool_pre_ping=True,
        pool_size=2,
        max_overflow=20,
    )


def _of_file(place: FlowPlace) -> sa.Engine:
    """Return the engine of the file; opening never makes it, so a removed one is noticed."""
    address = f"file:{quote(place.database)}?mode=rw"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        )

    engine = sa.create_engine("sqlite://", creator=connect, poolclass=sa.NullPool)
    sa.event.listen(engine, "connect", _wait_for_the_disk)
    return engine


def _wait_for_the_disk(connection: object, _record: object) -> None:
    """Let a commit end when the disk has it; the listener of runs would not wait for that."""
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=FULL")


@contextlib.contextmanager
def transaction(engine: sa.Engine) -> Iterator[sa.Connection]:
    """Give a connection that writes all or nothing; in a file, as the only one that writes."""
    with engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection
        connection.commit()


def time_of(connection: sa.Connection) -> int:
    """Return the time, for all programs that share a server that of the server."""
    if connection.dialect.name == "sqlite":
        return int(time.time())
    now = sa.func.extract("epoch", sa.func.clock_timestamp())
    return int(connection.scalar(sa.select(now)) or 0)
