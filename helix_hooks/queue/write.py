"""The write transaction of the store: requests, and an event for each change."""

from typing import TYPE_CHECKING

import sqlalchemy as sa

from ..errors import HelixError, UsageError
from ..waiting.answering import swept
from ..waiting.opening import content_of
from ..waiting.request import PENDING, ApprovalRequest, document_of
from ..waiting.request_events import opening_events, time_event
from ..waiting.trail import TrailEvent, TrailTip, event_of, row_of
from . import listening
from .confirmed import StoredRequest, confirmed
from .schema import EVENTS, REQUESTS, TRAIL

if TYPE_CHECKING:
    from dbos import DBOSClient

_MOST = 500
"""Requests whose deadlines are recorded in one transaction."""


class Writing:
    """A transaction that locks the end of the trail, so that no other one writes."""

    def __init__(
        self, connection: sa.Connection, key: bytes, outbox: "DBOSClient | None" = None
    ) -> None:
        """The news of requests is enqueued with `outbox`, if there is one."""
        self.connection, self._key, self._outbox = connection, key, outbox
        self._tip = tip_of(connection, is_locked=True)

    def row(self, number: int) -> StoredRequest:
        return confirmed(self.connection, REQUESTS.c.number == number)[0]

    def find_duplicate(
        self, request: ApprovalRequest, mark: str | None, content: str, *, reuse_open: bool
    ) -> StoredRequest | None:
        """Return the request that the same question has opened before.

        `mark` is the hash of the requester's key. Raises UsageError if another question has it.
        """
        conditions = [REQUESTS.c.id == request.id]
        if mark:
            conditions.append(REQUESTS.c.mark == mark)
        if reuse_open:
            conditions.append((REQUESTS.c.content == content) & (REQUESTS.c.status == PENDING))
        rows = (confirmed(self.connection, condition, limit=1) for condition in conditions)
        existing = next((row[0] for row in rows if row), None)
        if existing and content_of(existing.request) != content:
            id = existing.request.id
            raise UsageError(
                f"the key belongs to request {id}, which asks something else; use another key"
            )
        return existing

    def require_below_limit(self, project: str, most: int) -> None:
        """Raise UsageError if a project has reached its maximum of open requests."""
        is_open = (REQUESTS.c.project == project) & (REQUESTS.c.status == PENDING)
        query: sa.Select[int] = sa.select(sa.func.count(REQUESTS.c.number)).where(is_open)
        count = self.connection.scalar(query) or 0
        if count >= most:
            raise UsageError(
                f"{count} requests of {project} are open (maximum {most}), so this one was "
                "not opened; first decide some with `helix-hooks queue approve` or `queue reject`"
            )

    def insert(self, request: ApprovalRequest, mark: str | None, content: str) -> None:
        events = opening_events(request)
        values = {
            "number": self._tip.number + 1,
            "id": request.id,
            "project": request.project,
            "content": content,
            "mark": mark,
            **_columns(request),
        }
        self.connection.execute(sa.insert(REQUESTS).values(values))
        for event in events:
            self.append(event)

    def change(
        self, stored: StoredRequest, after: ApprovalRequest, event: TrailEvent
    ) -> TrailEvent:
        """Store a changed request, and the event that changed it."""
        where = REQUESTS.c.number == stored.number
        self.connection.execute(sa.update(REQUESTS).where(where).values(_columns(after)))
        return self.append(event)

    def append(self, event: TrailEvent, mark: str | None = None) -> TrailEvent:
        row = row_of(event, self._tip, self._key)
        values = {"request": event.request, "mark": mark, **row._asdict()}
        self.connection.execute(sa.insert(EVENTS).values(values))
        self._tip = TrailTip(row.number, row.hash)
        end = sa.update(TRAIL).where(TRAIL.c.id == 1).values(self._tip._asdict())
        self.connection.execute(end)
        listening.announce(self.connection, row.number)
        if self._outbox and event.request:
            from ..notify.outbox import enqueue_change

            enqueue_change(self._outbox, self.connection, event.project, event.request)
        return event_of(row)

    def has_event(self, mark: str | None) -> bool:
        query = sa.select(EVENTS.c.number).where(EVENTS.c.mark == mark)
        return self.connection.scalar(query) is not None

    def swept(self, stored: StoredRequest, now: int) -> tuple[StoredRequest, list[TrailEvent]]:
        """Record the passed deadline of a request; return the request then, and the event."""
        after, kind = swept(stored.request, now)
        if not kind:
            return stored, []
        event = self.change(stored, after, time_event(after, kind, now))
        return stored._replace(request=after), [event]

    def sweep(self, now: int) -> tuple[list[TrailEvent], bool]:
        """Record the passed deadlines of some requests; return whether there are more."""
        numbers = self.connection.scalars(
            due_requests(now).order_by(REQUESTS.c.number).limit(_MOST)
        ).all()
        events = list[TrailEvent]()
        for number in numbers:
            try:
                stored = self.row(number)
            except HelixError:
                continue  # it was changed in the database; `queue verify` reports it
            events += self.swept(stored, now)[1]
        return events, len(events) == _MOST


def tip_of(connection: sa.Connection, *, is_locked: bool = False) -> TrailTip:
    """Return the end of the trail. Raises HelixError if the database does not have it."""
    query = sa.select(TRAIL.c.number, TRAIL.c.hash).where(TRAIL.c.id == 1)
    row = connection.execute(query.with_for_update() if is_locked else query).one_or_none()
    if row is None:
        raise HelixError("the end of the audit trail was removed; see `helix-hooks queue verify`")
    return TrailTip(*row)


def due_requests(now: int) -> sa.Select[int]:
    return sa.select(REQUESTS.c.number).where(REQUESTS.c.due_at > 0, REQUESTS.c.due_at <= now)


def _columns(request: ApprovalRequest) -> dict[str, object]:
    document = document_of(request)
    return {"status": request.status, "due_at": request.due_at, "document": document}
