"""Figures of the gate on a repository's pull requests, by month and by approval type. Pure."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..text.moment import month_of
from .gate_history import JudgeRun, PullHistory


class TypeFigures(NamedTuple):
    """The judge's runs of one approval type in a month.

    `results` counts verdicts, without the `failed` runs. Times are seconds, costs US dollars of the
    runs that were not answered from the cache; `unpriced` are those that state no cost.
    """

    month: str
    approval_type: str
    runs: int
    cached: int
    failed: int
    results: Mapping[str, int]
    seconds_median: float
    cost_usd: float
    unpriced: int

    @property
    def approved(self) -> int:
        return self.results.get("approved", 0)


class MonthFigures(NamedTuple):
    """The pull requests of a month, by their decision, else by when they were opened.

    `decisions` counts those with a record by the decision that stands. `with_adrs` touch an ADR, of
    which a judge looked at `judged`; `unrecorded` of them have no record. `unknown` were not asked.
    `hours_median` is the time from the opening to an approval or rejection. `overrides` and
    `declines` are findings that people set aside.
    """

    month: str
    pulls: int
    decisions: Mapping[str, int]
    with_adrs: int
    judged: int
    unrecorded: int
    unknown: int
    hours_median: float | None
    overrides: int
    declines: int


class GateFigures(NamedTuple):
    """All figures, newest month first. `partial` says what is missing from them, a line each."""

    repository: str
    since: str
    pulls: int
    months: tuple[MonthFigures, ...]
    types: tuple[TypeFigures, ...]
    partial: tuple[str, ...] = ()


def gate_figures(
    repository: str, since: str, pulls: Iterable[PullHistory], partial: tuple[str, ...] = ()
) -> GateFigures:
    """Return the figures of some pull requests."""
    every = list(pulls)
    by_month: dict[str, list[PullHistory]] = defaultdict(list)
    by_type: dict[tuple[str, str], list[JudgeRun]] = defaultdict(list)
    for pull in every:
        by_month[month_of(pull.at)].append(pull)
        for run in pull.judges:
            by_type[month_of(run.at), run.approval_type].append(run)
    types = sorted(by_type, key=lambda key: key[1])
    return GateFigures(
        repository=repository,
        since=since,
        pulls=len(every),
        months=tuple(_of_month(name, by_month[name]) for name in sorted(by_month, reverse=True)),
        types=tuple(
            _of_type(*key, by_type[key])
            for key in sorted(types, key=lambda key: key[0], reverse=True)
        ),
        partial=partial,
    )


def _median(values: Iterable[float], digits: int) -> float | None:
    ordered = sorted(values)
    return round(ordered[len(ordered) // 2], digits) if ordered else None


def _of_month(month: str, pulls: list[PullHistory]) -> MonthFigures:
    with_adrs = [pull for pull in pulls if pull.has_adr]
    ended = [pull for pull in pulls if pull.status and not pull.is_pending]
    hours = [max(0, pull.decided - pull.created) / 3600 for pull in ended]
    return MonthFigures(
        month=month,
        pulls=len(pulls),
        decisions=dict(Counter(pull.status for pull in pulls if pull.status)),
        with_adrs=len(with_adrs),
        judged=sum(bool(pull.judges) for pull in with_adrs),
        unrecorded=sum(not pull.status for pull in with_adrs),
        unknown=sum(pull.has_adr is None for pull in pulls),
        hours_median=_median(hours, 2),
        overrides=sum(len(pull.overrides) for pull in pulls),
        declines=sum(len(pull.declines) for pull in pulls),
    )


def _of_type(month: str, approval_type: str, runs: list[JudgeRun]) -> TypeFigures:
    asked = [run for run in runs if not run.cached]
    return TypeFigures(
        month=month,
        approval_type=approval_type,
        runs=len(runs),
        cached=len(runs) - len(asked),
        failed=sum(run.failed for run in runs),
        results=dict(Counter(run.result for run in runs if not run.failed)),
        seconds_median=_median((run.seconds for run in asked), 3) or 0.0,
        cost_usd=round(sum(run.cost or 0 for run in asked), 6),
        unpriced=sum(run.cost is None for run in asked),
    )
