"""Rates, cost and latency of the runs of an evaluation, compared with their targets."""

from collections.abc import Sequence
from math import comb
from statistics import mean, median
from typing import NamedTuple

from evaluation.seeded import Case

FOUND, ELSEWHERE, MISSED = "found", "found under another brief", "missed"
RIGHT, ALARM, PERSON = "right", "false alarm", "to a person"
NONE = "no verdict"
OUTCOMES = (FOUND, ELSEWHERE, MISSED, RIGHT, ALARM, PERSON, NONE)

_SURE = 0.95


class Run(NamedTuple):
    """One call of `approve`: `decision` is approved, rejected or pending, and "" where no judge
    gave a verdict, with the `reason`.

    `briefs` are those under which something was found, `seconds` what a person would have waited,
    `cost` is None where it is not stated.
    """

    case: Case
    decision: str
    briefs: frozenset[str] = frozenset()
    seconds: float = 0
    cost: float | None = None
    judge: str = ""
    tries: int = 0
    reason: str = ""

    @property
    def outcome(self) -> str:
        if not self.decision:
            return NONE
        if self.case.is_defect:
            under = FOUND if self.briefs.intersection(self.case.briefs) else ELSEWHERE
            return MISSED if self.decision == "approved" else under
        return {"approved": RIGHT, "pending": PERSON}.get(self.decision, ALARM)


class Share(NamedTuple):
    """So many of so many runs."""

    hits: int
    of: int

    @property
    def rate(self) -> float | None:
        return self.hits / self.of if self.of else None

    @property
    def at_most(self) -> float:
        """The highest rate that would give so few with a chance of 5 %, if each run were drawn for
        itself (Clopper and Pearson).
        """
        low, high = 0.0, 1.0
        for _ in range(40):
            rate = (low + high) / 2
            likely = sum(
                comb(self.of, number) * rate**number * (1 - rate) ** (self.of - number)
                for number in range(self.hits + 1)
            )
            low, high = (rate, high) if likely > 1 - _SURE else (low, rate)
        return high


class Row(NamedTuple):
    """A figure beside its target; `value` is None where nothing was measured."""

    key: str
    name: str
    value: float | None
    below: float
    shown: str
    target: str

    @property
    def met(self) -> bool:
        return self.value is None or self.value < self.below


def count(runs: Sequence[Run], *outcomes: str) -> int:
    return sum(run.outcome in outcomes for run in runs)


def missed(runs: Sequence[Run]) -> Share:
    return Share(count(runs, MISSED), count(runs, FOUND, ELSEWHERE, MISSED))


def alarms(runs: Sequence[Run]) -> Share:
    return Share(count(runs, ALARM), count(runs, RIGHT, ALARM, PERSON))


def rows(runs: Sequence[Run]) -> list[Row]:
    """The figures of the runs that gave a verdict; for time and cost each single run must stay
    below the target.
    """
    judged = [run for run in runs if run.decision]
    seconds = [run.seconds for run in judged]
    costs = [run.cost for run in judged if run.cost is not None]
    lost, false = missed(runs), alarms(runs)
    return [
        Row("false_negatives", "missed (false negatives)", lost.rate, 0.01, _share(lost), "< 1 %"),
        Row(
            "false_positives",
            "false alarms (false positives)",
            false.rate,
            0.05,
            _share(false),
            "< 5 %",
        ),
        Row("seconds", "seconds", max(seconds, default=None), 60, _seconds(seconds), "each < 60"),
        Row(
            "cost_usd",
            "US dollars",
            max(costs, default=None),
            0.30,
            _costs(costs, runs),
            "each < 0.30",
        ),
    ]


def _share(share: Share) -> str:
    rate = share.rate
    if rate is None:
        return "none was run"
    return (
        f"{share.hits} of {share.of}, {rate * 100:.1f} % (with 95 % certainty at most "
        f"{share.at_most * 100:.0f} %)"
    )


def _seconds(seconds: Sequence[float]) -> str:
    return f"median {median(seconds):.1f}, highest {max(seconds):.1f}" if seconds else "none"


def _costs(costs: Sequence[float], runs: Sequence[Run]) -> str:
    """Return the cost of a verdict. Runs without a verdict cost too, and are in the sum."""
    if not costs:
        return "not stated"
    unstated = sum(run.cost is None for run in runs)
    whole = sum(run.cost for run in runs if run.cost is not None)
    unknown = f"; not stated by {unstated}" if unstated else ""
    return f"mean {mean(costs):.3f}, highest {max(costs):.3f}, {whole:.2f} in all{unknown}"
