"""Decided questions, from the views of the database: figures, and the ends of pull requests.

The views show the tables as they are. `queue verify` tells whether a row was changed outside.
"""

from collections.abc import Collection

import sqlalchemy as sa

from ..notify.notices import Ending
from ..waiting.figures import EndedQuestion, QueueFigures, queue_figures
from ..waiting.request import APPROVED, AUTO_APPROVED, PENDING, REJECTED
from .schema import DECIDED, PULL_DECISIONS, REQUESTS
from .store import QueueStore

_NOTHING, _NEVER = sa.literal("", sa.Text), sa.literal(0)
_QUESTIONS = sa.union_all(
    sa.select(
        DECIDED.c.project,
        DECIDED.c.type,
        DECIDED.c.outcome,
        DECIDED.c.decided_by,
        DECIDED.c.asked_at,
        DECIDED.c.decided_at,
    ),
    *(
        sa.select(table.c.project, _NOTHING, table.c.status, _NOTHING, _NEVER, _NEVER).where(
            table.c.status == PENDING
        )
        for table in (REQUESTS, PULL_DECISIONS)
    ),
)
"""All questions, in one query, so that none is counted as waiting and as ended."""
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
    rows = map(EndedQuestion._make, db.select(_QUESTIONS))
    shown = [item for item in rows if projects is None or item.project in projects]
    ended = [item for item in shown if item.outcome != PENDING]
    return queue_figures(ended, len(shown) - len(ended), since)


def pull_ends(db: QueueStore) -> dict[tuple[str, int], Ending]:
    """Return the recorded ends of pull requests by project and number. Raises HelixError."""
    rows = db.select(_PULL_ENDS)
    return {
        (row.project, row.number): Ending(row.status, row.voter, row.decided_at) for row in rows
    }
