"""Server-sent events about changes of the queue and new entries (seed 4)."""

import json
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
"""Seconds between signs of life, between looks at the session, and of a whole stream."""

_MOST, _MOST_OF_ONE = 2000, 20
"""Streams of the process, and of one session."""


class _Stream(EventSourceResponse):
    """A stream that says when it is over, also one that a client leaves before it begins."""

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
        """Return a stream for a client."""
        who = session.key if session else ""
        if self._open.total() >= _MOST or (who and self._open[who] >= _MOST_OF_ONE):
            return PlainTextResponse("too many open pages\n", 503, {"Retry-After": "60"})
        self._open[who] += 1  # now, since all of many that come at once are answered first
        return _Stream(
            self._events(who),
            lambda: self._close(who),
            ping=_PING,
            headers={"X-Accel-Buffering": "no", "Cache-Control": "no-store"},
        )

    def _close(self, who: str) -> None:
        self._open[who] -= 1
        if not self._open[who]:
            del self._open[who]

    async def _events(self, who: str) -> AsyncIterator[ServerSentEvent]:
        version = self._watch.version
        yield ServerSentEvent(event="hello", data=str(version), retry=3000)
        for _ in range(int(_SECONDS / _LOOK_AT_SESSION)):
            newest = await self._watch.after(version, _LOOK_AT_SESSION)
            session = self._sessions.look(who) if who else None
            if who and session is None:
                yield ServerSentEvent(event="signed_out", data="")
                return
            if newest == version:
                continue
            try:
                new = await self._new(version, session)
            except TokenEndedError:
                yield ServerSentEvent(event="signed_out", data="")
                return
            for entry in new:
                yield ServerSentEvent(event="approval_required", data=_as_json(entry))
            version = newest
            yield ServerSentEvent(event="changed", data=str(version))

    async def _new(self, version: int, session: Session | None) -> tuple[QueueEntry, ...]:
        """Return the new entries that somebody may see. Raises TokenEndedError."""
        added = [entry for number, entry in self._watch.added if number > version]
        return await self._access.seen(added, session)


def _as_json(entry: QueueEntry) -> str:
    return json.dumps(
        {"request_id": entry.id, "title": line(entry.title), "category": entry.category}
    )
