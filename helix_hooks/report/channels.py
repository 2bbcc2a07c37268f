"""The channels of notifications and what the outbox knows of them, as a table and as JSON."""

from collections.abc import Sequence
from typing import NamedTuple

from ..text.moment import moment
from ..text.sanitize import at_line_start, printable
from .json import dumped

VERSION = 1


class ChannelRow(NamedTuple):
    """A channel of the file of notifications, without its address.

    `owner` is a login, or "projects:GLOB". `kind` is that of the address, as in slack. `error` is
    that of the last attempt, `next_at` the time of the next one, 0 for none.
    """

    owner: str
    channel: str
    kind: str
    events: tuple[str, ...]
    waiting: int = 0
    sent: int = 0
    failed: int = 0
    error: str = ""
    next_at: int = 0


def as_json(path: str, rows: Sequence[ChannelRow]) -> str:
    """Return the channels for programs."""
    channels = [{**row._asdict(), "events": list(row.events)} for row in rows]
    return dumped({"version": VERSION, "file": path, "channels": channels}, len(rows))


def as_text(path: str, rows: Sequence[ChannelRow]) -> str:
    """Return a line a channel, with the last error beneath."""
    if not rows:
        return f"{at_line_start(path)} names no channel\n"
    width = max(len(_name(row)) for row in rows)
    return "".join(f"{line}\n" for row in rows for line in _lines(row, width))


def _lines(row: ChannelRow, width: int) -> list[str]:
    counts = f"{row.sent} sent, {row.waiting} waiting, {row.failed} given up"
    head = f"{_name(row):<{width}}  {row.kind:<10}  {counts}  ({', '.join(row.events)})"
    if not row.error:
        return [head]
    again = f"; next attempt {moment(row.next_at)}" if row.next_at else ""
    return [head, f"{'':<{width}}  {printable(row.error)}{again}"]


def _name(row: ChannelRow) -> str:
    return at_line_start(f"{row.owner}/{row.channel}")
