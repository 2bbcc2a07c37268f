"""Figures of decisions: time to a decision, expiries, and who decided, by month, project and type.
Pure.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..text.moment import month_of
from .request import APPROVED, AUTO_APPROVED, EXPIRED, PENDING, REJECTED, ApprovalRequest

RULES, JUDGE, PEOPLE, DEADLINE = "rules", "judge", "people", "deadline"
DECIDERS = (RULES, JUDGE, PEOPLE, DEADLINE)
"""By whom a question is decided: by rules alone, as where the autonomy asks nobody; by a judge; by
people; by a deadline that approves.
"""

ALL = ""
"""The project and the type of figures about all of them."""


class EndedQuestion(NamedTuple):
    """A question that is decided or expired.

    `type` is the action of a request or an approval type. `outcome` is "approved", "rejected" or
    "expired". `by` is one of DECIDERS, "" for an expired one. Times are in seconds since 1970;
    `asked_at` is 0 where it is not known.
    """

    project: str
    type: str
    outcome: str
    by: str
    asked_at: int
    ended_at: int


class QueueMonth(NamedTuple):
    """The questions that ended in a month; `project` and `type` are "" for all of them.

    `by` counts the decided ones by DECIDERS. `hours_median` and `hours_longest` are the times until
    people decided, None where they decided nothing whose beginning is known.
    """

    month: str
    project: str
    type: str
    ended: int
    approved: int
    rejected: int
    expired: int
    by: Mapping[str, int]
    hours_median: float | None
    hours_longest: float | None

    @property
    def decided(self) -> int:
        return self.approved + self.rejected

    def share(self, by: str) -> float | None:
        """Return the share of the decided ones that some decided, None where nothing is."""
        return round(self.by.get(by, 0) / self.decided, 4) if self.decided else None


class QueueFigures(NamedTuple):
    """All figures, newest month first: `months` of all together, `parts` of a project and a type.

    `waiting` questions have no end yet. `since` is a month, "" for all. `partial` says what is
    missing, a line each.
    """

    since: str
    waiting: int
    months: tuple[QueueMonth, ...]
    parts: tuple[QueueMonth, ...]
    partial: tuple[str, ...] = ()


def queue_figures(
    ended: Iterable[EndedQuestion],
    waiting: int = 0,
    since: str = "",
    partial: tuple[str, ...] = (),
) -> QueueFigures:
    """Return the figures of some questions; `since` is the first month, as in 2026-11."""
    by_month: dict[str, list[EndedQuestion]] = defaultdict(list)
    by_part: dict[tuple[str, str, str], list[EndedQuestion]] = defaultdict(list)
    for question in ended:
        month = month_of(question.ended_at)
        if month >= since:
            by_month[month].append(question)
            by_part[month, question.project, question.type].append(question)
    parts = sorted(by_part, key=lambda part: part[1:])
    return QueueFigures(
        since=since,
        waiting=waiting,
        months=tuple(
            _figures((month, ALL, ALL), by_month[month]) for month in sorted(by_month, reverse=True)
        ),
        parts=tuple(
            _figures(part, by_part[part])
            for part in sorted(parts, key=lambda part: part[0], reverse=True)
        ),
        partial=partial,
    )


def ended_requests(requests: Iterable[ApprovalRequest]) -> Iterable[EndedQuestion]:
    """Yield the requests that are decided or expired."""
    for request in requests:
        if request.status != PENDING:
            yield _of_request(request)


def _of_request(request: ApprovalRequest) -> EndedQuestion:
    outcome = APPROVED if request.status == AUTO_APPROVED else request.status
    return EndedQuestion(
        project=request.project,
        type=request.action or request.category,
        outcome=outcome,
        by=_by(request),
        asked_at=request.requested_at,
        ended_at=request.decided_at or request.requested_at,
    )


def _by(request: ApprovalRequest) -> str:
    if request.status == EXPIRED:
        return ""
    if request.status != AUTO_APPROVED:
        return PEOPLE
    was_due = 0 < request.expires_at <= request.decided_at
    return DEADLINE if was_due else RULES


def _figures(part: tuple[str, str, str], questions: list[EndedQuestion]) -> QueueMonth:
    month, project, type = part
    outcomes = Counter(question.outcome for question in questions)
    hours = sorted(
        max(0, question.ended_at - question.asked_at) / 3600
        for question in questions
        if question.by == PEOPLE and question.asked_at
    )
    return QueueMonth(
        month=month,
        project=project,
        type=type,
        ended=len(questions),
        approved=outcomes[APPROVED],
        rejected=outcomes[REJECTED],
        expired=outcomes[EXPIRED],
        by=dict(Counter(question.by for question in questions if question.by)),
        hours_median=_median(hours),
        hours_longest=round(hours[-1], 2) if hours else None,
    )


def _median(ordered: list[float]) -> float | None:
    if not ordered:
        return None
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return round(middle, 2)
