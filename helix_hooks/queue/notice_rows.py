"""The rows of the outbox: the tables, and what is read and written in a transaction."""

from collections.abc import Collection, Iterator

import sqlalchemy as sa

from ..waiting.notice_json import notice_from, notice_text
from ..waiting.notices import Notice
from ..waiting.outbox import HOUR, OutboxRow, next_attempt
from ..waiting.recipients import Address
from .notice_tables import CLAIMED, FAILED, NOTICES, SEEN, SENDING, SENT, WAITING

_KEPT = 90 * 24 * HOUR
"""Seconds for which ended rows are kept."""

_MOST = 10_000
"""Rows that are looked at in one go, the oldest ones."""

_CHUNK = 500
_ENDED = "the program was ended while it sent"
Row = tuple[Notice, Address]
"""A notice to a channel."""


def last_notices(connection: sa.Connection) -> dict[str, Notice]:
    query = sa.select(SEEN.c.entry, SEEN.c.notice).where(SEEN.c.is_open == 1)
    return {row.entry: notice_from(row.notice) for row in connection.execute(query)}


def closed_notices(connection: sa.Connection, entries: list[str]) -> dict[str, Notice]:
    """Return the notices of the ends of some entries that do not wait by the last look."""
    found = {}
    for chunk in _chunks(entries):
        where = SEEN.c.entry.in_(chunk), SEEN.c.is_open == 0
        for row in connection.execute(sa.select(SEEN.c.entry, SEEN.c.notice).where(*where)):
            found[row.entry] = notice_from(row.notice)
    return found


def remember(connection: sa.Connection, notice: Notice, now: int) -> None:
    values = {"notice": notice_text(notice), "is_open": int(not notice.is_end), "at": now}
    mine = sa.update(SEEN).where(SEEN.c.entry == notice.entry)
    if not connection.execute(mine.values(values)).rowcount:
        connection.execute(sa.insert(SEEN).values(entry=notice.entry, **values))


def others_told(
    connection: sa.Connection, end: Notice, owners: Collection[str]
) -> Iterator[Address]:
    """Yield the channels of other notification files that already got a notice of an entry.

    Several programs with a file each may share a database.
    """
    told = sa.select(NOTICES.c.owner, NOTICES.c.channel).where(NOTICES.c.entry == end.entry)
    for row in connection.execute(told.distinct()):
        if row.owner not in owners:
            yield Address(row.owner, row.channel)


def missing_rows(connection: sa.Connection, wanted: Collection[Row]) -> list[Row]:
    """Return the notices, each with a channel, that have no row yet."""
    keys = list(dict.fromkeys(notice.key for notice, _ in wanted))
    columns = NOTICES.c.change, NOTICES.c.owner, NOTICES.c.channel
    there: set[tuple[str, str, str]] = set()
    for chunk in _chunks(keys):
        query = sa.select(*columns).where(NOTICES.c.change.in_(chunk))
        there.update((row.change, row.owner, row.channel) for row in connection.execute(query))
    rows = {(notice.key, *to): (notice, to) for notice, to in wanted}
    return [row for key, row in rows.items() if key not in there]


def insert(connection: sa.Connection, rows: Collection[Row], now: int) -> int:
    """Add rows, and return their number."""
    values = [
        {
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
        for notice, to in rows
    ]
    if values:
        connection.execute(sa.insert(NOTICES), values)
    return len(values)


def waiting_rows(connection: sa.Connection, owners: Collection[str]) -> list[OutboxRow]:
    """Return the rows to send to some owners."""
    query = sa.select(NOTICES).where(NOTICES.c.status == WAITING, NOTICES.c.owner.in_(owners))
    return [
        OutboxRow(
            number=row.number,
            notice=notice_from(row.notice),
            to=Address(row.owner, row.channel),
            created_at=row.created_at,
            next_at=row.next_at,
            is_uncertain=bool(row.uncertain),
        )
        for row in connection.execute(query.order_by(NOTICES.c.number).limit(_MOST))
    ]


def current_notices(connection: sa.Connection, rows: Collection[OutboxRow]) -> dict[str, Notice]:
    """Return the last notice of each entry."""
    entries = list(dict.fromkeys(row.notice.entry for row in rows))
    found = {}
    for chunk in _chunks(entries):
        query = sa.select(SEEN.c.entry, SEEN.c.notice).where(SEEN.c.entry.in_(chunk))
        for row in connection.execute(query):
            found[row.entry] = notice_from(row.notice)
    return found


def sent_lately(connection: sa.Connection, now: int) -> dict[Address, int]:
    """Return the number of messages of each channel in the last hour, with those being sent."""
    is_sent = (NOTICES.c.status == SENT) & (NOTICES.c.ended_at > now - HOUR)
    is_leaving = NOTICES.c.status.in_((CLAIMED, SENDING)) & (NOTICES.c.lease > now)
    number: sa.ColumnElement[int] = sa.func.count(sa.distinct(NOTICES.c.claim))
    query = (
        sa.select(NOTICES.c.owner, NOTICES.c.channel, number.label("number"))
        .where(is_sent | is_leaving)
        .group_by(NOTICES.c.owner, NOTICES.c.channel)
    )
    return {Address(row.owner, row.channel): row.number for row in connection.execute(query)}


def release(connection: sa.Connection, now: int) -> None:
    """Release the claims of programs that have died."""
    left = is_left(now)
    connection.execute(
        sa.update(NOTICES)
        .where(left, NOTICES.c.status == CLAIMED)
        .values(status=WAITING, claim="", lease=0)
    )
    fail(connection, left & (NOTICES.c.status == SENDING), _ENDED, True, now)


def is_left(now: int) -> sa.ColumnElement[bool]:
    return NOTICES.c.status.in_((CLAIMED, SENDING)) & (NOTICES.c.lease <= now)


def fail(
    connection: sa.Connection,
    where: sa.ColumnElement[bool],
    error: str,
    uncertain: bool,
    now: int,
) -> None:
    """Record a failed attempt of some rows, which may have failed at different times before."""
    before = connection.scalars(sa.select(NOTICES.c.attempts).where(where).distinct()).all()
    for attempts in sorted(before, reverse=True):  # a row is counted once
        again = next_attempt(attempts + 1, now, uncertain)
        values: dict[str, object] = {
            "status": WAITING if again else FAILED,
            "attempts": attempts + 1,
            "next_at": again,
            "error": error,
            "ended_at": 0 if again else now,
        }
        if uncertain:
            values["uncertain"] = 1
        mine = sa.update(NOTICES).where(where, NOTICES.c.attempts == attempts)
        connection.execute(mine.values(values))


def set_rows(connection: sa.Connection, rows: Collection[OutboxRow], **values: object) -> None:
    """Set columns of some rows."""
    for chunk in _chunks([row.number for row in rows]):
        connection.execute(sa.update(NOTICES).where(NOTICES.c.number.in_(chunk)).values(values))


def forget(connection: sa.Connection, now: int) -> None:
    """Remove old rows, and waiting rows of channels that no file has any more."""
    before = now - _KEPT
    ended = (NOTICES.c.ended_at > 0) & (NOTICES.c.ended_at < before)
    lost = (NOTICES.c.status == WAITING) & (NOTICES.c.created_at < before)
    connection.execute(sa.delete(NOTICES).where(ended | lost))
    connection.execute(sa.delete(SEEN).where(SEEN.c.is_open == 0, SEEN.c.at < before))


def _chunks(items: list[str] | list[int]) -> Iterator[list[str] | list[int]]:
    for start in range(0, len(items), _CHUNK):
        yield items[start : start + _CHUNK]
