"""The channels of notifications with their counts in the outbox, as a table and as JSON."""

from collections.abc import Sequence
from typing import NamedTuple

from ..text.moment import moment
from ..text.sanitize import at_line_start
from ..text.table import table
from .json import dumped

VERSION = 1


class ChannelRow(NamedTuple):
    """A channel of the notification settings, without its address, which may hold a secret.

    `owner` is a login, or "projects:GLOB". `kind` is the kind of the address, such as slack.
    `error` is the error of the last attempt. `next_at` is the time of the next attempt in seconds
    since 1970, 0 for none.
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
    """Return one line per channel, and its last error below."""
    if not rows:
        return f"{at_line_start(path)} defines no channels\n"
    lines: list[Sequence[str]] = []
    for row in rows:
        counts = f"{row.sent} sent, {row.waiting} waiting, {row.failed} failed"
        name, events = f"{row.owner}/{row.channel}", ", ".join(row.events)
        lines.append((name, row.kind, f"{counts}  ({events})"))
        if row.error:
            next_attempt = f"; next attempt {moment(row.next_at)}" if row.next_at else ""
            lines.append(("", f"{row.error}{next_attempt}"))
    return "".join(f"{line}\n" for line in table(lines))
