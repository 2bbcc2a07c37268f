"""Figures of decisions by month, project and type: time to a decision, expiries, deciders. Pure.

They are shown as tables and as JSON.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from ..text import counted, dumped, month_of, printable
from ..text.table import table
from .queue_text import duration
from .request import APPROVED, EXPIRED, REJECTED

RULES, JUDGE, PEOPLE, DEADLINE = "rules", "judge", "people", "deadline"
DECIDERS = (RULES, JUDGE, PEOPLE, DEADLINE)
"""By whom a question is decided.

RULES: no person was needed. DEADLINE: it approved without an answer.
"""

VERSION = 1
_HEADS = (
    "month", "ended", "approved", "rejected", "expired", *DECIDERS, "median time", "longest time",
)  # fmt: skip
_WIDEST = 40
"""Characters of a project or type in a table."""

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
    people decided, None if they decided nothing with a known beginning.
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
        """Return the share of one kind of decider, None if nothing was decided."""
        if not self.decided:
            return None
        return round(self.by.get(by, 0) / self.decided, 4)


class QueueFigures(NamedTuple):
    """All figures, newest month first: `months` of everything, `parts` by project and type.

    `waiting` questions are still open. `since` is a month, "" for all.
    """

    since: str
    waiting: int
    months: tuple[QueueMonth, ...]
    parts: tuple[QueueMonth, ...]


def queue_figures(
    ended: Iterable[EndedQuestion],
    waiting: int = 0,
    since: str = "",
) -> QueueFigures:
    """Return the figures of some questions; `since` is the first month, e.g. 2026-11."""
    by_month: dict[str, list[EndedQuestion]] = defaultdict(list)
    by_part: dict[tuple[str, str, str], list[EndedQuestion]] = defaultdict(list)
    for question in ended:
        month = month_of(question.ended_at)
        if month >= since:
            by_month[month].append(question)
            by_part[month, question.project, question.type].append(question)
    months = sorted(by_month, reverse=True)
    # The second sort is stable: newest month first, and parts by name within a month.
    parts = sorted(sorted(by_part), key=itemgetter(0), reverse=True)
    return QueueFigures(
        since=since,
        waiting=waiting,
        months=tuple(_figures((month, ALL, ALL), by_month[month]) for month in months),
        parts=tuple(_figures(part, by_part[part]) for part in parts),
    )


def _figures(part: tuple[str, str, str], questions: list[EndedQuestion]) -> QueueMonth:
    month, project, type = part
    outcomes = Counter(question.outcome for question in questions)
    hours = _hours_of_people(questions)
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


def _hours_of_people(questions: list[EndedQuestion]) -> list[float]:
    """Return the hours until people decided, shortest first."""
    by_people = (item for item in questions if item.by == PEOPLE and item.asked_at)
    return sorted(max(0, item.ended_at - item.asked_at) / 3600 for item in by_people)


def _median(ordered: list[float]) -> float | None:
    if not ordered:
        return None
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2
    return round(middle, 2)


def as_json(figures: QueueFigures) -> str:
    """Return the figures as JSON."""
    value = {
        "version": VERSION,
        "since": figures.since or None,
        "waiting": figures.waiting,
        "partial": [],
        "months": [_fields(month) for month in figures.months],
        "parts": [
            {"project": part.project, "type": part.type, **_fields(part)} for part in figures.parts
        ],
    }
    return dumped(value)


def _fields(month: QueueMonth) -> dict[str, object]:
    fields = month._asdict()
    for name in ("project", "type", "by"):
        del fields[name]
    return {
        **fields,
        "decided_by": {by: month.by.get(by, 0) for by in DECIDERS},
        "shares": {by: month.share(by) for by in DECIDERS},
    }


def as_text(figures: QueueFigures) -> str:
    """Return a table of the months and a table of projects and types."""
    ended = sum(month.ended for month in figures.months)
    since = f" since {figures.since}" if figures.since else ""
    head = f"{counted(ended, 'question')} ended{since}, {figures.waiting or 'none'} waiting"
    if not ended:
        head = f"nothing was decided{since}; {counted(figures.waiting, 'question')} waiting"
    blocks = [[head]]
    if figures.months:
        blocks.append(table(map(_row, figures.months), _HEADS))
    if figures.parts:
        rows = [
            (printable(part.project, _WIDEST), printable(part.type, _WIDEST), *_row(part))
            for part in figures.parts
        ]
        blocks.append(table(rows, ("project", "type", *_HEADS)))
    return "\n".join("".join(f"{line}\n" for line in block) for block in blocks)


def _row(month: QueueMonth) -> tuple[str, ...]:
    counts = (month.ended, month.approved, month.rejected, month.expired)
    shares = []
    for by in DECIDERS:
        share = month.share(by)
        shares.append(f"{month.by[by]} ({100 * share:.0f} %)" if share else "0")
    hours = (month.hours_median, month.hours_longest)
    times = ("" if time is None else duration(int(time * 3600)) for time in hours)
    return month.month, *map(str, counts), *shares, *times
