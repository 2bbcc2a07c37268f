"""The outbox: notices that are to be sent, are sent, or were given up.

A row is claimed before it is sent, so of several programs one sends it. `claimed` rows have not
left yet; `sending` ones may have. Where a program dies in between, its lease ends: a claimed row is
taken by another one, and a sending one is sent again and marked, since nobody can know whether the
first message arrived.
"""

import contextlib
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from ..config.notify import NotifySettings
from ..flow.place import FlowPlace
from ..flow.storage import explained
from ..text.masking import Secrets
from ..waiting.entry import Queue
from ..waiting.notices import Covered, Ending, Notice, QueueChanges, changes, entry_key
from ..waiting.outbox import Batch, due
from ..waiting.recipients import Address, addresses, owners
from .database import engine_of, time_of, transaction
from .notice_rows import (
    closed_notices,
    current_notices,
    fail,
    forget,
    insert,
    is_left,
    last_notices,
    missing_rows,
    others_told,
    release,
    remember,
    sent_lately,
    set_rows,
    waiting_rows,
)
from .notice_tables import CLAIMED, DROPPED, FAILED, NOTICES, SENDING, SENT, WAITING
from .schema import ready

LEASE = 120
"""Seconds for which a claim is valid; a courier is killed before."""

_LOCK = 0x68656C6979
"""The number of the lock under which one process claims rows of a PostgreSQL database."""


class MessageClaim(NamedTuple):
    """The rows of a message that this process has claimed for sending."""

    id: str
    to: Address
    notices: tuple[Notice, ...]
    is_repeated: bool


class ClaimEnd(NamedTuple):
    """The result of a claim, with the error and the time of the next attempt."""

    status: str
    error: str
    next_at: int


class ChannelState(NamedTuple):
    """The record of a channel. `error` is that of the last attempt, "" for none."""

    to: Address
    waiting: int
    sent: int
    failed: int
    error: str
    next_at: int


