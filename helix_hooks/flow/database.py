"""The database of runs, which DBOS creates, and a client for it."""

import contextlib
import logging
import sqlite3
from collections.abc import Iterator

logging.getLogger().addHandler(logging.NullHandler())  # before DBOS adds one that prints all
logging.getLogger("dbos").addHandler(logging.NullHandler())
logging.getLogger("dbos").propagate = False

import psycopg  # noqa: E402
import sqlalchemy as sa  # noqa: E402
from dbos import DBOS, DBOSClient  # noqa: E402

from .place import FlowPlace  # noqa: E402
from .serializer import JsonSerializer  # noqa: E402
from .storage import DatabaseError, described, engine_of, explained, make_file, url_of  # noqa: E402
from .stored_name import FLOWS, store_name  # noqa: E402

FLOW_VERSION = 4
"""The version of workflows and their records.

Raise it if older runs can't be replayed: if steps change, or if `phases` returns something else for
the same events. Such a run continues as a new workflow from its last published state.
"""

_VERSION = "-flow-"
_WORKERS = """CREATE TABLE IF NOT EXISTS helix_workers (
    name text PRIMARY KEY, application text NOT NULL, seen timestamptz NOT NULL)"""
LOCK = "SELECT pg_advisory_xact_lock(7308343)"
"""One process at a time creates the table, or takes over runs. The number is any constant."""
POLL = 0.2
"""Seconds between two queries for new runs in the queue."""


def _configure(connection: object, _record: object) -> None:
    """Configure a connection, also one of DBOS.

    SQLite does not wait for the disk at each commit. Commits survive a kill. After a power failure
    the last ones may be lost, and their steps run again. Waiting would take more time than
    everything else.

    PostgreSQL ends the transaction of a process that is suspended. Its locks would stop all others.
    """
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=NORMAL")
    if isinstance(connection, psycopg.Connection):
        connection.execute("SET idle_in_transaction_session_timeout = '10s'")
        connection.commit()


sa.event.listen(sa.Engine, "connect", _configure)


def version_name(place: FlowPlace) -> str:
    """Return the name of this version for DBOS; in a database, each application has its own."""
    return f"{place.name}{_VERSION}{FLOW_VERSION}"


def version_number(name: str | None) -> int:
    """Return the number of a version's name, 0 for a name that is not ours."""
    number = (name or "").rpartition(_VERSION)[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def ready(place: FlowPlace) -> None:
    """Create the database and its tables if they are missing.

    Raises:
        HelixError: The database can't be used, or is of a newer version.
    """
    store_name(place.folder, FLOWS, place.own_name)
    make_tables(place)
    with explained(place):
        if place.is_shared:
            with engine_of(place).begin() as connection:
                connection.execute(sa.text(LOCK))
                connection.execute(sa.text(_WORKERS))
        with opened(place) as client:
            names = [version["version_name"] for version in client.list_application_versions()]
            newest = max(map(version_number, names), default=0)
            if newest > FLOW_VERSION:
                raise DatabaseError(
                    f"{described(place)} was used by a newer helix-hooks (flow version {newest}, "
                    f"this one has {FLOW_VERSION}); upgrade helix-hooks"
                )
            client.register_queue(
                place.name,
                polling_interval_sec=POLL,
                on_conflict="never_update",
                application_name=place.name,
            )


def make_tables(place: FlowPlace) -> None:
    """Create or migrate the tables of DBOS if necessary. Raises HelixError."""
    url = url_of(place)
    with explained(place):
        if not place.is_shared:
            make_file(place)
        DBOS.migrate(url)


@contextlib.contextmanager
def opened(place: FlowPlace) -> Iterator[DBOSClient]:
    """Yield a client, which reads and sends but executes nothing. Raises HelixError."""
    with explained(place):
        client = DBOSClient(
            system_database_url=url_of(place),
            serializer=JsonSerializer(),
            application_name=place.name,
            retry_connection_errors=False,
        )
        try:
            yield client
        finally:
            client.destroy()
