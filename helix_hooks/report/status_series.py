"""Numbers of ADRs by status over time, from the changes of each ADR."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..text.moment import month_of
from .looks import look

GROUPS = {
    "decided": "Accepted, implemented",
    "open": "Draft, proposed",
    "closed": "Superseded, deprecated",
    "refused": "Rejected, withdrawn",
    "unknown": "Other or no status",
}
"""The groups of statuses by the names of their looks, with their text in a legend."""

_MOST_PERIODS = 24


class StatusChange(NamedTuple):
    """The status of an ADR from `at` on, in seconds since 1970; None after its deletion.

    `status` is the canonical word, "" for an unknown status or none.
    """

    at: int
    path: str
    status: str | None


class StatusPoint(NamedTuple):
    """The number of ADRs of each group from a time on, in seconds since 1970."""

    at: int
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        return sum(self.counts.values())


def status_series(changes: Iterable[StatusChange]) -> tuple[StatusPoint, ...]:
    """Return a point for each time at which a number changes, oldest first."""
    statuses: dict[str, str] = {}
    points: dict[int, StatusPoint] = {}
    counts = dict.fromkeys(GROUPS, 0)
    for change in sorted(changes, key=lambda item: item.at):
        if change.path in statuses:
            counts[_group(statuses.pop(change.path))] -= 1
        if change.status is not None:
            statuses[change.path] = change.status
            counts[_group(change.status)] += 1
        # A commit may change many ADRs; its last point has the numbers after all of them.
        points[change.at] = StatusPoint(change.at, dict(counts))
    return _changed(points.values())


def by_period(points: Iterable[StatusPoint]) -> list[tuple[str, StatusPoint]]:
    """Return the last point of each month, quarter or year, by the name of the period.

    The shortest period that gives at most 24 rows is used, or else years.
    """
    ordered = list(points)
    rows: dict[str, StatusPoint] = {}
    for name in (month_of, _quarter_of, _year_of):
        rows = {name(point.at): point for point in ordered}
        if len(rows) <= _MOST_PERIODS:
            break
    return list(rows.items())


def _changed(points: Iterable[StatusPoint]) -> tuple[StatusPoint, ...]:
    """Return the points whose numbers differ from those of the point before."""
    changed: list[StatusPoint] = []
    for point in points:
        if not changed or changed[-1].counts != point.counts:
            changed.append(point)
    return tuple(changed)


def _group(status: str) -> str:
    return look(status).name


def _quarter_of(at: int) -> str:
    year, _, month = month_of(at).partition("-")
    return f"{year} Q{(int(month) + 2) // 3}"


def _year_of(at: int) -> str:
    return month_of(at).partition("-")[0]