class Outbox:
    """The outbox of a database. Every method raises HelixError."""

    def __init__(
        self, place: FlowPlace, engine: sa.Engine, clock: Callable[[], int] | None
    ) -> None:
        self._place, self._engine, self._clock = place, engine, clock

    def note(
        self,
        queue: Queue,
        covered: Covered,
        endings: Mapping[str, Ending],
        settings: NotifySettings,
        secrets: Secrets,
    ) -> int:
        """Add changes to the outbox, and return the number of new rows.

        `covered` and `endings` are those of `waiting.notices.changes`.
        """
        with explained(self._place), self._engine.connect() as connection:
            last = last_notices(connection)
            keys = (entry_key(item.source, item.project, item.id) for item in queue.entries)
            closed = closed_notices(connection, [key for key in keys if key not in last])
            queue_changes = changes(queue, last, covered, endings, secrets, closed=closed)
            deliveries = _deliveries(connection, queue_changes, settings)
            missing = missing_rows(connection, deliveries)
        # Do not take the lock without need: it would delay people who are deciding.
        if not (missing or queue_changes.new or queue_changes.ends):
            return 0
        with self._transaction() as connection:
            now = self._now(connection)
            for notice in (*queue_changes.new, *queue_changes.ends):
                remember(connection, notice, now)
            return insert(connection, missing_rows(connection, missing), now)

    def open_entries(self) -> dict[str, Notice]:
        """Return the last notices of the entries that were pending at the last run."""
        with explained(self._place), self._engine.connect() as connection:
            return last_notices(connection)

    def is_due(self, settings: NotifySettings) -> bool:
        """Return whether messages are due or outdated."""
        with explained(self._place), self._engine.connect() as connection:
            left = sa.select(NOTICES.c.number).where(is_left(self._now(connection))).limit(1)
            if connection.scalar(left) is not None:
                return True
            return bool(self._batches(connection, settings))

    def claim(self, settings: NotifySettings) -> tuple[MessageClaim, ...]:
        """Claim the messages to send now."""
        with self._transaction() as connection:
            now = self._now(connection)
            forget(connection, now)
            release(connection, now)
            batches = self._batches(connection, settings)
            for batch in batches:
                set_rows(connection, batch.dropped, status=DROPPED, claim="", ended_at=now)
            return tuple(_claimed(connection, batch, now) for batch in batches if batch.rows)

    def start(self, claim: str) -> bool:
        """Record that a message is being sent. Return whether the claim is still valid."""
        with self._transaction() as connection:
            begin = sa.update(NOTICES).where(NOTICES.c.claim == claim, NOTICES.c.status == CLAIMED)
            return connection.execute(begin.values(status=SENDING)).rowcount > 0

    def sent(self, claim: str) -> None:
        """Record that a channel has accepted a message."""
        with self._transaction() as connection:
            end = sa.update(NOTICES).where(NOTICES.c.claim == claim, NOTICES.c.status == SENDING)
            now = self._now(connection)
            connection.execute(end.values(status=SENT, ended_at=now, error="", uncertain=0))

    def failed(self, claim: str, error: str, *, uncertain: bool = False) -> None:
        """Record a failed attempt; the next one follows after a pause, or never.

        It is `uncertain` if the message may have arrived nevertheless.
        """
        with self._transaction() as connection:
            mine = (NOTICES.c.claim == claim) & NOTICES.c.status.in_((CLAIMED, SENDING))
            fail(connection, mine, error, uncertain, self._now(connection))

    def ends(self, claims: list[str]) -> dict[str, ClaimEnd]:
        """Return the results of claims."""
        columns = NOTICES.c.claim, NOTICES.c.status, NOTICES.c.error, NOTICES.c.next_at
        query = sa.select(*columns).where(NOTICES.c.claim.in_(claims)).distinct()
        with explained(self._place), self._engine.connect() as connection:
            rows = connection.execute(query).all()
        return {row.claim: ClaimEnd(row.status, row.error, row.next_at) for row in rows}

    def states(self) -> tuple[ChannelState, ...]:
        """Return the state of each channel that has ever had a notice."""
        with explained(self._place), self._engine.connect() as connection:
            rows = connection.execute(
                sa.select(
                    NOTICES.c.owner,
                    NOTICES.c.channel,
                    NOTICES.c.status,
                    NOTICES.c.error,
                    NOTICES.c.next_at,
                ).order_by(NOTICES.c.number)
            ).all()
        found: dict[Address, ChannelState] = {}
        for row in rows:
            to = Address(row.owner, row.channel)
            state = found.get(to) or ChannelState(
                to=to, waiting=0, sent=0, failed=0, error="", next_at=0
            )
            found[to] = _counted(state, row.status, row.error, row.next_at)
        return tuple(found[to] for to in sorted(found))

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sa.Connection]:
        with explained(self._place), transaction(self._engine) as connection:
            if connection.dialect.name != "sqlite":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            yield connection

    def _now(self, connection: sa.Connection) -> int:
        return self._clock() if self._clock else time_of(connection)

    def _batches(self, connection: sa.Connection, settings: NotifySettings) -> list[Batch]:
        now = self._now(connection)
        rows = waiting_rows(connection, owners(settings))
        notices, sent = current_notices(connection, rows), sent_lately(connection, now)
        return due(rows, notices, sent, settings, now)


@contextlib.contextmanager
def opened(place: FlowPlace, *, clock: Callable[[], int] | None = None) -> Iterator[Outbox]:
    """Return the outbox at a place. Raises HelixError. A `clock` of one's own is for tests."""
    engine = engine_of(place)
    try:
        ready(place, engine)
        yield Outbox(place, engine, clock)
    finally:
        engine.dispose()


def _deliveries(
    connection: sa.Connection, queue_changes: QueueChanges, settings: NotifySettings
) -> list[tuple[Notice, Address]]:
    """Return each notice with each address that gets it.

    The end of an entry goes to all who were told of the entry.
    """
    deliveries: list[tuple[Notice, Address]] = []
    for notice in (*queue_changes.current, *queue_changes.ends):
        deliveries += [(notice, address) for address in addresses(notice, settings)]
    channel_owners = owners(settings)
    for end in queue_changes.ends:
        others = others_told(connection, end, channel_owners)
        deliveries += [(end, address) for address in others]
    return deliveries


def _claimed(connection: sa.Connection, batch: Batch, now: int) -> MessageClaim:
    id = str(uuid.uuid4())
    is_repeated = any(row.is_uncertain for row in batch.rows)
    set_rows(
        connection,
        batch.rows,
        status=CLAIMED,
        claim=id,
        lease=now + LEASE,
        uncertain=int(is_repeated),
    )
    return MessageClaim(id, batch.to, tuple(row.notice for row in batch.rows), is_repeated)


def _counted(state: ChannelState, status: str, error: str, next_at: int) -> ChannelState:
    is_open = status in (WAITING, CLAIMED, SENDING)
    return state._replace(
        waiting=state.waiting + is_open,
        sent=state.sent + (status == SENT),
        failed=state.failed + (status == FAILED),
        error=error if status != DROPPED else state.error,
        next_at=max(state.next_at, next_at) if is_open else state.next_at,
    )
