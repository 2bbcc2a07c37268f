"""Read requests, and compare each with its last event.

A request that was changed in the database outside helix-hooks cannot be decided, and no later event
hides the change.
"""

from typing import NamedTuple

import sqlalchemy as sa

from ..errors import HelixError
from ..waiting.request import ApprovalRequest, request_of
from ..waiting.stored import StoredRow, fault_of
from ..waiting.trail import TrailRow
from .schema import EVENTS, REQUESTS

_LATER = EVENTS.alias("later")
_LAST = (
    sa.select(sa.func.max(_LATER.c.number))
    .where(_LATER.c.request == REQUESTS.c.id)
    .correlate(REQUESTS)
    .scalar_subquery()
)
_WITH_EVENT = sa.select(
    REQUESTS, EVENTS.c.number.label("event"), EVENTS.c.body, EVENTS.c.hash, EVENTS.c.signature
).select_from(REQUESTS.outerjoin(EVENTS, EVENTS.c.number == _LAST))
"""One query, so that both are of the same time."""


class StoredRequest(NamedTuple):
    """A request with its number in the store."""

    number: int
    request: ApprovalRequest


def confirmed(
    connection: sa.Connection, place: sa.ColumnElement[bool], limit: int = 1
) -> tuple[StoredRequest, ...]:
    """Return requests, the oldest first. Raises HelixError for one that was changed."""
    query = _WITH_EVENT.where(place).order_by(REQUESTS.c.number).limit(limit)
    return tuple(map(_confirmed, connection.execute(query).all()))


def _confirmed(columns: sa.Row[*tuple[object, ...]]) -> StoredRequest:
    row = StoredRow(
        id=columns.id,
        project=columns.project,
        status=columns.status,
        due_at=columns.due_at,
        document=columns.document,
    )
    last = TrailRow(columns.event, columns.body, columns.hash, columns.signature)
    if why := fault_of(row, last if columns.event else None):
        raise _changed(row.id, why)
    return StoredRequest(columns.number, request_in(row.id, row.document))


def request_in(id: str, document: str) -> ApprovalRequest:
    """Return the request of a text in the store. Raises HelixError where it can't be read."""
    try:
        return request_of(document)
    except HelixError as error:
        raise _changed(id, str(error)) from None


def _changed(id: str, why: str) -> HelixError:
    return HelixError(
        f"request {id} was changed in the database ({why}), so nothing is decided about it; see "
        "`helix-hooks queue verify`"
    )
