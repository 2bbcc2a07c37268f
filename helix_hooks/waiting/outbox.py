"""Choose messages to send now: batches, limits, pauses after a failure. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..config.notify import DECIDED, NotifySettings
from .notices import Notice
from .recipients import Address, has_asked

HOUR = 3600
PAUSES = (60, 5 * 60, 15 * 60, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR)
"""Seconds until the next attempt after each failed one; after the last the message is given up."""
MOST_UNCERTAIN = 2
"""Maximum attempts after a delivery whose result is unknown."""


class OutboxRow(NamedTuple):
    """A notice to a channel. It is sent at `next_at` or later.

    `is_uncertain`: an attempt was interrupted, so it is unknown whether it was sent.
    """

    number: int
    notice: Notice
    to: Address
    created_at: int
    next_at: int = 0
    is_uncertain: bool = False


class Batch(NamedTuple):
    """The rows that one message to a channel contains, and the outdated rows."""

    to: Address
    rows: tuple[OutboxRow, ...]
    dropped: tuple[OutboxRow, ...] = ()


def next_attempt(attempts: int, now: int, uncertain: bool = False) -> int:
    """Return when to try again after some failed attempts; 0 for never.

    There are fewer attempts if it is `uncertain` whether the last one has arrived.
    """
    most = MOST_UNCERTAIN if uncertain else len(PAUSES)
    if attempts > most:
        return 0
    return now + PAUSES[attempts - 1]


def due(
    rows: Iterable[OutboxRow],
    current: Mapping[str, Notice],
    sent: Mapping[Address, int],
    settings: NotifySettings,
    now: int,
) -> list[Batch]:
    """Return the batches to send now.

    `current` is the last notice of each entry, `sent` the number of messages to a channel in the
    last hour.
    """
    by_address: dict[Address, list[OutboxRow]] = defaultdict(list)
    for row in rows:
        by_address[row.to].append(row)
    batches = []
    for to, waiting in by_address.items():
        if _is_ready(waiting, settings, now) and sent.get(to, 0) < settings.most:
            batches.append(_batch(to, waiting, current))
    return batches


def _is_ready(rows: list[OutboxRow], settings: NotifySettings, now: int) -> bool:
    """Return whether the oldest row has waited long enough, and no retry pause is active."""
    oldest = min(row.created_at for row in rows)
    return oldest + settings.batch <= now and all(row.next_at <= now for row in rows)


def _batch(to: Address, rows: list[OutboxRow], current: Mapping[str, Notice]) -> Batch:
    """Return a batch with only the last change of each entry.

    If an entry begins and ends within the batch, only the requester and shared channels get the
    decision.
    """
    last = {row.notice.entry: row for row in sorted(rows, key=lambda row: row.number)}
    began = {row.notice.entry for row in rows if row.notice.event != DECIDED}
    included, dropped = list[OutboxRow](), list[OutboxRow]()
    for row in rows:
        newest = current.get(row.notice.entry, row.notice)
        is_last = last[newest.entry] is row and newest.key == row.notice.key
        is_news = newest.event != DECIDED or newest.entry not in began or _cares(to, newest)
        if is_last and is_news:
            included.append(row._replace(notice=newest))  # it may have another commit or deadline
        else:
            dropped.append(row)
    return Batch(to, tuple(included), tuple(dropped))


def _cares(to: Address, notice: Notice) -> bool:
    return to.is_shared or has_asked(notice, to.owner)
