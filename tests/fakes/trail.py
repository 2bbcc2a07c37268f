"""The events of a store, as a test reads them."""

import sqlalchemy as sa

from helix_hooks.queue.schema import EVENTS
from helix_hooks.queue.store import QueueStore
from helix_hooks.waiting.trail import TrailEvent, TrailRow, event_of


def events(db: QueueStore, request: str = "") -> list[TrailEvent]:
    """Return the events of a request, or of all."""
    query = sa.select(EVENTS).order_by(EVENTS.c.number)
    rows = db.select(query.where(EVENTS.c.request == request) if request else query)
    return [event_of(TrailRow(row.number, row.body, row.hash, row.signature)) for row in rows]
