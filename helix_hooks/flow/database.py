"""The database of runs: made where it is missing, and its errors in a line each."""

import contextlib
import logging
import os
import sqlite3
from collections.abc import Iterator

logging.getLogger("dbos").addHandler(logging.NullHandler())  # before DBOS adds one that prints
logging.getLogger("dbos").propagate = False

import psycopg  # noqa: E402
import sqlalchemy as sa  # noqa: E402
from dbos import DBOS, DBOSClient  # noqa: E402

from ..errors import HelixError, UsageError  # noqa: E402
from .place import DATABASE, FlowPlace  # noqa: E402
from .serializer import JsonSerializer  # noqa: E402

FLOW_VERSION = 1
"""The version of workflows and of what they record.

It is to be raised when a run of before could not be replayed: when steps change, or what `phases`
answers about the same events. Such a run goes on as a new workflow from its last published state.
"""

_VERSION = "-flow-"
_PATIENCE = 5.0
"""Seconds to wait for a program that has the database locked."""
POLL = 0.2
"""Seconds between two looks for runs that were added to the queue."""
_SQLITE = (
    ("locked", "it is locked by another program; close that, then try again"),
    ("busy", "it is locked by another program; close that, then try again"),
    ("full", "its disk is full; make room, then try again"),
    ("disk i/o error", "it can't be written: the disk is full, or a limit of its size is reached"),
    ("readonly", "it is read-only; make it and its folder writable"),
    ("unable to open", "it can't be opened; see that its folder exists and is writable"),
    ("no such table", "it was removed while it was used; its runs are lost, begin them again"),
    ("not a database", "it is damaged; move it away, and runs begin with a new one"),
    ("malformed", "it is damaged; move it away, and runs begin with a new one"),
)
_POSTGRES = (
    ("password authentication failed", "the server refuses the user or the password"),
    ("no password supplied", "the server asks for a password, and the URL has none"),
    ("does not exist", "the server has no such database or role"),
    ("permission denied", "the user may not create or change tables"),
    ("could not translate host name", "there is no such host"),
    ("failed to resolve host", "there is no such host"),
    ("starting up", "the server is starting up"),
)


_ERRORS = (sa.exc.SQLAlchemyError, psycopg.Error, sqlite3.Error, OSError)


def _commit_without_waiting(connection: object, _record: object) -> None:
    """Let a commit be safe from a kill at once, and from a power failure a moment later.

    Then the last steps may be done again; waiting for the disk would take more time than all else.
    """
    if isinstance(connection, sqlite3.Connection):
        connection.execute("PRAGMA synchronous=NORMAL")


sa.event.listen(sa.Engine, "connect", _commit_without_waiting)


class DatabaseError(HelixError):
    """The database can't be used."""


def version_name(place: FlowPlace, number: int = FLOW_VERSION) -> str:
    """Return how DBOS names a version of ours: in a database, each application has its own."""
    return f"{place.name}{_VERSION}{number}"


def version_number(name: str | None) -> int:
    """Return the number of a version's name, 0 for a name that is not ours."""
    number = (name or "").rpartition(_VERSION)[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def url_of(place: FlowPlace) -> str:
    """Return the database's URL for DBOS. Raises UsageError for one that is wrong."""
    if not place.url:
        if set(place.database) & set("?#%"):
            raise DatabaseError(f"{place.database}: a path with ?, # or % can't be used for flows")
        return f"sqlite:///{place.database}"
    try:
        url = sa.make_url(place.url)
    except sa.exc.ArgumentError:
        raise _wrong_url() from None
    if url.get_backend_name() not in ("postgresql", "postgres") or not url.database:
        raise _wrong_url()
    query = {"connect_timeout": "5", **url.query}
    return url.set(drivername="postgresql+psycopg", query=query).render_as_string(False)


def _wrong_url() -> UsageError:
    return UsageError(
        f"the URL of the database of flows ({DATABASE}, or flow.database in "
        "config/approvals.yaml) must be like postgresql://USER:PASSWORD@HOST:5432/NAME"
    )


def ready(place: FlowPlace) -> None:
    """Make the database and its tables where they are missing. Raises HelixError."""
    url = url_of(place)
    with explained(place):
        if not place.is_shared:
            _make_sqlite(place)
        DBOS.migrate(url)
        with opened(place) as client:
            _refuse_newer(client, place)
            client.register_queue(
                place.name,
                polling_interval_sec=POLL,
                on_conflict="never_update",
                application_name=place.name,
            )


def _make_sqlite(place: FlowPlace) -> None:
    """Make the file for its owner alone, with a log, so that readers don't stop the writer."""
    os.makedirs(place.folder, mode=0o700, exist_ok=True)
    mask = os.umask(0o077)
    try:
        with contextlib.closing(sqlite3.connect(place.database, timeout=_PATIENCE)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS helix_probe (at INTEGER)")
            connection.execute("DELETE FROM helix_probe")
            connection.commit()
    finally:
        os.umask(mask)


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


@contextlib.contextmanager
def explained(place: FlowPlace) -> Iterator[None]:
    """Turn an error of the database into a HelixError."""
    try:
        yield
    except _ERRORS as error:
        raise explanation(place, error) from None


def explanation(place: FlowPlace, error: BaseException) -> HelixError:
    """Return an error of the database as one for a person, without a password."""
    if isinstance(error, HelixError):
        return error
    if not isinstance(error, _ERRORS):
        about = f"{type(error).__name__}: {error}"
        return HelixError(f"internal error: {about} (HELIX_HOOKS_DEBUG=1 shows where)")
    path = getattr(error, "filename", None)
    if isinstance(error, OSError) and isinstance(path, str) and not path.startswith(place.folder):
        return HelixError(f"{path}: {error.strerror}")
    text = str(getattr(error, "orig", None) or error).lower()
    known = _POSTGRES if place.is_shared else _SQLITE
    reason = next((reason for sign, reason in known if sign in text), "")
    if not reason and place.is_shared:
        reason = "the server can't be reached; nothing is lost, start it, then try again"
    if not reason and isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
    return DatabaseError(f"{described(place)}: {reason or type(error).__name__}")


def described(place: FlowPlace) -> str:
    """Return the name of the database for a message."""
    if not place.is_shared:
        return f"the database of flows {place.database}"
    url = sa.make_url(url_of(place))
    server = f"{url.host or 'localhost'}:{url.port or 5432}"
    return f"the database of flows {url.database} on {server}"
