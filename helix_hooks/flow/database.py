"""The tables of runs, which DBOS makes, and a client for them."""

import contextlib
import logging
import sqlite3
from collections.abc import Iterator

logging.getLogger().addHandler(logging.NullHandler())  # before DBOS adds one that prints all
logging.getLogger("dbos").addHandler(logging.NullHandler())
logging.getLogger("dbos").propagate = False

import sqlalchemy as sa  # noqa: E402
from dbos import DBOS, DBOSClient  # noqa: E402

from .place import FlowPlace  # noqa: E402
from .serializer import JsonSerializer  # noqa: E402
from .storage import DatabaseError, described, explained, make_file, url_of  # noqa: E402

FLOW_VERSION = 1
"""The version of workflows and of what they record.

It is to be raised when a run of before could not be replayed: when steps change, or what `phases`
answers about the same events. Such a run goes on as a new workflow from its last published state.
"""

_VERSION = "-flow-"
POLL = 0.2
"""Seconds between two looks for runs that were added to the queue."""


def _commit_without_waiting(connection: object, _record: object) -> None:
    """Let a commit be safe from a kill at once, and from a power failure a moment later.

    Then the last steps may be done again; waiting for the disk would take more time than all else.
    """
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=NORMAL")


sa.event.listen(sa.Engine, "connect", _commit_without_waiting)


def version_name(place: FlowPlace, number: int = FLOW_VERSION) -> str:
    """Return how DBOS names a version of ours: in a database, each application has its own."""
    return f"{place.name}{_VERSION}{number}"


def version_number(name: str | None) -> int:
    """Return the number of a version's name, 0 for a name that is not ours."""
    number = (name or "").rpartition(_VERSION)[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def ready(place: FlowPlace) -> None:
    """Make the database and its tables where they are missing. Raises HelixError."""
    url = url_of(place)
    with explained(place):
        if not place.is_shared:
            make_file(place)
        DBOS.migrate(url)
        with opened(place) as client:
            _refuse_newer(client, place)
            client.register_queue(
                place.name,
                polling_interval_sec=POLL,
                on_conflict="never_update",
                application_name=place.name,
            )


def _refuse_newer(client: DBOSClient, place: FlowPlace) -> None:
    names = [version["version_name"] for version in client.list_application_versions()]
    newest = max(map(version_number, names), default=0)
    if newest > FLOW_VERSION:
        raise DatabaseError(
            f"{described(place)} was used by a newer helix-hooks (flow version {newest}, this one "
            f"has {FLOW_VERSION}); upgrade helix-hooks"
        )


@contextlib.contextmanager
def opened(place: FlowPlace) -> Iterator[DBOSClient]:
    """Give a client, which reads and sends but executes nothing. Raises HelixError."""
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
