"""Figures from run records: number, approvals, time, cost, and how many ADRs are covered. Pure."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeGuard

_NEEDED: dict[str, type | tuple[type, ...]] = {
    "approval_type": str,
    "result": str,
    "decision": str,
    "duration_seconds": (int, float),
    "cached": bool,
    "files": dict,
}

_LONGEST = 1e9
"""Maximum plausible seconds or dollars of a run; larger numbers were not measured."""


class Figures(NamedTuple):
    """`results` counts verdicts, `failed` runs without one by cause, `unread` unreadable records.

    Times are seconds and costs US dollars of the runs in which a judge was asked; `unpriced` are
    those whose agent reports no cost. `covered` are ADRs that some run approved, `current` those of
    them that have not changed since, of `adrs`.
    """

    runs: int
    cached: int
    results: dict[str, int]
    decisions: dict[str, int]
    failed: dict[str, int]
    unread: int
    seconds_median: float
    seconds_longest: float
    cost_usd: float
    unpriced: int
    tokens: int
    turns: int
    covered: int
    current: int
    adrs: int

    @property
    def verdicts(self) -> int:
        return sum(self.results.values())


def figures(records: Iterable[dict[str, Any] | None], adrs: Mapping[str, str]) -> Figures:
    """Return the figures of run records; `adrs` are the repository's, each with git's name of its
    content.
    """
    lines = list(records)
    runs = [line for line in lines if line is not None and _is_whole(line)]
    asked = [run for run in runs if not run["cached"]]
    times = sorted(float(run["duration_seconds"]) for run in asked)
    costs = [run.get("cost_usd") for run in asked]
    approved = [
        (path, hash)
        for run in runs
        if run["decision"] == "approved" and not run.get("narrowed")
        for path, hash in run["files"].items()
    ]
    return Figures(
        runs=len(runs),
        cached=len(runs) - len(asked),
        results=dict(Counter(run["result"] for run in runs if not run.get("failed_at"))),
        decisions=dict(Counter(run["decision"] for run in runs)),
        failed=dict(Counter(str(run["failed_at"]) for run in runs if run.get("failed_at"))),
        unread=len(lines) - len(runs),
        seconds_median=times[len(times) // 2] if times else 0,
        seconds_longest=times[-1] if times else 0,
        cost_usd=round(sum(float(cost) for cost in costs if _is_amount(cost)), 6),
        unpriced=sum(not _is_amount(cost) for cost in costs),
        tokens=_sum(asked, "tokens_used"),
        turns=_sum(asked, "turns"),
        covered=len({path for path, _ in approved} & adrs.keys()),
        current=len({path for path, hash in approved if adrs.get(path) == hash}),
        adrs=len(adrs),
    )


def _is_whole(record: dict[str, Any]) -> bool:
    return (
        all(isinstance(record.get(name), kind) for name, kind in _NEEDED.items())
        and 0 <= record["duration_seconds"] < _LONGEST
    )


def _is_amount(cost: object) -> TypeGuard[float]:
    return isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < _LONGEST


def _sum(runs: list[dict[str, Any]], name: str) -> int:
    return sum(
        run[name] for run in runs if isinstance(run.get(name), int) and 0 <= run[name] < _LONGEST
    )
