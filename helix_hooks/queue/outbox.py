"""The outbox: notices that are to be sent, are sent, or were given up.

A row is claimed before it is sent, so of several programs one sends it. `claimed` rows have not
left yet; `sending` ones may have. Where a program dies in between, its lease ends: a claimed row is
taken by another one, and a sending one is sent again and marked, since nobody can know whether the
first message arrived.
"""

import contextlib
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import NamedTuple

import sqlalchemy as sa

from ..config.notify import NotifySettings
from ..flow.place import FlowPlace
from ..flow.storage import explained
from ..text.masking import Secrets
from ..waiting.entry import Queue
from ..waiting.notice_json import notice_from, notice_text
from ..waiting.notices import Address, Ending, Notice, addresses, changes, channels, notice_of
from ..waiting.outbox import HOUR, Batch, OutboxRow, due, next_attempt
from .database import engine_of, time_of, transaction
from .schema import ready

WAITING, CLAIMED, SENDING, SENT, FAILED, DROPPED = (
    "waiting",
    "claimed",
    "sending",
    "sent",
    "failed",
    "dropped",
)
LEASE = 120
"""Seconds for which a claim holds; a courier is ended before."""

_KEPT = 90 * 24 * HOUR
"""Seconds for which ended rows are kept."""

_MOST = 2_000
"""Rows that are looked at in one go, the oldest ones."""

_CHUNK = 500
_LOCK = 0x68656C6979
"""The number of the lock under which one process claims rows of a PostgreSQL database."""

_TABLES = sa.MetaData()
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")

