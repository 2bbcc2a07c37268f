"""An evaluation for people and for programs."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import mean

from evaluation import rates
from evaluation.rates import Run
from evaluation.seeded import Case
from helix_hooks.text import counted

SCRIPTED = "scripted model: these rates say nothing about a real judge"
"""Stands above and below what a scripted model came to."""

_WIDTHS = (46, 25, 36, 9)


def text(runs: Sequence[Run], scripted: bool) -> str:
    notice = [SCRIPTED, ""] if scripted else []
    return "\n".join(
        [*notice, *_head(runs), "", *_cases(runs), "", *_figures(runs, scripted), *reversed(notice)]
    )


def _head(runs: Sequence[Run]) -> Iterator[str]:
    judges = ", ".join(sorted({run.judge for run in runs if run.decision})) or "nobody"
    cases = {run.case for run in runs}
    defects = sum(case.is_defect for case in cases)
    shared = f"{defects} with a defect and {len(cases) - defects} without one"
    yield (
        f"{counted(len(cases), 'case')}, {shared}; {counted(len(runs), 'run')}, judged by {judges}"
    )


def _cases(runs: Sequence[Run]) -> Iterator[str]:
    yield _line("case", "a defect for", "came to", "seconds", "US dollars")
    for case in dict.fromkeys(run.case for run in runs):
        yield _case(case, [run for run in runs if run.case == case])
    for reason, number in Counter(run.reason for run in runs if run.reason).items():
        yield f"  no verdict in {counted(number, 'run')}: {reason}"


def _case(case: Case, runs: Sequence[Run]) -> str:
    """The case with what its runs came to; seconds and cost are the mean of them."""
    counts = Counter(run.outcome for run in runs)
    came = ", ".join(
        f"{outcome} {counts[outcome]}" if len(runs) > 1 else outcome
        for outcome in rates.OUTCOMES
        if counts[outcome]
    )
    costs = [run.cost for run in runs if run.cost is not None]
    seconds = f"{mean(run.seconds for run in runs):.1f}"
    return _line(
        case.name,
        " or ".join(case.briefs) or "-",
        came,
        seconds,
        f"{mean(costs):.3f}" if costs else "-",
    )


def _line(*cells: str) -> str:
    *others, last = cells
    return "".join(cell.ljust(width) for cell, width in zip(others, _WIDTHS, strict=True)) + last


def _figures(runs: Sequence[Run], scripted: bool) -> Iterator[str]:
    for row in rates.rows(runs):
        met = (
            ""
            if scripted
            else ": not measured"
            if row.value is None
            else ": met"
            if row.met
            else ": NOT MET"
        )
        yield f"{row.name:<34}{row.shown}; target {row.target}{met}"
    yield (
        f"{'found, under another brief':<34}{rates.count(runs, rates.ELSEWHERE)} of "
        f"{rates.missed(runs).of}"
    )
    yield (
        f"{'good, and left to a person':<34}{rates.count(runs, rates.PERSON)} of "
        f"{rates.alarms(runs).of}"
    )
    yield f"{'no verdict, counted nowhere else':<34}{rates.count(runs, rates.NONE)} of {len(runs)}"


def as_json(runs: Sequence[Run], scripted: bool) -> str:
    """Version 1; fields may be added."""
    figures = {
        row.key: {"value": row.value, "below": row.below, "met": row.met}
        for row in rates.rows(runs)
    }
    counts = {outcome: rates.count(runs, outcome) for outcome in rates.OUTCOMES}
    found = {
        "version": 1,
        "scripted": scripted,
        "runs": [_run(run) for run in runs],
        "outcomes": counts,
        "figures": figures,
    }
    return json.dumps({**found, "note": SCRIPTED} if scripted else found, indent=2)


def _run(run: Run) -> dict[str, object]:
    return {
        "case": run.case.name,
        "adr": run.case.adr,
        "type": run.case.type,
        "kind": "defect" if run.case.is_defect else "harmless",
        "expected": list(run.case.briefs),
        "outcome": run.outcome,
        "decision": run.decision or None,
        "briefs": sorted(run.briefs),
        "seconds": round(run.seconds, 3),
        "cost_usd": run.cost,
        "judge": run.judge or None,
        "attempts": run.tries,
        "reason": run.reason or None,
    }
