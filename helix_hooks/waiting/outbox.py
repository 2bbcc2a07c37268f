"""Choose messages to send now: batches, limits, quiet hours, pauses after a failure. Pure."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from ..config.notify import DECIDED, NotifySettings, QuietHours
from .notices import Notice
from .recipients import Address, has_asked

HOUR = 3600
PAUSES = (60, 5 * 60, 15 * 60, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR)
"""Seconds until the next attempt after each failed one; after the last the message is given up."""
MOST_UNCERTAIN = 2
"""Attempts after one of which nobody knows whether it has arrived."""


class OutboxRow(NamedTuple):
    """A notice to a channel. It is sent at `next_at` or later.

    Where `is_uncertain`, an attempt was interrupted, and nobody knows whether it was sent.
    """

    number: int
    notice: Notice
    to: Address
    created_at: int
    next_at: int = 0
    is_uncertain: bool = False


class Batch(NamedTuple):
    """The rows that one message to a channel tells, and those that nobody needs any more."""

    to: Address
    told: tuple[OutboxRow, ...]
    dropped: tuple[OutboxRow, ...] = ()


def next_attempt(attempts: int, now: int, uncertain: bool = False) -> int:
    """Return when to try again after so many failed attempts; 0 for never.

    Where it is `uncertain` whether the last one has arrived, fewer follow.
    """
    most = MOST_UNCERTAIN if uncertain else len(PAUSES)
    return now + PAUSES[attempts - 1] if attempts <= most else 0


def due(
    rows: Iterable[OutboxRow],
    current: Mapping[str, Notice],
    sent: Mapping[Address, int],
    settings: NotifySettings,
    now: int,
    minute_in: Callable[[str], int],
) -> list[Batch]:
    """Return the batches to send now.

    `current` is the last notice of each entry, `sent` how many messages a channel got in the
    last hour. `minute_in` says the minute of the day in a time zone.
    """
    by_address: dict[Address, list[OutboxRow]] = defaultdict(list)
    for row in rows:
        by_address[row.to].append(row)
    quiet = {person.login: person.quiet for person in settings.people if person.quiet}
    found = []
    for to, waiting in by_address.items():
        hours = quiet.get(to.owner)
        is_quiet = hours is not None and is_in(hours, minute_in(hours.zone))
        is_ready = _is_ready(waiting, settings, now)
        if is_ready and not is_quiet and sent.get(to, 0) < settings.most:
            found.append(_batch(to, waiting, current))
    return found


def is_in(hours: QuietHours, minute: int) -> bool:
    """Return whether a minute of the day is in the quiet hours."""
    if hours.start < hours.end:
        return hours.start <= minute < hours.end
    return minute >= hours.start or minute < hours.end


def _is_ready(rows: list[OutboxRow], settings: NotifySettings, now: int) -> bool:
    """Return whether the oldest row has waited for others, and no pause after a failure lasts."""
    oldest = min(row.created_at for row in rows)
    return oldest + settings.batch <= now and all(row.next_at <= now for row in rows)


def _batch(to: Address, rows: list[OutboxRow], current: Mapping[str, Notice]) -> Batch:
    """Return a batch without what has changed since: the last change of an entry is told.

    A decision about what a person was never told of is told to the asker and to shared channels.
    """
    last = {row.notice.entry: row for row in sorted(rows, key=lambda row: row.number)}
    began = {row.notice.entry for row in rows if row.notice.event != DECIDED}
    told, dropped = list[OutboxRow](), list[OutboxRow]()
    for row in rows:
        newest = current.get(row.notice.entry, row.notice)
        is_last = last[newest.entry] is row and newest.key == row.notice.key
        is_news = newest.event != DECIDED or newest.entry not in began or _cares(to, newest)
        if is_last and is_news:
            told.append(row._replace(notice=newest))  # it may have another commit or deadline
        else:
            dropped.append(row)
    return Batch(to, tuple(told), tuple(dropped))


def _cares(to: Address, notice: Notice) -> bool:
    return to.is_shared or has_asked(notice, to.owner)
