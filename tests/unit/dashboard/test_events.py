"""How long a stream of events lasts."""

import asyncio
from collections.abc import Iterable

from helix_hooks.dashboard.access import AccessReader
from helix_hooks.dashboard.events import EventStreams
from helix_hooks.dashboard.sessions import Session, Sessions
from helix_hooks.dashboard.watch import QueueWatch
from helix_hooks.waiting.entry import QueueEntry

CHANGES = 500


class BusyWatch(QueueWatch):
    """A queue that changes at once, again and again."""

    def __init__(self) -> None:
        self.version, self.added = 0, ()

    async def after(self, version: int, seconds: float) -> int:
        return version + 1


class Everybody(AccessReader):
    """An access by which everybody sees all entries."""

    def __init__(self) -> None:
        pass

    async def visible_entries(
        self, entries: Iterable[QueueEntry], session: Session | None
    ) -> tuple[QueueEntry, ...]:
        return tuple(entries)


class NoSessions(Sessions):
    """Nobody has signed in."""

    def __init__(self) -> None:
        pass


def test_many_changes_do_not_end_a_stream() -> None:
    assert asyncio.run(changes()) == CHANGES


async def changes() -> int:
    """Return the number of changes that a stream has, up to the maximum."""
    streams = EventStreams(BusyWatch(), Everybody(), NoSessions())
    count = 0
    async for event in streams._events(""):
        count += event.event == "changed"
        if count == CHANGES:
            break
    return count
