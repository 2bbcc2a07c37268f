"""The state of a run of a flow, for people at a terminal: whose turn it is, each phase, the way on.

Messages come from gates, agents and people, so all of them are sanitized.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..phases import run_state
from ..phases.flow import PROMPT, Flow, Phase
from ..phases.progress import in_scope
from ..phases.questions import OpenQuestion, question_of, questions, ways_on
from ..phases.run_state import PhaseProgress, RunState
from ..text.plural import counted
from ..text.sanitize import at_line_start, printable
from . import flow_json, flow_mermaid
from .json import dumped
from .text import painted

FORMATS = ("text", "mermaid", "json")

RUNNING, APPROVED, REJECTED, PAUSED, CANCELLED = (
    "running",
    "approved",
    "rejected",
    "paused",
    "cancelled",
)
_COLORS = {
    RUNNING: "info",
    APPROVED: "path",
    REJECTED: "error",
    PAUSED: "warning",
    CANCELLED: "rule",
    run_state.WAITING: "rule",
}
_LONGEST_NAME = 24
_SHORTEST_MESSAGE = 12
_MOST_FINDINGS = 10
_HEADS = ("state", "phase", "try", "time", "cost", "gate")


class FlowView(NamedTuple):
    """A run to be shown. `outcome` is the state of the whole run."""

    flow: Flow
    state: RunState
    outcome: str


def render(view: FlowView, format: str, color: bool = False, columns: int = 0) -> str:
    """Return a run in one of `FORMATS`. Lines of the table have at most `columns` characters, 0 for
    no limit.
    """
    if format == "json":
        return dumped(flow_json.payload(view.flow, view.state, view.outcome), len(view.flow.phases))
    if format == "mermaid":
        return flow_mermaid.render(view.flow, view.state)
    return "".join(f"{line}\n" for line in text_lines(view, color, columns))


def text_lines(view: FlowView, color: bool, columns: int) -> Iterator[str]:
    """Yield the lines of a run: what it waits for, its phases, and how it goes on."""
    asked = questions(view.flow, view.state)
    yield f"{_head(view, color)}: {printable(_turn(view, asked))}"
    yield f"  {printable(_facts(view))}"
    if view.state.warning:
        yield f"  {painted('warning', 'warning', color)}: {printable(view.state.warning)}"
    yield ""
    yield from _table(view, color, columns)
    for question in asked:
        yield ""
        yield from _asked(view.state, question, color)
    if view.outcome == REJECTED:
        yield ""
        yield from _rejected(view, color)


def _head(view: FlowView, color: bool) -> str:
    return f"{at_line_start(view.state.run)} {painted(view.outcome, _COLORS[view.outcome], color)}"


def _turn(view: FlowView, asked: tuple[OpenQuestion, ...]) -> str:
    """Return whose turn it is."""
    working = [id for id, item in view.state.phases.items() if item.state == run_state.RUNNING]
    if view.outcome == CANCELLED:
        return view.state.decided or "nothing goes on"
    if asked:
        names = ", ".join(question.name for question in asked)
        others = f"; {', '.join(working)} at work" if working else ""
        return f"a person must decide about {names}{others}"
    if view.outcome == APPROVED:
        return "every phase was approved"
    if view.outcome == REJECTED:
        return f"{', '.join(_rejected_phases(view.state))} did not pass"
    return f"{', '.join(working)} at work" if working else "the next phase has not begun"


def _facts(view: FlowView) -> str:
    state = view.state
    phases = [state.phases[id] for id in in_scope(state)]
    done = sum(item.state == run_state.APPROVED for item in phases)
    limit = state.allowed_usd or view.flow.budget.soft
    spent = money(sum(item.cost_usd for item in phases))
    return ", ".join(
        (
            view.flow.path,
            f"asked by {view.state.asked_by.in_words}",
            f"{done} of {counted(len(phases), 'phase')} approved",
            duration(sum(item.seconds for item in phases)),
            f"{spent} of {money(limit)}" if limit else spent,
        )
    )


def duration(seconds: float) -> str:
    """Return a time for a column, as in `4.2 s`, `12 min` or `3.5 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def money(usd: float) -> str:
    """Return an amount in US dollars; less than a cent is said to be that."""
    return "< $0.01" if 0 < usd < 0.005 else f"${usd:.2f}"


def _table(view: FlowView, color: bool, columns: int) -> Iterator[str]:
    """Yield a row a phase, with the gate's message in what is left of the line."""
    scope = in_scope(view.state)
    shown = [phase for phase in view.flow.phases if phase.id in scope]
    rows = [_row(phase, view.state.phases[phase.id]) for phase in shown]
    widths = [max(map(len, column)) for column in zip(_HEADS, *rows, strict=True)][:-1]
    used = sum(width + 2 for width in widths) + 2
    room = max(_SHORTEST_MESSAGE, columns - used) if columns else 0
    heads = _joined(_HEADS[:-1], widths)
    yield f"  {painted(heads + _HEADS[-1], 'rule', color)}"
    for row in rows:
        cells = _joined(row[:-1], widths)
        state = row[0]
        line = painted(state, _COLORS[state], color) + cells[len(state) :]
        yield f"  {line}{printable(row[-1], room)}".rstrip()


def _joined(cells: tuple[str, ...], widths: list[int]) -> str:
    return "".join(f"{cell:<{width}}  " for cell, width in zip(cells, widths, strict=True))


def _row(phase: Phase, progress: PhaseProgress) -> tuple[str, ...]:
    has_begun = progress.number > 0
    return (
        progress.state,
        printable(phase.id, _LONGEST_NAME),
        tries(phase, progress) if has_begun else "",
        duration(progress.seconds) if progress.seconds else "",
        money(progress.cost_usd) if progress.cost_usd else "",
        message_of(progress),
    )


def tries(phase: Phase, progress: PhaseProgress) -> str:
    """Return which try of which stage a phase is at, as in `2/3` or `prompt 1/1`."""
    stage = "prompt " if progress.stage == PROMPT and phase.prompt_gate else ""
    return f"{stage}{progress.attempt}/{max(progress.attempt, phase.max_retries + 1)}"


def message_of(progress: PhaseProgress) -> str:
    """Return the last answer of a gate in one line."""
    if progress.overridden:
        return f"overridden: {progress.overridden}"
    if progress.decided and progress.state == run_state.APPROVED:
        return progress.decided
    if not progress.result:
        return progress.question if progress.state == run_state.PAUSED else ""
    result = progress.result
    failed = "could not be evaluated: " if result.failed else ""
    kind = f"{result.gate_type}: " if result.gate_type else ""
    return " ".join(f"{kind}{failed}{result.message}".split())


def _asked(state: RunState, question: OpenQuestion, color: bool) -> Iterator[str]:
    name = painted(printable(question.name), "path", color)
    yield f"{name} waits for a person: {printable(question.text)}"
    if question.phase:
        yield from _findings(state.phases[question.phase], color, told=question.text)
    yield from (f"  {printable(line)}" for line in ways_on(state.run, question))


def _rejected_phases(state: RunState) -> list[str]:
    scope = in_scope(state)
    return [id for id, item in state.phases.items() if item.state == REJECTED and id in scope]


def _rejected(view: FlowView, color: bool) -> Iterator[str]:
    for id in _rejected_phases(view.state):
        progress = view.state.phases[id]
        yield f"{painted(printable(id), 'path', color)} was rejected:"
        yield from _findings(progress, color)
        ways = ways_on(view.state.run, question_of(id, progress))
        yield from (f"  {printable(line)}" for line in ways)


def _findings(progress: PhaseProgress, color: bool, told: str = "") -> Iterator[str]:
    """Yield the gate's message, unless it was `told` already, and findings, each with its place."""
    if not progress.result:
        return
    result = progress.result
    if result.message.split() != told.split():
        yield f"  {printable(result.message)}"
    for finding in result.findings[:_MOST_FINDINGS]:
        severity = painted(finding.severity, finding.severity, color)
        place = f"{finding.path}:{finding.line}" if finding.path else ""
        about = " ".join(filter(None, (place, finding.check)))
        yield f"    {severity} {printable(about)}: {printable(finding.message)}"
    left = len(result.findings) - _MOST_FINDINGS
    if left > 0:
        yield f"    and {left} more (--format json has all of them)"