SEEN = sa.Table(
    "helix_seen",
    _TABLES,
    sa.Column("entry", sa.Text, primary_key=True),
    sa.Column("notice", sa.Text, nullable=False),
    sa.Column("is_open", sa.Integer, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
"""The last notice of each entry; `is_open` is 1 while it waits."""

NOTICES = sa.Table(
    "helix_notices",
    _TABLES,
    sa.Column("number", _NUMBER, primary_key=True, autoincrement=True),
    sa.Column("change", sa.Text, nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("channel", sa.Text, nullable=False),
    sa.Column("notice", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("created_at", sa.BigInteger, nullable=False),
    sa.Column("next_at", sa.BigInteger, nullable=False),
    sa.Column("attempts", sa.Integer, nullable=False),
    sa.Column("uncertain", sa.Integer, nullable=False),
    sa.Column("claim", sa.Text, nullable=False),
    sa.Column("lease", sa.BigInteger, nullable=False),
    sa.Column("ended_at", sa.BigInteger, nullable=False),
    sa.Column("error", sa.Text, nullable=False),
)
"""A row for each change and channel. No address and no secret is in it."""


class Claim(NamedTuple):
    """The rows of a message that this program alone may send."""

    id: str
    to: Address
    notices: tuple[Notice, ...]
    is_repeated: bool


class ChannelState(NamedTuple):
    """What the outbox knows of a channel. `error` is that of the last attempt, "" for none."""

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
        read: Collection[tuple[str, str]],
        endings: Mapping[str, Ending],
        settings: NotifySettings,
        secrets: Secrets,
    ) -> int:
        """Put what has changed into the outbox, and return how many rows are new.

        `read` and `endings` are those of `waiting.notices.changes`.
        """
        with self._transaction() as connection:
            now = self._now(connection)
            last = _last(connection)
            found = list(changes(queue, last, read, endings, secrets))
            for notice in found:
                _remember(connection, notice, now)
            current = [notice_of(entry, secrets) for entry in queue.entries]
            ends = [notice for notice in found if notice.is_end]
            wanted = [(notice, to) for notice in (*current, *ends) for to in addresses(notice, settings)]
            wanted += [(end, to) for end in ends for to in _others(connection, end, settings)]
            return _insert(connection, wanted, now)

    def open_entries(self) -> dict[str, Notice]:
        """Return the last notices of the entries that waited when they were last looked at."""
        with explained(self._place), self._engine.connect() as connection:
            return _last(connection)

    def is_due(self, settings: NotifySettings, minute_in: Callable[[str, int], int]) -> bool:
        """Return whether there is something to send or to leave out now."""
        with explained(self._place), self._engine.connect() as connection:
            return bool(self._batches(connection, settings, minute_in))

    def claim(
        self, settings: NotifySettings, minute_in: Callable[[str, int], int]
    ) -> tuple[Claim, ...]:
        """Claim what is to be sent now; `minute_in` says the minute of the day in a zone at a
        time.
        """
        with self._transaction() as connection:
            now = self._now(connection)
            _forget(connection, now)
            batches = self._batches(connection, settings, minute_in)
            for batch in batches:
                _set(connection, batch.dropped, status=DROPPED, claim="", ended_at=now)
            return tuple(_claimed(connection, batch, now) for batch in batches if batch.told)

    def start(self, claim: str) -> bool:
        """Record that a message leaves now. Returns whether the claim still holds."""
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

        It is `uncertain` where the message may have arrived all the same.
        """
        with self._transaction() as connection:
            now = self._now(connection)
            mine = NOTICES.c.claim == claim, NOTICES.c.status.in_((CLAIMED, SENDING))
            attempts = connection.scalar(sa.select(sa.func.max(NOTICES.c.attempts)).where(*mine))
            if attempts is None:
                return
            connection.execute(
                sa.update(NOTICES).where(*mine).values(_after_failure(attempts + 1, now, error))
            )
            if uncertain:
                connection.execute(sa.update(NOTICES).where(NOTICES.c.claim == claim).values(uncertain=1))

    def states(self) -> tuple[ChannelState, ...]:
        """Return what is known of each channel that has ever had a notice."""
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

    def _batches(
        self,
        connection: sa.Connection,
        settings: NotifySettings,
        minute_in: Callable[[str, int], int],
    ) -> list[Batch]:
        now = self._now(connection)
        rows = [row for row in _open_rows(connection, now) if channels(settings, row.to.owner)]
        entries = list(dict.fromkeys(row.notice.entry for row in rows))
        current = {
            row.entry: notice_from(row.notice).key
            for chunk in _chunks(entries)
            for row in connection.execute(
                sa.select(SEEN.c.entry, SEEN.c.notice).where(SEEN.c.entry.in_(chunk))
            )
        }
        return due(
            rows, current, _sent(connection, now), settings, now, lambda zone: minute_in(zone, now)
        )


@contextlib.contextmanager
def opened(place: FlowPlace, *, clock: Callable[[], int] | None = None) -> Iterator[Outbox]:
    """Give the outbox of a place. Raises HelixError. A `clock` of one's own is for tests."""
    engine = engine_of(place)
    try:
        ready(place, engine)
        yield Outbox(place, engine, clock)
    finally:
        engine.dispose()


def _last(connection: sa.Connection) -> dict[str, Notice]:
    query = sa.select(SEEN.c.entry, SEEN.c.notice).where(SEEN.c.is_open == 1)
    return {row.entry: notice_from(row.notice) for row in connection.execute(query)}


def _remember(connection: sa.Connection, notice: Notice, now: int) -> None:
    values = {"notice": notice_text(notice), "is_open": int(not notice.is_end), "at": now}
    mine = sa.update(SEEN).where(SEEN.c.entry == notice.entry)
    if not connection.execute(mine.values(values)).rowcount:
        connection.execute(sa.insert(SEEN).values(entry=notice.entry, **values))


def _others(
    connection: sa.Connection, end: Notice, settings: NotifySettings
) -> Iterator[Address]:
    """Yield the channels of other files of notifications that were told of an entry before.

    Several programs with a file each may share a database.
    """
    told = sa.select(NOTICES.c.owner, NOTICES.c.channel).where(NOTICES.c.entry == end.entry)
    for row in connection.execute(told.distinct()):
        if not channels(settings, row.owner):
            yield Address(row.owner, row.channel)


def _insert(
    connection: sa.Connection, wanted: Collection[tuple[Notice, Address]], now: int
) -> int:
    """Add the rows that are not there yet."""
    keys = list(dict.fromkeys(notice.key for notice, _ in wanted))
    there = {
        (row.change, row.owner, row.channel)
        for chunk in _chunks(keys)
        for row in connection.execute(
            sa.select(NOTICES.c.change, NOTICES.c.owner, NOTICES.c.channel).where(
                NOTICES.c.change.in_(chunk)
            )
        )
    }
    new = {
        (notice.key, *to): {
            "change": notice.key,
            "entry": notice.entry,
            "owner": to.owner,
            "channel": to.channel,
            "notice": notice_text(notice),
            "status": WAITING,
            "created_at": now,
            "next_at": 0,
            "attempts": 0,
            "uncertain": 0,
            "claim": "",
            "lease": 0,
            "ended_at": 0,
            "error": "",
        }
        for notice, to in wanted
        if (notice.key, *to) not in there
    }
    if new:
        connection.execute(sa.insert(NOTICES), list(new.values()))
    return len(new)


def _open_rows(connection: sa.Connection, now: int) -> list[OutboxRow]:
    """Return the rows that wait, and those whose sender is gone."""
    is_left = NOTICES.c.status.in_((CLAIMED, SENDING)) & (NOTICES.c.lease <= now)
    query = sa.select(NOTICES).where((NOTICES.c.status == WAITING) | is_left)
    return [
        OutboxRow(
            number=row.number,
            notice=notice_from(row.notice),
            to=Address(row.owner, row.channel),
            created_at=row.created_at,
            next_at=row.next_at,
            attempts=row.attempts,
            is_uncertain=bool(row.uncertain) or row.status == SENDING,
        )
        for row in connection.execute(query.order_by(NOTICES.c.number).limit(_MOST))
    ]


def _sent(connection: sa.Connection, now: int) -> dict[Address, int]:
    """Return how many messages each channel got in the last hour, or is getting."""
    is_sent = (NOTICES.c.status == SENT) & (NOTICES.c.ended_at > now - HOUR)
    is_leaving = NOTICES.c.status.in_((CLAIMED, SENDING)) & (NOTICES.c.lease > now)
    number: sa.ColumnElement[int] = sa.func.count(sa.distinct(NOTICES.c.claim))
    query = (
        sa.select(NOTICES.c.owner, NOTICES.c.channel, number.label("number"))
        .where(is_sent | is_leaving)
        .group_by(NOTICES.c.owner, NOTICES.c.channel)
    )
    return {Address(row.owner, row.channel): row.number for row in connection.execute(query)}


def _claimed(connection: sa.Connection, batch: Batch, now: int) -> Claim:
    id = str(uuid.uuid4())
    is_repeated = any(row.is_uncertain for row in batch.told)
    _set(
        connection,
        batch.told,
        status=CLAIMED,
        claim=id,
        lease=now + LEASE,
        uncertain=int(is_repeated),
    )
    return Claim(id, batch.to, tuple(row.notice for row in batch.told), is_repeated)


def _after_failure(attempts: int, now: int, error: str) -> dict[str, object]:
    again = next_attempt(attempts, now)
    return {
        "status": WAITING if again else FAILED,
        "attempts": attempts,
        "next_at": again,
        "error": error,
        "ended_at": 0 if again else now,
    }


def _set(connection: sa.Connection, rows: Collection[OutboxRow], **values: object) -> None:
    for chunk in _chunks([row.number for row in rows]):
        connection.execute(sa.update(NOTICES).where(NOTICES.c.number.in_(chunk)).values(values))


def _forget(connection: sa.Connection, now: int) -> None:
    """Remove what ended long ago, and what waits for a channel that no file has any more."""
    before = now - _KEPT
    ended = (NOTICES.c.ended_at > 0) & (NOTICES.c.ended_at < before)
    lost = (NOTICES.c.status == WAITING) & (NOTICES.c.created_at < before)
    connection.execute(sa.delete(NOTICES).where(ended | lost))
    connection.execute(sa.delete(SEEN).where(SEEN.c.is_open == 0, SEEN.c.at < before))


def _counted(state: ChannelState, status: str, error: str, next_at: int) -> ChannelState:
    is_open = status in (WAITING, CLAIMED, SENDING)
    return state._replace(
        waiting=state.waiting + is_open,
        sent=state.sent + (status == SENT),
        failed=state.failed + (status == FAILED),
        error=error if status != DROPPED else state.error,
        next_at=max(state.next_at, next_at) if is_open else state.next_at,
    )


def _chunks(items: list[str] | list[int]) -> Iterator[list[str] | list[int]]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]
