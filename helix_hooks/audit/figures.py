"""Figures of the gate on a repository's pull requests, from their recorded decisions. Pure.

The lines of the chain were checked against the schema of a decision. Fields that were added later
may be missing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from operator import attrgetter, itemgetter
from types import MappingProxyType
from typing import NamedTuple

from ..adr.place import is_adr
from ..decision.commands import OVERRIDE
from ..decision.decide import AUTO_APPROVED
from ..decision.states import APPROVED, PENDING
from ..text import month_of

Fields = Mapping[str, object]


class JudgeRun(NamedTuple):
    """A judge's run, at the time of the first decision that includes it, in seconds since 1970.

    `cost` is in US dollars, None if the judge does not report it.
    """

    id: str
    approval_type: str
    result: str
    failed: bool
    cached: bool
    seconds: float
    cost: float | None
    at: int


class PullHistory(NamedTuple):
    """A pull request according to its records. Times are in seconds since 1970.

    `base` is the branch that it changes, and `merged` is 0 if it is not merged. `has_adr`: it
    touches an ADR. `adrs` are those of the last decision, by path with git's hash of their content,
    "" for a removed one. `status` is the last decision, "" without a record, and `decided` its
    time. `overrides` and `declines` are findings by fingerprint.
    """

    number: int
    created: int
    base: str = ""
    merged: int = 0
    has_adr: bool = False
    adrs: Mapping[str, str] = MappingProxyType({})
    status: str = ""
    decided: int = 0
    judges: tuple[JudgeRun, ...] = ()
    overrides: frozenset[str] = frozenset()
    declines: frozenset[str] = frozenset()

    @property
    def at(self) -> int:
        """The time that assigns it to a month."""
        return self.decided or self.created

    @property
    def approved_adrs(self) -> tuple[str, ...]:
        """The ADRs that were merged as they were approved."""
        is_approved = self.merged and self.status in (APPROVED, AUTO_APPROVED)
        return tuple(path for path, hash in self.adrs.items() if hash) if is_approved else ()


def history(pull: PullHistory, lines: Iterable[Fields]) -> PullHistory:
    """Add the lines of its chain, oldest first, to the history of a pull request."""
    readable = [line for line in lines if line]
    if not readable:
        return pull
    runs: dict[str, JudgeRun] = {}
    overrides: set[str] = set()
    declines: set[str] = set()
    for line in readable:
        for run in _judge_runs(line):
            runs.setdefault(run.id, run)
        votes = _items(line, "votes")
        overrides.update(_text(vote, "finding") for vote in votes if vote.get("said") == OVERRIDE)
        declines.update(_text(item, "finding") for item in _items(line, "declines"))
    # A decision after the pull request was closed counts only if there is no other.
    decision = ([line for line in readable if not line.get("closed")] or readable)[-1]
    return pull._replace(
        has_adr=any(any(_adrs(line)) for line in readable),
        adrs=dict(_adrs(decision)),
        status=_text(decision, "status"),
        decided=int(_number(decision, "decided_at")),
        judges=tuple(runs.values()),
        overrides=frozenset(overrides),
        declines=frozenset(declines),
    )


def _judge_runs(line: Fields) -> Iterator[JudgeRun]:
    for item in _items(line, "judges"):
        cost = item.get("cost_usd")
        yield JudgeRun(
            id=_text(item, "approval_id"),
            approval_type=_text(item, "approval_type"),
            result=_text(item, "result"),
            failed=bool(item.get("failed")),
            cached=bool(item.get("cached")),
            seconds=_number(item, "duration_seconds"),
            cost=None if cost is None else _number(item, "cost_usd"),
            at=int(_number(line, "decided_at")),
        )


def _adrs(line: Fields) -> Iterator[tuple[str, str]]:
    files = line.get("files")
    if isinstance(files, dict):
        yield from ((path, str(hash)) for path, hash in files.items() if is_adr(str(path)))


def _items(fields: Fields, key: str) -> Iterator[Fields]:
    value = fields.get(key)
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _text(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _number(fields: Fields, key: str) -> float:
    value = fields.get(key)
    # In Python `True` is an integer.
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value)


class TypeFigures(NamedTuple):
    """The judge's runs of one approval type in a month.

    `results` counts verdicts, without the `failed` runs. Times are in seconds, costs in US dollars,
    both without cached answers; `unpriced` is the number of runs without a cost.
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
    """The pull requests of a month, by the time of their decision, else of their opening.

    `decisions` counts the recorded ones by their last decision. `with_adrs` touch an ADR; a judge
    reviewed `judged` of these, and `unrecorded` of these have no record. `hours_median` is the time
    from the opening to an approval or rejection. `overrides` and `declines` are numbers of
    findings. `adrs_approved` were merged as they were approved; pull requests that were merged
    later have changed or removed `adrs_corrected` of these.
    """

    month: str
    pulls: int
    decisions: Mapping[str, int]
    with_adrs: int
    judged: int
    unrecorded: int
    hours_median: float | None
    overrides: int
    declines: int
    adrs_approved: int
    adrs_corrected: int


