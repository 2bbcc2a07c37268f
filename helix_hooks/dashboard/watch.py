"""One shared snapshot of the queue for all clients, with a version that grows with each change.

It is read after each event of the store, and every minute for sources without events.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool

from ..errors import HelixError
from ..text import log_line
from ..waiting.entry import Queue, QueueEntry
from .sources import Sources

LOOK, WAIT, PAUSE = 60.0, 3.0, 5.0
"""Seconds between reads without an event, of one wait for an event, and before the first retry."""

_REMEMBERED = 200
"""Number of new entries that are kept for the streams of events."""

_log = logging.getLogger("helix_hooks.dashboard")


class QueueWatch:
    """The newest snapshot of the queue. For one thread, that of the server."""

    def __init__(self, sources: Sources, clock: Callable[[], float]) -> None:
        self._sources, self._clock = sources, clock
        self._queue: Queue | None = None
        self._changed = asyncio.Condition()
        self._looking = asyncio.Lock()
        self._lost: tuple[str, ...] = ()
        self.version = 0
        self.added: tuple[tuple[int, QueueEntry], ...] = ()

    async def queue(self) -> Queue:
        """Return the newest snapshot of the queue."""
        return self._queue or await self.look()

    async def look(self) -> Queue:
        """Read the queue, and return it."""
        async with self._looking:
            try:
                queue = await run_in_threadpool(self._sources.collect)
            except HelixError as error:
                queue = self._without_answer(str(error))
            except Exception as error:  # noqa: BLE001 - the pages must say that they are old
                _log.exception("the queue could not be read")
                queue = self._without_answer(f"{type(error).__name__}, see the log of the server")
            queue = queue._replace(partial=(*self._lost, *queue.partial))
            await self._keep(queue)
            return queue

    async def after(self, version: int, seconds: float) -> int:
        """Wait for a newer version for at most some seconds, and return the newest version."""
        async with self._changed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._changed.wait_for(lambda: self.version > version)
        return self.version

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Watch the queue for the time of the block."""
        task = asyncio.create_task(self._watch())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def _watch(self) -> None:
        number, looked, wait, retry = 0, 0.0, LOOK, PAUSE
        while True:
            newest = await self._next(number)
            if newest < number:
                counts = f"had {number} events and has {newest} now"
                self._lost = (f"the store {counts}: it was replaced, so entries may be lost",)
            if newest != number or time.monotonic() - looked > wait:
                number, looked = newest, time.monotonic()
                queue = await self.look()
                # What could not be read is read again soon, then in growing pauses.
                wait = retry if queue.partial else LOOK
                retry = min(LOOK, retry * 2) if queue.partial else PAUSE

    async def _next(self, number: int) -> int:
        """Return the number of the newest event, or `number` if the store fails."""
        try:
            return await run_in_threadpool(self._sources.wait, number, WAIT)
        except HelixError as error:
            _log.warning("the store does not answer: %s", log_line(str(error)))
        except Exception:  # noqa: BLE001 - if this task ended, the pages would never change
            _log.exception("the store does not answer")
        await asyncio.sleep(PAUSE)
        return number

    async def _keep(self, queue: Queue) -> None:
        """Store a snapshot; if it differs from the last one, wake all streams."""
        before, self._queue = self._queue, queue
        if before is not None and before._replace(now=queue.now) == queue:
            return
        self._log_partial(before, queue)
        async with self._changed:
            self.version += 1
            new = [(self.version, entry) for entry in _added(before, queue)]
            self.added = (*self.added, *new)[-_REMEMBERED:]
            self._changed.notify_all()

    def _without_answer(self, reason: str) -> Queue:
        """Return the last snapshot with the error: an empty queue would look as if all was done."""
        entries = self._queue.entries if self._queue else ()
        return Queue(entries, int(self._clock()), (f"the queue could not be read: {reason}",))

    def _log_partial(self, before: Queue | None, queue: Queue) -> None:
        logged = before.partial if before else ()
        for line in queue.partial:
            if line not in logged:
                _log.warning("not read: %s", log_line(line))


def _added(before: Queue | None, after: Queue) -> list[QueueEntry]:
    """Return the new entries; none for the first snapshot, whose entries are not news."""
    if before is None:
        return []
    old_ids = {item.id for item in before.entries}
    return [item for item in after.entries if item.id not in old_ids]
