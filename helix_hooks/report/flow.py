"""The state of a run of a flow for a terminal: whose turn it is, each phase, and the next steps.

Messages come from gates, agents and people, so all of them are sanitized.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..phases import run_state
from ..phases.flow import PROMPT, Flow, Phase
from ..phases.gate_result import GateResult
from ..phases.progress import in_scope
from ..phases.questions import OpenQuestion, question_of, questions, ways_on
from ..phases.run_state import PhaseProgress, RunState
from ..text.plural import counted
from ..text.sanitize import at_line_start, painted, printable
from ..text.table import Cell, table
from . import flow_json, flow_mermaid
from .json import dumped

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
_MOST_FINDINGS = 10
_HEADS = ("state", "phase", "try", "time", "cost", "gate")


class FlowView(NamedTuple):
    """A run to show. `outcome` is the state of the whole run."""

    flow: Flow
    state: RunState
    outcome: str


def render(view: FlowView, format: str, color: bool = False, columns: int = 0) -> str:
    """Return a run in one of `FORMATS`.

    Lines of the table have at most `columns` characters; 0 means no limit.
    """
    if format == "json":
        return dumped(flow_json.payload(view.flow, view.state, view.outcome), len(view.flow.phases))
    if format == "mermaid":
        return flow_mermaid.render(view.flow, view.state)
    return "".join(f"{line}\n" for line in text_lines(view, color, columns))


def text_lines(view: FlowView, color: bool, columns: int) -> Iterator[str]:
    """Yield the lines of a run: whose turn it is, its phases, and its next steps."""
    open_questions = questions(view.flow, view.state)
    yield f"{_head(view, color)}: {printable(_turn(view, open_questions))}"
    yield f"  {printable(_facts(view))}"
    if view.state.warning:
        yield f"  {painted('warning', 'warning', color)}: {printable(view.state.warning)}"
    yield ""
    yield from _table(view, color, columns)
    for question in open_questions:
        yield ""
        yield from _question(view.state, question, color)
    if view.outcome == REJECTED:
        yield ""
        yield from _rejected(view, color)


def _head(view: FlowView, color: bool) -> str:
    return f"{at_line_start(view.state.run)} {painted(view.outcome, _COLORS[view.outcome], color)}"


def _turn(view: FlowView, open_questions: tuple[OpenQuestion, ...]) -> str:
    """Return whose turn it is."""
    if view.outcome == CANCELLED:
        return view.state.decided or "no phase is running"
    working = _working(view.state)
    if open_questions:
        names = ", ".join(question.name for question in open_questions)
        others = f"; running: {working}" if working else ""
        return f"a person must decide about {names}{others}"
    if view.outcome == APPROVED:
        return _every_phase(view.state)
    if view.outcome == REJECTED:
        return f"{', '.join(_rejected_phases(view.state))} did not pass"
    if working:
        return f"running: {working}"
    return "the next phase has not started"


def _every_phase(state: RunState) -> str:
    """Return that the run is approved, and the phases that it left out and nobody approved."""
    left_out = [
        id
        for id, progress in state.phases.items()
        if id not in in_scope(state) and progress.state != run_state.APPROVED
    ]
    if not left_out:
        return "every phase was approved"
    return f"every phase of this run was approved; not run: {', '.join(left_out)}"


def _working(state: RunState) -> str:
    """Return the names of the running phases."""
    return ", ".join(id for id, item in state.phases.items() if item.state == run_state.RUNNING)


def _facts(view: FlowView) -> str:
    state = view.state
    phases = [state.phases[id] for id in in_scope(state)]
    done = sum(item.state == run_state.APPROVED for item in phases)
    spent = money(sum(item.cost_usd for item in phases))
    limit = state.allowed_usd or view.flow.budget.soft
    if limit:
        spent = f"{spent} of {money(limit)}"
    return ", ".join(
        (
            view.flow.path,
            f"asked by {state.asked_by.in_words}",
            f"{done} of {counted(len(phases), 'phase')} approved",
            duration(sum(item.seconds for item in phases)),
            spent,
        )
    )


def duration(seconds: float) -> str:
    """Return a time for a column, such as `4.2 s`, `12 min` or `3.5 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def money(usd: float) -> str:
    """Return an amount in US dollars and cents; `< $0.01` for less than a cent."""
    if 0 < usd < 0.005:  # would be rounded to $0.00
        return "< $0.01"
    return f"${usd:.2f}"


def _table(view: FlowView, color: bool, columns: int) -> Iterator[str]:
    """Yield a row per phase, with the gate's message in the remaining columns."""
    scope = in_scope(view.state)
    shown = [phase for phase in view.flow.phases if phase.id in scope]
    rows = [phase_row(phase, view.state.phases[phase.id]) for phase in shown]
    yield from table(rows, _HEADS, indent=2, color=color, columns=columns)


def phase_row(phase: Phase, progress: PhaseProgress) -> tuple[Cell, ...]:
    """Return the cells of a phase: its state, name, try, time, cost and the gate's message."""
    return (
        (progress.state, _COLORS[progress.state]),
        printable(phase.id, _LONGEST_NAME),
        tries(phase, progress) if progress.number else "",
        duration(progress.seconds) if progress.seconds else "",
        money(progress.cost_usd) if progress.cost_usd else "",
        message_of(progress),
    )


def tries(phase: Phase, progress: PhaseProgress) -> str:
    """Return the attempt of a phase and the maximum, such as `2/3` or `prompt 1/1`."""
    attempts = f"{progress.attempt}/{max(progress.attempt, phase.max_retries + 1)}"
    if progress.stage == PROMPT and phase.prompt_gate:
        return f"prompt {attempts}"
    return attempts


def message_of(progress: PhaseProgress) -> str:
    """Return the last answer of a gate in one line."""
    if progress.overridden:
        return f"overridden: {progress.overridden}"
    if progress.decided and progress.state == run_state.APPROVED:
        return progress.decided
    if progress.result:
        return _result_line(progress.result)
    if progress.state == run_state.PAUSED:
        return progress.question
    return ""


def _result_line(result: GateResult) -> str:
    text = result.message
    if result.failed:
        text = f"could not be evaluated: {text}"
    if result.gate_type:
        text = f"{result.gate_type}: {text}"
    return " ".join(text.split())


def _question(state: RunState, question: OpenQuestion, color: bool) -> Iterator[str]:
    name = painted(printable(question.name), "path", color)
    yield f"{name} waits for a person: {printable(question.text)}"
    if question.phase:
        yield from _findings(state.phases[question.phase], color, shown_text=question.text)
    yield from (f"  {printable(line)}" for line in ways_on(state.run, question))


def _rejected_phases(state: RunState) -> list[str]:
    scope = in_scope(state)
    return [id for id, item in state.phases.items() if item.state == REJECTED and id in scope]


def _rejected(view: FlowView, color: bool) -> Iterator[str]:
    for id in _rejected_phases(view.state):
        progress = view.state.phases[id]
        yield f"{painted(printable(id), 'path', color)} was rejected:"
        yield from _findings(progress, color)
        commands = ways_on(view.state.run, question_of(id, progress))
        yield from (f"  {printable(line)}" for line in commands)


def _findings(progress: PhaseProgress, color: bool, shown_text: str = "") -> Iterator[str]:
    """Yield the message of a gate, unless `shown_text` is the same, and its first findings."""
    if not progress.result:
        return
    result = progress.result
    if result.message.split() != shown_text.split():
        yield f"  {printable(result.message)}"
    for finding in result.findings[:_MOST_FINDINGS]:
        severity = painted(finding.severity, finding.severity, color)
        subject = finding.check
        if finding.path:
            subject = f"{finding.path}:{finding.line} {finding.check}".rstrip()
        yield f"    {severity} {printable(subject)}: {printable(finding.message)}"
    left_out = len(result.findings) - _MOST_FINDINGS
    if left_out > 0:
        yield f"    and {left_out} more (--format json has all of them)"
