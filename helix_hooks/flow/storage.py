"""The storage of flows and requests: URL and file of the database, and messages for its errors."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Iterator

import psycopg
import sqlalchemy as sa

from ..errors import HelixError, UsageError
from .place import DATABASE, FlowPlace

_PATIENCE = 5.0
"""Seconds to wait for a program that has the database locked."""

_BETWEEN = 0.05
"""Seconds between two attempts to create the file."""

_CHANGED = "a request or an event was changed in it; see `helix-hooks queue verify`"
_SQLITE = (
    ("locked", "it is locked by another program; close that, then try again"),
    ("busy", "it is locked by another program; close that, then try again"),
    ("full", "its disk is full; free some space, then try again"),
    ("disk i/o error", "it can't be written: the disk is full, or a size limit is reached"),
    ("readonly", "it is read-only; make it and its folder writable"),
    ("unable to open", "it can't be opened; see that its folder exists and is writable"),
    ("no such table", "it was deleted while in use; start a new run"),
    ("not a database", "it is damaged; move it away, and the next command creates a new one"),
    ("malformed json", _CHANGED),
    ("malformed", "it is damaged; move it away, and the next command creates a new one"),
)
_UNREACHABLE = "the server can't be reached; nothing is lost, start it, then try again"
_POSTGRES = (
    ("password authentication failed", "the server rejected the user or the password"),
    ("no password supplied", "the server requires a password, and the URL has none"),
    ("for type json", _CHANGED),
    ("permission denied for view", "the user may not read its views (docs/dashboard.md)"),
    ("lock timeout", "it is locked by another program; close that, then try again"),
    ("read-only", "the server is read-only"),
    ("no space left", "the disk of the server is full; free some space, then try again"),
    ("permission denied", "the user may not create or change tables"),
    ("relation", "a table was deleted while in use; start a new run"),
    ("does not exist", "the server has no such database or role"),
    ("could not translate host name", "there is no such host"),
    ("failed to resolve host", "there is no such host"),
    ("starting up", _UNREACHABLE),
)


_ERRORS = (sa.exc.SQLAlchemyError, psycopg.Error, sqlite3.Error, OSError)


class DatabaseError(HelixError):
    """The database can't be used."""


class UnreachableError(DatabaseError):
    """The server of the database does not answer now."""


def url_of(place: FlowPlace) -> str:
    """Return the database's URL for SQLAlchemy.

    Raises:
        UsageError: The URL is invalid.
        DatabaseError: The path can't be part of a URL.
    """
    if not place.url:
        if set(place.database) & set("?#%"):
            raise DatabaseError(f"{place.database}: a path with ?, # or % can't be used for flows")
        return f"sqlite:///{place.database}"
    try:
        url = sa.make_url(place.url)
    except (sa.exc.ArgumentError, ValueError):
        raise _wrong_url() from None
    if url.get_backend_name() not in ("postgresql", "postgres") or not url.database:
        raise _wrong_url()
    # Without a limit, psycopg waits for minutes for a server that does not answer.
    query = {"connect_timeout": "5", **url.query}
    return url.set(drivername="postgresql+psycopg", query=query).render_as_string(False)


def engine_of(place: FlowPlace) -> sa.Engine:
    """Return an engine for our own tables. It connects for each use. Raises HelixError."""
    return sa.create_engine(url_of(place), poolclass=sa.NullPool)


def _wrong_url() -> UsageError:
    return UsageError(
        f"the URL of the flow database ({DATABASE}, or flow.database in "
        "config/approvals.yaml) must be like postgresql://USER:PASSWORD@HOST:5432/NAME"
    )


def make_file(place: FlowPlace) -> None:
    """Create the file for its owner only, with a write-ahead log for readers beside a writer."""
    os.makedirs(place.folder, mode=0o700, exist_ok=True)
    # An existing file must not be opened here: closing it would release the locks of all SQLite
    # connections of this process, and another program would then remove the log that they use.
    with contextlib.suppress(FileExistsError):
        # SQLite gives the log the permissions of this file. A changed umask would hold for all
        # threads.
        os.close(os.open(place.database, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    until = time.monotonic() + _PATIENCE
    while not _is_made(place, is_last=time.monotonic() >= until):
        time.sleep(_BETWEEN)


def _is_made(place: FlowPlace, *, is_last: bool) -> bool:
    """Return whether the file was created. SQLite does not always wait for a parallel creation."""
    try:
        with contextlib.closing(sqlite3.connect(place.database, timeout=_PATIENCE)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("CREATE TABLE IF NOT EXISTS helix_probe (at INTEGER)")
            connection.execute("DELETE FROM helix_probe")
            connection.commit()
    except sqlite3.OperationalError as error:
        if is_last or "locked" not in str(error):
            raise
        return False
    return True


@contextlib.contextmanager
def explained(place: FlowPlace) -> Iterator[None]:
    """Turn an error of the database in the block into a HelixError.

    Raises:
        HelixError: There was an error.
    """
    try:
        yield
    except _ERRORS as error:
        raise explanation(place, error) from None


def explanation(place: FlowPlace, error: BaseException) -> HelixError:
    """Return an error as one with a message for people, which has no password."""
    if isinstance(error, HelixError):
        return error
    if not isinstance(error, _ERRORS):
        about = f"{type(error).__name__}: {error}"
        return HelixError(f"internal error: {about} (HELIX_HOOKS_DEBUG=1 shows where)")
    if isinstance(error, OSError):
        path = error.filename
        if isinstance(path, str) and not path.startswith(place.folder):
            return HelixError(f"{path}: {error.strerror}")
    reason = _reason(place, error)
    kind = UnreachableError if reason == _UNREACHABLE else DatabaseError
    return kind(f"{described(place)}: {reason}")


def _reason(place: FlowPlace, error: BaseException) -> str:
    """Return the reason of a database error. Its own text may have the URL with the password."""
    text = str(getattr(error, "orig", None) or error).lower()
    known = _POSTGRES if place.is_shared else _SQLITE
    for sign, reason in known:
        if sign in text:
            return reason
    if place.is_shared:
        return _UNREACHABLE
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return type(error).__name__


def described(place: FlowPlace) -> str:
    """Return the name of the database for a message."""
    if not place.is_shared:
        return f"the flow database {place.database}"
    url = sa.make_url(url_of(place))
    server = f"{url.host or 'localhost'}:{url.port or 5432}"
    return f"the flow database {url.database} on {server}"
