"""Time and cost of the runs of flows, one line per phase, and as JSON."""

from collections.abc import Sequence

from ..phases.progress import in_scope
from ..phases.run_state import PhaseProgress, RunState
from ..text.sanitize import at_line_start, printable
from ..text.table import table
from .flow import FlowView, duration, money


def as_text(views: Sequence[FlowView]) -> str:
    """Return the runs, newest first, each with its phases; "" without runs."""
    lines: list[str] = []
    for view in views:
        lines += ["", *_lines(view)]
    return "".join(f"{line}\n" for line in lines)


def _lines(view: FlowView) -> list[str]:
    phases = _begun(view.state)
    spent = money(sum(item.cost_usd for _, item in phases))
    took = duration(sum(item.seconds for _, item in phases))
    rows = [
        (
            printable(id, _LONGEST_NAME),
            duration(item.seconds),
            money(item.cost_usd),
            f"{item.number} {'try' if item.number == 1 else 'tries'}",
        )
        for id, item in phases
    ]
    head = f"flow        {at_line_start(view.state.run)}: {view.outcome}, {took}, {spent}"
    return [head, *table(rows, indent=2, right=(1, 2))]


_LONGEST_NAME = 24


def _begun(state: RunState) -> list[tuple[str, PhaseProgress]]:
    """Return the phases of a run that have begun."""
    scope = in_scope(state)
    return [(id, item) for id, item in state.phases.items() if id in scope and item.number]


def payload(views: Sequence[FlowView]) -> list[dict[str, object]]:
    """Return the runs as JSON values."""
    return [_run(view) for view in views]


def _run(view: FlowView) -> dict[str, object]:
    phases = _begun(view.state)
    return {
        "run": view.state.run,
        "flow": view.flow.name,
        "state": view.outcome,
        "seconds": round(sum(item.seconds for _, item in phases), 3),
        "cost_usd": round(sum(item.cost_usd for _, item in phases), 6),
        "phases": [
            {
                "id": id,
                "tries": item.number,
                "seconds": round(item.seconds, 3),
                "cost_usd": round(item.cost_usd, 6),
            }
            for id, item in phases
        ],
    }
