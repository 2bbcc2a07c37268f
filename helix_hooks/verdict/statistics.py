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
"""Maximum plausible seconds or dollars of a run; larger numbers are measuring errors."""


class Figures(NamedTuple):
    """Figures of all runs.

    `results` counts verdicts, `failed` runs without one by cause, `unread` unreadable records.
    Times are in seconds and costs in US dollars, both without cached runs; `unpriced` is the number
    of runs whose agent reports no cost. Of `adrs` ADRs, `covered` were approved by some run, and
    `current` of these have not changed since.
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
    """Return the figures of run records.

    `adrs` are the repository's ADRs, each with git's hash of its content.
    """
    lines = list(records)
    runs = _complete(lines)
    fresh = [run for run in runs if not run["cached"]]
    times = sorted(float(run["duration_seconds"]) for run in fresh) or [0]
    costs = _costs(fresh)
    failed = [run for run in runs if run.get("failed_at")]
    judged = [run for run in runs if not run.get("failed_at")]
    approved = _approved(runs)
    return Figures(
        runs=len(runs),
        cached=len(runs) - len(fresh),
        results=_numbers("result", judged),
        decisions=_numbers("decision", runs),
        failed=_numbers("failed_at", failed),
        unread=len(lines) - len(runs),
        seconds_median=times[len(times) // 2],
        seconds_longest=times[-1],
        cost_usd=round(sum(costs), 6),
        unpriced=len(fresh) - len(costs),
        tokens=_sum(fresh, "tokens_used"),
        turns=_sum(fresh, "turns"),
        covered=len(approved.keys() & adrs.keys()),
        current=_current(approved, adrs),
        adrs=len(adrs),
    )


def _costs(runs: Iterable[dict[str, Any]]) -> list[float]:
    costs = (run.get("cost_usd") for run in runs)
    return [float(cost) for cost in costs if _is_amount(cost)]


def _numbers(name: str, runs: Iterable[dict[str, Any]]) -> dict[str, int]:
    """Return how many runs have each value of a field."""
    return dict(Counter(str(run[name]) for run in runs))


def _current(approved: Mapping[str, set[str]], adrs: Mapping[str, str]) -> int:
    return sum(adrs.get(path) in hashes for path, hashes in approved.items())


def _complete(records: Iterable[dict[str, Any] | None]) -> list[dict[str, Any]]:
    return [record for record in records if record is not None and _is_complete(record)]


def _approved(runs: Iterable[dict[str, Any]]) -> dict[str, set[str]]:
    """Return the approved paths, each with git's hashes of its approved contents."""
    approved: dict[str, set[str]] = {}
    for run in runs:
        # A run with some briefs only approves nothing as a whole.
        if run["decision"] == "approved" and not run.get("narrowed"):
            for path, hash in run["files"].items():
                approved.setdefault(path, set()).add(hash)
    return approved


def _is_complete(record: dict[str, Any]) -> bool:
    if not all(isinstance(record.get(name), kind) for name, kind in _NEEDED.items()):
        return False
    return bool(0 <= record["duration_seconds"] < _LONGEST)


def _is_amount(cost: object) -> TypeGuard[float]:
    return isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < _LONGEST


def _sum(runs: list[dict[str, Any]], name: str) -> int:
    numbers = (run.get(name) for run in runs)
    return sum(number for number in numbers if isinstance(number, int) and 0 <= number < _LONGEST)
