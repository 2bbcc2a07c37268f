"""One shared snapshot of the queue for all clients, with a version that grows with each change.

It looks after each event of the store, and at sources without events every half minute.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable

from starlette.concurrency import run_in_threadpool

from ..errors import HelixError
from ..text.sanitize import log_line
from ..waiting.entry import Queue, QueueEntry
from .sources import Sources

LOOK, WAIT, PAUSE = 30.0, 3.0, 5.0
"""Seconds between looks without an event, of one wait for an event, and after a failure."""

_REMEMBERED = 200
"""New entries that are remembered for clients that are about to be told of them."""

_log = logging.getLogger("helix_hooks.dashboard")


class QueueWatch:
    """The newest snapshot of the queue. Used only from the thread of the server."""

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
        """Read the queue now."""
        async with self._looking:
            try:
                queue = await run_in_threadpool(self._sources.collect)
            except HelixError as error:
                queue = self._without_answer(str(error))
            except Exception as error:  # noqa: BLE001 - nobody else would tell that it is old
                _log.exception("the queue could not be read")
                queue = self._without_answer(f"{type(error).__name__}, see the log of the server")
            queue = queue._replace(partial=(*self._lost, *queue.partial))
            await self._keep(queue)
            return queue

    async def after(self, version: int, seconds: float) -> int:
        """Wait for a change after a version, at most so long, and return the newest version."""
        async with self._changed:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._changed.wait_for(lambda: self.version > version)
        return self.version

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """QueueWatch as long as the block lasts."""
        task = asyncio.create_task(self._watch())
        yield
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task

    async def _watch(self) -> None:
        number, looked = 0, 0.0
        while True:
            newest = await self._next(number)
            if newest < number:
                counts = f"had {number} events and has {newest} now"
                self._lost = (f"the store {counts}: it was replaced, so entries may be lost",)
            if newest != number or time.monotonic() - looked > LOOK:
                number, looked = newest, time.monotonic()
                await self.look()

    async def _next(self, number: int) -> int:
        """Return the number of the newest event, the same again where the store fails."""
        try:
            return await run_in_threadpool(self._sources.wait, number, WAIT)
        except HelixError as error:
            _log.warning("the store does not answer: %s", log_line(str(error)))
        except Exception:  # noqa: BLE001 - without this task the pages would stay as they are
            _log.exception("the store does not answer")
        await asyncio.sleep(PAUSE)
        return number

    async def _keep(self, queue: Queue) -> None:
        before, self._queue = self._queue, queue
        if before is not None and _same(before, queue):
            return
        self._log_partial(before, queue)
        known = {item.id for item in before.entries} if before else set()
        new = () if before is None else [item for item in queue.entries if item.id not in known]
        async with self._changed:
            self.version += 1
            added = (*self.added, *((self.version, item) for item in new))
            self.added = added[-_REMEMBERED:]
            self._changed.notify_all()

    def _without_answer(self, why: str) -> Queue:
        """Return the last snapshot with the error, because an empty list would look as if nothing
        waited.
        """
        entries = self._queue.entries if self._queue else ()
        return Queue(entries, int(self._clock()), (f"the queue could not be read: {why}",))

    def _log_partial(self, before: Queue | None, queue: Queue) -> None:
        known = before.partial if before else ()
        for line in queue.partial:
            if line not in known:
                _log.warning("not read: %s", log_line(line))


def _same(before: Queue, after: Queue) -> bool:
    """Return whether nothing but the time has changed."""
    return (before.entries, before.partial) == (after.entries, after.partial)
