"""The outbox of a project: the last notice of each entry, and the messages that DBOS has to send.

Whatever is enqueued is in the same transaction as what it tells. The id of a message is that of its
notice and its channel, so nothing is enqueued twice. The sender runs what is enqueued.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import NamedTuple

import sqlalchemy as sa
from dbos import DBOSClient, EnqueueOptions, WorkflowStatus

from .. import codec
from ..config.notify import NotifySettings
from ..errors import HelixError
from ..flow.durable import transaction
from ..flow.place import FlowPlace
from ..flow.serializer import JsonSerializer
from ..flow.storage import explained
from ..text.masking import Secrets
from ..waiting.entry import REQUEST, Queue
from .notices import Covered, Ending, Notice, QueueChanges, changes, entry_key
from .recipients import Address, addresses

REQUEST_CHANGED, MESSAGE = "request-changed", "message"
"""The workflows of the sender."""

_LOCK = 0x68656C6979
"""The number of the lock under which one process notes changes in a PostgreSQL database."""

_CHUNK = 500
_DAYS = 90 * 24 * 3600
"""Seconds for which the last notice of a closed entry is stored, and the record of a message."""

SEEN = sa.Table(
    "helix_seen",
    sa.MetaData(),
    sa.Column("entry", sa.Text, primary_key=True),
    sa.Column("notice", sa.Text, nullable=False),
    sa.Column("is_open", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
"""The last notice of each entry; `is_open` is 1 while it waits."""


def application(project: str) -> str:
    """Return the name of a project's sender in DBOS, given by the key of the project.

    It is also the name of the queue of changed requests, which are read one by one.
    """
    return f"notices-{hashlib.sha256(project.encode()).hexdigest()[:16]}"


def messages_of(name: str) -> str:
    """Return the queue of a sender's messages, with a partition for each channel."""
    return f"{name}.messages"


@contextlib.contextmanager
def client_of(engine: sa.Engine) -> Iterator[DBOSClient]:
    """Yield a client of DBOS that writes in transactions of the engine."""
    client = DBOSClient(
        system_database_engine=engine,
        serializer=JsonSerializer(),
        retry_connection_errors=False,
        lazy=True,
    )
    try:
        yield client
    finally:
        client.destroy()


def enqueue_change(
    client: DBOSClient, connection: sa.Connection, project: str, request: str
) -> None:
    """Enqueue the news of a request in the transaction that changes it."""
    name = application(project)
    client.enqueue_in_transaction(
        connection,
        {"queue_name": name, "workflow_name": REQUEST_CHANGED, "application_name": name},
        request,
    )


class Message(NamedTuple):
    """A message that waits. `failures` counts attempts; with `uncertain` one may have arrived."""

    to: Address
    notices: tuple[Notice, ...]
    failures: int = 0
    uncertain: bool = False


def message_options(name: str, to: Address, delay: float) -> EnqueueOptions:
    """Return the options of DBOS for a message that is sent after some seconds."""
    return {
        "queue_name": messages_of(name),
        "workflow_name": MESSAGE,
        "application_name": name,
        "queue_partition_key": json.dumps(to),
        "delay_seconds": delay,
    }


class Look(NamedTuple):
    """Entries that were read. `covered` and `endings` are those of `notices.changes`, `untold`
    the notices of `never_told`.
    """

    queue: Queue
    covered: Covered = Covered()
    endings: Mapping[str, Ending] = MappingProxyType({})
    untold: tuple[Notice, ...] = ()


