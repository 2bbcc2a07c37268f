"""An accepted decision that is due for a review, as an entry of the queue. Pure.

Nobody approves it: a person confirms the decision with a later `review_by:`, or supersedes it.
"""

import shlex
from datetime import UTC, date, datetime
from typing import NamedTuple

from ..config.policy import EXPERTISE
from .entry import REVIEW, WAITING, ProjectPolicy, QueueEntry


class DueReview(NamedTuple):
    """An accepted ADR that is due: its name and title, why, since which day, and what to look at.

    `since` is the day on which it came due, None where nobody knows.
    """

    path: str
    name: str
    title: str
    reasons: tuple[str, ...]
    since: date | None = None
    conditions: tuple[str, ...] = ()


def entry(item: DueReview, by: ProjectPolicy, now: int) -> QueueEntry:
    """Return the entry of a review that is due at the time `now`."""
    since = now
    if item.since:
        since = int(datetime(*item.since.timetuple()[:3], tzinfo=UTC).timestamp())
    path = shlex.quote(item.path)
    return QueueEntry(
        id=f"review:{item.path}",
        source=REVIEW,
        project=by.project,
        repository=by.repository,
        title=f"Review {item.name}: {item.title}",
        category=EXPERTISE,
        state=WAITING,
        turn="Waiting for the owners of the decision",
        asked_by="the decision itself",
        asked_at=min(since, now),
        reasons=(*item.reasons, *(f"revisit when: {text}" for text in item.conditions)),
        ways_on=(
            f"write a later `review_by:` into {path}, if the decision still holds",
            f'helix-hooks new "TITLE" --supersedes {path}',
        ),
        deciders=by.policy.deciders,
        files=(item.path,),
        needs_login=False,
        asked_by_login=False,
    )
