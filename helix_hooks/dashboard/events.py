"""Server-sent events about changes of the queue and new entries."""

import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping

from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from ..pages.shown import line
from ..waiting.entry import QueueEntry
from .access import AccessReader
from .github_user import TokenEndedError
from .sessions import Session, Sessions
from .watch import QueueWatch

_PING, _LOOK_AT_SESSION, _SECONDS = 25, 20.0, 3600
"""Seconds between pings, between checks of the session, and of a whole stream."""

_MOST, _MOST_OF_ONE = 2000, 20
"""Maximum number of streams of the process, and of one session."""

_SIGNED_OUT = ServerSentEvent(event="signed_out", data="")


class _Stream(EventSourceResponse):
    """A stream that calls `ended` in any case, even if the client leaves before it begins."""

    def __init__(
        self,
        events: AsyncIterator[ServerSentEvent],
        ended: Callable[[], None],
        *,
        ping: int,
        headers: Mapping[str, str],
    ) -> None:
        super().__init__(events, ping=ping, headers=headers)
        self._ended = ended

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


class EventStreams:
    """The streams of all clients."""

    def __init__(self, watch: QueueWatch, access: AccessReader, sessions: Sessions) -> None:
        self._watch, self._access, self._sessions = watch, access, sessions
        self._open: Counter[str] = Counter()

    def response(self, session: Session | None) -> Response:
        """Return a stream for a client; status 503 if there are too many."""
        key = session.key if session else ""
        if self._open.total() >= _MOST or (key and self._open[key] >= _MOST_OF_ONE):
            return PlainTextResponse("too many open pages\n", 503, {"Retry-After": "60"})
        # Counted before the stream begins: many requests may arrive before the first one does.
        self._open[key] += 1
        return _Stream(
            self._events(key),
            lambda: self._close(key),
            ping=_PING,
            # NOTE: nginx buffers responses without the first header.
            headers={"X-Accel-Buffering": "no", "Cache-Control": "no-store"},
        )

    def _close(self, key: str) -> None:
        self._open[key] -= 1
        if not self._open[key]:
            del self._open[key]

    async def _events(self, key: str) -> AsyncIterator[ServerSentEvent]:
        version = self._watch.version
        yield ServerSentEvent(event="hello", data=str(version), retry=3000)
        end = time.monotonic() + _SECONDS
        while time.monotonic() < end:
            newest = await self._watch.after(version, _LOOK_AT_SESSION)
            session = self._sessions.look(key) if key else None
            if key and session is None:
                yield _SIGNED_OUT
                return
            if newest == version:
                continue
            try:
                entries = await self._new(version, session)
            except TokenEndedError:
                yield _SIGNED_OUT
                return
            for entry in entries:
                fields = {
                    "request_id": entry.id,
                    "title": line(entry.title),
                    "category": entry.category,
                }
                yield ServerSentEvent(event="approval_required", data=json.dumps(fields))
            version = newest
            yield ServerSentEvent(event="changed", data=str(version))

    async def _new(self, version: int, session: Session | None) -> tuple[QueueEntry, ...]:
        """Return the entries added after a version that a person may see.

        Raises TokenEndedError.
        """
        added = [entry for number, entry in self._watch.added if number > version]
        return await self._access.visible_entries(added, session)