class Outbox:
    """The outbox of a project. Every method raises HelixError."""

    def __init__(self, place: FlowPlace, engine: sa.Engine, client: DBOSClient, key: str) -> None:
        self._place, self._engine, self.client = place, engine, client
        self.name = application(key)

    def note(self, look: Look, settings: NotifySettings, secrets: Secrets) -> int:
        """Store what has changed, and enqueue its messages; return the number of new ones."""
        with explained(self._place), self._engine.connect() as connection:
            news = _changes(connection, look, secrets)
            if not (news.new or news.ends or self._missing(news, settings)):
                return 0  # without the lock, which would delay people who are deciding
        with explained(self._place), transaction(self._engine) as connection:
            if connection.dialect.name != "sqlite":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            news = _changes(connection, look, secrets)
            missing = self._missing(news, settings)
            for id, message in missing.items():
                options = message_options(self.name, message.to, settings.batch)
                options["workflow_id"] = id
                self.client.enqueue_in_transaction(connection, options, codec.plain(message))
            for notice in (*news.new, *news.ends):
                _remember(connection, notice)
            return len(missing)

    def open_notices(self) -> dict[str, Notice]:
        """Return the last notices of the entries that were pending at the last look."""
        with explained(self._place), self._engine.connect() as connection:
            return _notices(connection, SEEN.c.is_open == 1)

    def newest(self, entries: Iterable[str]) -> dict[str, Notice]:
        """Return the last notices of some entries."""
        with explained(self._place), self._engine.connect() as connection:
            return _of_entries(connection, entries)

    def is_due(self, linger: float = 0.0) -> bool:
        """Return whether anything is to be sent now or in the next `linger` seconds."""
        soon = (time.time() + linger) * 1000
        return any(
            item.status != "DELAYED" or (item.delay_until_epoch_ms or 0) <= soon
            for item in self.waiting()
        )

    def waiting(self) -> list[WorkflowStatus]:
        """Return what the sender has not ended: messages, and requests that have changed."""
        with explained(self._place):
            return self.client.list_workflows(
                application_name=self.name,
                status=["ENQUEUED", "DELAYED", "PENDING"],
                load_input=False,
                load_output=False,
            )

    def forget(self) -> None:
        """Remove what is older than 90 days and has ended."""
        before = int(time.time()) - _DAYS
        while old := self.client.list_workflows(
            application_name=self.name,
            completed_before=datetime.fromtimestamp(before, UTC).isoformat(),
            limit=_CHUNK,
            load_input=False,
            load_output=False,
        ):
            self.client.delete_workflows([item.workflow_id for item in old])
        with explained(self._place), self._engine.begin() as connection:
            is_old = (SEEN.c.is_open == 0) & (SEEN.c.at < before)
            connection.execute(sa.delete(SEEN).where(is_old))

    def _missing(self, news: QueueChanges, settings: NotifySettings) -> dict[str, Message]:
        """Return the messages that were never enqueued, by their ids.

        So a person who is added to the settings also gets what waits already.
        """
        wanted = {}
        for notice in (*news.current, *news.ends):
            for to in addresses(notice, settings):
                id = f"{self.name}:{notice.key}:{to.owner}/{to.channel}"
                wanted[id] = Message(to, (notice,))
        for chunk in _chunks(list(wanted)):
            there = self.client.list_workflows(
                workflow_ids=chunk, load_input=False, load_output=False
            )
            for item in there:
                del wanted[item.workflow_id]
        return wanted


def _changes(connection: sa.Connection, look: Look, secrets: Secrets) -> QueueChanges:
    last = _notices(connection, SEEN.c.is_open == 1)
    keyed = {entry_key(item.source, item.project, item.id): item for item in look.queue.entries}
    keys = [*keyed, *(notice.entry for notice in look.untold)]
    before = _of_entries(connection, [key for key in keys if key not in last])
    for notice in look.untold:
        if notice.entry not in before:
            last.setdefault(notice.entry, notice)
    # A request never waits again after its end: such an entry was read before it.
    ended = {key for key, notice in before.items() if notice.source == REQUEST and notice.is_end}
    entries = tuple(item for key, item in keyed.items() if key not in ended)
    return changes(
        look.queue._replace(entries=entries),
        last,
        look.covered,
        look.endings,
        secrets,
        closed=before,
    )


def _remember(connection: sa.Connection, notice: Notice) -> None:
    text = json.dumps(codec.plain(notice, short=True))
    values = {"notice": text, "is_open": int(not notice.is_end), "at": int(time.time())}
    mine = sa.update(SEEN).where(SEEN.c.entry == notice.entry)
    if not connection.execute(mine.values(values)).rowcount:
        connection.execute(sa.insert(SEEN).values(entry=notice.entry, **values))


def _of_entries(connection: sa.Connection, entries: Iterable[str]) -> dict[str, Notice]:
    notices = {}
    for chunk in _chunks(list(dict.fromkeys(entries))):
        notices.update(_notices(connection, SEEN.c.entry.in_(chunk)))
    return notices


def _notices(connection: sa.Connection, where: sa.ColumnElement[bool]) -> dict[str, Notice]:
    rows = connection.execute(sa.select(SEEN.c.entry, SEEN.c.notice).where(where))
    try:
        return {row.entry: codec.lenient(codec.parsed(row.notice), Notice) for row in rows}
    except ValueError:
        raise HelixError("a notice in the database was changed, and can't be read") from None


def _chunks(items: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]
