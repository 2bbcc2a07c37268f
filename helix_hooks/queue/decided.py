"""Decided questions, from the views of the database: figures, and the ends of pull requests.

The views show the tables as they are. `queue verify` tells whether a row was changed outside.
"""

from collections.abc import Collection

import sqlalchemy as sa

from ..notify.notices import PullEnd
from ..waiting.figures import EndedQuestion, QueueFigures, queue_figures
from ..waiting.request import APPROVED, AUTO_APPROVED, PENDING, REJECTED
from .schema import DECIDED, PULL_DECISIONS, REQUESTS
from .store import QueueStore

_ENDED = sa.select(
    DECIDED.c.project,
    DECIDED.c.type,
    DECIDED.c.outcome,
    DECIDED.c.decided_by,
    DECIDED.c.asked_at,
    DECIDED.c.decided_at,
)
_WAITING = sa.union_all(
    *(
        sa.select(table.c.project).where(table.c.status == PENDING)
        for table in (REQUESTS, PULL_DECISIONS)
    )
)
_PULL_ENDS = sa.select(
    PULL_DECISIONS.c.project,
    PULL_DECISIONS.c.number,
    PULL_DECISIONS.c.status,
    sa.func.coalesce(PULL_DECISIONS.c.voter, "").label("voter"),
    PULL_DECISIONS.c.decided_at,
).where(PULL_DECISIONS.c.status.in_((APPROVED, AUTO_APPROVED, REJECTED)))


def stored_figures(
    db: QueueStore, projects: Collection[str] | None = None, since: str = ""
) -> QueueFigures:
    """Return the figures of projects, None for all, since a month, "" for all.

    Raises HelixError.
    """
    waiting, ended = db.select(_WAITING), db.select(_ENDED)
    if projects is not None:
        waiting = [row for row in waiting if row.project in projects]
        ended = [row for row in ended if row.project in projects]
    return queue_figures((EndedQuestion._make(row) for row in ended), len(waiting), since)


def pull_ends(db: QueueStore) -> dict[tuple[str, int], PullEnd]:
    """Return the recorded ends of pull requests by project and number. Raises HelixError."""
    rows = db.select(_PULL_ENDS)
    return {
        (row.project, row.number): PullEnd(row.status, row.voter, row.decided_at) for row in rows
    }
