"""The tables of the queue, created and migrated if necessary.

Alembic is loaded only for a migration.
"""

import os

import sqlalchemy as sa

from ..flow.durable import transaction
from ..flow.place import FlowPlace
from ..flow.storage import DatabaseError, described, explained, make_file

VERSIONS = "helix_queue_version"
"""The table of Alembic with the newest step that was made."""

REVISIONS = ("0001", "0002", "0003", "0004")
"""The steps in their order."""

_LOCK = 0x68656C6978
"""The number of the lock under which one process makes the tables of a PostgreSQL database."""

_TABLES = sa.MetaData()
_ID = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

REQUESTS = sa.Table(
    "helix_requests",
    _TABLES,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("id", _ID, nullable=False, unique=True),
    sa.Column("project", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("due_at", sa.BigInteger, nullable=False, index=True),
    sa.Column("content", sa.Text, nullable=False),
    sa.Column("mark", sa.Text, unique=True),
    sa.Column("document", sa.Text, nullable=False),
)
"""Requests: `number` is that of the event that opened it, `due_at` the next deadline (0: none),
`content` the hash of the question, `mark` that of the requester's key.
"""

EVENTS = sa.Table(
    "helix_events",
    _TABLES,
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("request", _ID, nullable=False),
    sa.Column("mark", sa.Text, unique=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
    sa.Column("signature", sa.Text, nullable=False),
)
"""The audit trail: rows are only added. `mark` identifies an imported event."""

TRAIL = sa.Table(
    "helix_trail",
    _TABLES,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, nullable=False),
    sa.Column("hash", sa.Text, nullable=False),
)
"""One row: the end of the trail. A writer locks it first, so that only one writes at a time."""

PULL_DECISIONS = sa.table(
    "helix_pull_decisions",
    sa.column("project", sa.Text),
    sa.column("number", sa.BigInteger),
    sa.column("status", sa.Text),
    sa.column("voter", sa.Text),
    sa.column("decided_at", sa.BigInteger),
)
"""A view: the last decision on each pull request that the trail has imported. `voter` is the login
of the last vote that agrees, NULL for none.
"""

DECIDED = sa.table(
    "helix_decided",
    sa.column("project", sa.Text),
    sa.column("type", sa.Text),
    sa.column("outcome", sa.Text),
    sa.column("decided_by", sa.Text),
    sa.column("asked_at", sa.BigInteger),
    sa.column("decided_at", sa.BigInteger),
)
"""A view: the requests and pull requests that are decided or expired."""


def ready(place: FlowPlace, engine: sa.Engine) -> None:
    """Create the tables, or migrate them, if necessary. Raises HelixError."""
    with explained(place):
        version = _version_at(place, engine)
        if version == REVISIONS[-1]:
            return
        if version and version not in REVISIONS:
            raise DatabaseError(
                f"{described(place)} was used by a newer helix-hooks (step {version} of the queue, "
                f"this one has {REVISIONS[-1]}); upgrade helix-hooks"
            )
        if not place.is_shared:
            make_file(place)  # also where another process was killed while it made the file
        with transaction(engine) as connection:
            _upgrade(connection)


def require_tables(place: FlowPlace, engine: sa.Engine) -> None:
    """Raise HelixError if nothing was ever stored, so that there is nothing to verify."""
    with explained(place):
        version = _version_at(place, engine)
    if not version:
        raise DatabaseError(f"{described(place)} has no requests yet, so nothing was verified")


def _version_at(place: FlowPlace, engine: sa.Engine) -> str:
    """Return the newest step that was made, "" for none; nothing is made for it."""
    if not place.is_shared and not os.path.exists(place.database):
        return ""
    with engine.connect() as connection:
        return _version(connection)


def _version(connection: sa.Connection) -> str:
    """Return the newest step that was made, "" for none."""
    if not sa.inspect(connection).has_table(VERSIONS):
        return ""
    query: sa.Select[str] = sa.select(sa.column("version_num")).select_from(sa.table(VERSIONS))
    return connection.scalar(query) or ""


def _upgrade(connection: sa.Connection) -> None:
    """Run all missing steps in one transaction, while no other process does."""
    if connection.dialect.name != "sqlite":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
    if _version(connection) == REVISIONS[-1]:
        return  # another process made them while this one waited
    from alembic import command
    from alembic.config import Config

    folder = os.path.join(os.path.dirname(__file__), "migrations")
    config = Config()
    config.set_main_option("script_location", folder.replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