class GateFigures(NamedTuple):
    """All figures, newest month first. `partial` has a line for each source that is missing."""

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
    pulls = list(pulls)
    corrected = _corrected(pulls)
    by_month: dict[str, list[PullHistory]] = defaultdict(list)
    by_type: dict[tuple[str, str], list[JudgeRun]] = defaultdict(list)
    for pull in pulls:
        by_month[month_of(pull.at)].append(pull)
        for run in pull.judges:
            by_type[month_of(run.at), run.approval_type].append(run)
    # The second sort is stable: newest month first, and types by name within a month.
    types = sorted(sorted(by_type, key=itemgetter(1)), key=itemgetter(0), reverse=True)
    return GateFigures(
        repository=repository,
        since=since,
        pulls=len(pulls),
        months=tuple(
            _of_month(name, by_month[name], corrected) for name in sorted(by_month, reverse=True)
        ),
        types=tuple(_of_type(*key, by_type[key]) for key in types),
        partial=partial,
    )


def _median(values: Iterable[float], digits: int) -> float | None:
    ordered = sorted(values)
    if not ordered:
        return None
    return round(ordered[len(ordered) // 2], digits)


def _corrected(pulls: Iterable[PullHistory]) -> dict[int, int]:
    """Return by number how many ADRs that a pull request merged were changed by a later one."""
    numbers: dict[int, int] = {}
    later: dict[tuple[str, str], set[str]] = defaultdict(set)
    merged = sorted(filter(attrgetter("merged"), pulls), key=attrgetter("merged"), reverse=True)
    for _, group in groupby(merged, key=attrgetter("merged")):
        at_once = list(group)  # by a merge queue: none of these is later than another
        for pull in at_once:
            numbers[pull.number] = sum(
                bool(later[pull.base, path] - {pull.adrs[path]}) for path in pull.approved_adrs
            )
        for pull in at_once:
            for path, hash in pull.adrs.items():
                later[pull.base, path].add(hash)
    return numbers


def _of_month(month: str, pulls: list[PullHistory], corrected: Mapping[int, int]) -> MonthFigures:
    with_adrs = [pull for pull in pulls if pull.has_adr]
    ended = [pull for pull in pulls if pull.status not in ("", PENDING)]
    return MonthFigures(
        month=month,
        pulls=len(pulls),
        decisions=dict(Counter(pull.status for pull in pulls if pull.status)),
        with_adrs=len(with_adrs),
        judged=sum(bool(pull.judges) for pull in with_adrs),
        unrecorded=sum(not pull.status for pull in with_adrs),
        hours_median=_median((max(0, pull.decided - pull.created) / 3600 for pull in ended), 2),
        overrides=sum(len(pull.overrides) for pull in pulls),
        declines=sum(len(pull.declines) for pull in pulls),
        adrs_approved=sum(len(pull.approved_adrs) for pull in pulls),
        adrs_corrected=sum(corrected.get(pull.number, 0) for pull in pulls),
    )


def _of_type(month: str, approval_type: str, runs: list[JudgeRun]) -> TypeFigures:
    fresh = [run for run in runs if not run.cached]
    costs = [run.cost for run in fresh if run.cost is not None]
    return TypeFigures(
        month=month,
        approval_type=approval_type,
        runs=len(runs),
        cached=len(runs) - len(fresh),
        failed=sum(run.failed for run in runs),
        results=dict(Counter(run.result for run in runs if not run.failed)),
        seconds_median=_median((run.seconds for run in fresh), 3) or 0.0,
        cost_usd=round(sum(costs), 6),
        unpriced=len(fresh) - len(costs),
    )
