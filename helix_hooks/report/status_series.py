"""Numbers of ADRs by status over time, from the changes of each ADR. Pure."""

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
"""The groups of statuses, as `looks` has them, and their names in a legend."""

_MOST_PERIODS = 24


class StatusChange(NamedTuple):
    """The status of an ADR from a time on, in seconds since 1970; None once it is deleted.

    `status` is the canonical word, "" for an unknown one or none.
    """

    at: int
    path: str
    status: str | None


class StatusPoint(NamedTuple):
    """The number of ADRs of each group, from a time on."""

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
        points[change.at] = StatusPoint(change.at, dict(counts))
    return _changed(points.values())


def by_period(points: Iterable[StatusPoint]) -> list[tuple[str, StatusPoint]]:
    """Return the last point of each month, else of each quarter or year: at most 24, or years."""
    ordered = list(points)
    rows: dict[str, StatusPoint] = {}
    for name in (month_of, _quarter_of, _year_of):
        rows = {name(point.at): point for point in ordered}
        if len(rows) <= _MOST_PERIODS:
            break
    return list(rows.items())


def _changed(points: Iterable[StatusPoint]) -> tuple[StatusPoint, ...]:
    kept: list[StatusPoint] = []
    for point in points:
        if not kept or kept[-1].counts != point.counts:
            kept.append(point)
    return tuple(kept)


def _group(status: str) -> str:
    return look(status).name


def _quarter_of(at: int) -> str:
    year, _, month = month_of(at).partition("-")
    return f"{year} Q{(int(month) + 2) // 3}"


def _year_of(at: int) -> str:
    return month_of(at).partition("-")[0]
