"""Time and cost of the runs of flows, a phase a line, and as JSON."""

from collections.abc import Sequence

from ..phases.progress import in_scope
from ..phases.run_state import PhaseProgress, RunState
from ..text.sanitize import at_line_start, printable
from .flow import FlowView, duration, money


def as_text(views: Sequence[FlowView]) -> str:
    """Return the runs, newest first, each with its phases; "" without runs."""
    return "".join(f"{line}\n" for view in views for line in ("", *_lines(view)))


def _lines(view: FlowView) -> list[str]:
    rows = [
        (
            printable(phase, 24),
            duration(item.seconds),
            money(item.cost_usd),
            f"{item.number} {'try' if item.number == 1 else 'tries'}",
        )
        for phase, item in _begun(view.state)
    ]
    spent = money(sum(item.cost_usd for _, item in _begun(view.state)))
    took = duration(sum(item.seconds for _, item in _begun(view.state)))
    head = f"flow        {at_line_start(view.state.run)}: {view.outcome}, {took}, {spent}"
    width = max((len(row[0]) for row in rows), default=0)
    return [
        head,
        *(f"  {name:<{width}}  {time:>7}  {cost:>7}  {tries}" for name, time, cost, tries in rows),
    ]


def _begun(state: RunState) -> list[tuple[str, PhaseProgress]]:
    """Return the phases of a run that have begun."""
    scope = in_scope(state)
    return [(id, item) for id, item in state.phases.items() if id in scope and item.number]


def payload(views: Sequence[FlowView]) -> list[dict[str, object]]:
    """Return the runs for programs."""
    return [
        {
            "run": view.state.run,
            "flow": view.flow.name,
            "state": view.outcome,
            "seconds": round(sum(item.seconds for _, item in _begun(view.state)), 3),
            "cost_usd": round(sum(item.cost_usd for _, item in _begun(view.state)), 6),
            "phases": [
                {
                    "id": phase,
                    "tries": item.number,
                    "seconds": round(item.seconds, 3),
                    "cost_usd": round(item.cost_usd, 6),
                }
                for phase, item in _begun(view.state)
            ],
        }
        for view in views
    ]
