"""A run of a flow as text: its state, its changes, its cost, and the list of all runs. Pure.

Messages come from gates, agents and people, so all of them are sanitized.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..text import at_line_start, counted, moment, painted, printable
from ..text.table import Cell, table
from . import run_state
from .flow import PROMPT, Flow, Phase
from .progress import in_scope
from .questions import OpenQuestion, question_of, questions, ways_on
from .run_state import APPROVED, CANCELLED, PAUSED, REJECTED, RUNNING, PhaseProgress, RunState

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
    """A run to show. `outcome` is the state of the whole run.

    `executor` is the process that executes it, "" if none does or that is unknown, and `seen` are
    the seconds since its last sign of life. `idle` are the seconds since the last change of a run
    that should be executed, and that no process executes; None for any other run. A run that a
    person has answered should be executed too. `tree` is the path of its work tree, "" if this
    machine has none. `base` is the commit from which it started, `commit` its last one, and
    `commits` the last one of each phase. `is_applied`: its changes were brought into the user's
    work tree.
    """

    flow: Flow
    state: RunState
    outcome: str
    executor: str = ""
    seen: float | None = None
    idle: float | None = None
    tree: str = ""
    base: str = ""
    commit: str = ""
    commits: Mapping[str, str] = {}
    is_applied: bool = True

    @property
    def questions(self) -> tuple[OpenQuestion, ...]:
        """The open questions, () if a person has answered."""
        if self.outcome != RUNNING and self.idle is not None:
            return ()
        return questions(self.flow, self.state)


class RunRow(NamedTuple):
    """A run in a list.

    `flow` is the name of its flow, `state` is from `phases.advance.outcome`, `questions` are the
    open questions to people. `root` is the work tree of the user who began it. Times are in seconds
    since 1970. `idle_seconds` are as `idle` in FlowView.
    """

    run: str
    flow: str
    state: str
    asked_by: str
    root: str
    started: float
    updated: float
    questions: tuple[str, ...] = ()
    idle_seconds: float | None = None


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


# The state of a run.


def as_text(view: FlowView, color: bool = False, columns: int = 0) -> str:
    """Return a run: whose turn it is, its phases, and its next steps.

    Lines of the table have at most `columns` characters; 0 means no limit.
    """
    return "".join(f"{line}\n" for line in _lines(view, color, columns))


def _lines(view: FlowView, color: bool, columns: int) -> Iterator[str]:
    flow, state = view.flow, view.state
    scope = in_scope(state)
    open_questions = view.questions
    outcome = painted(view.outcome, _COLORS[view.outcome], color)
    yield f"{at_line_start(state.run)} {outcome}: {printable(_turn(view, open_questions))}"
    yield f"  {printable(_facts(view))}"
    if state.warning:
        yield f"  {painted('warning', 'warning', color)}: {printable(state.warning)}"
    if view.tree:
        yield f"  work tree {printable(view.tree)}"
    if view.outcome == APPROVED and not view.is_applied:
        yield f"  bring its changes here: helix-hooks flow apply {state.run}"
    yield ""
    rows = [phase_row(phase, state.phases[phase.id]) for phase in flow.phases if phase.id in scope]
    yield from table(rows, _HEADS, indent=2, color=color, columns=columns)
    for question in open_questions:
        yield ""
        name = painted(printable(question.name), "path", color)
        yield f"{name} waits for a person: {printable(question.text)}"
        if question.phase:
            yield from _findings(state.phases[question.phase], color, shown_text=question.text)
        yield from (f"  {printable(line)}" for line in ways_on(state.run, question))
    if view.outcome == REJECTED and view.idle is None:
        yield ""
        for id in _phases_in(state, REJECTED):
            yield f"{painted(printable(id), 'path', color)} was rejected:"
            if state.phases[id].decided:
                yield f"  {printable(state.phases[id].decided)}"
            else:
                yield from _findings(state.phases[id], color)
            commands = ways_on(state.run, question_of(id, state.phases[id]))
            yield from (f"  {printable(line)}" for line in commands)


def _turn(view: FlowView, open_questions: tuple[OpenQuestion, ...]) -> str:
    """Return whose turn it is."""
    state = view.state
    if view.outcome == CANCELLED:
        return state.decided or "no phase is running"
    if view.idle is not None:
        answered = "" if view.outcome == RUNNING else "an answer was given, but "
        return (
            f"{answered}nobody has run this for {duration(view.idle)}; start `helix-hooks worker`, "
            f"or `helix-hooks flow resume {state.run}`"
        )
    working = [id for id, item in state.phases.items() if item.state == RUNNING]
    running = f"running: {', '.join(working)}" if working else ""
    if open_questions:
        names = ", ".join(question.name for question in open_questions)
        return "; ".join(filter(None, (f"a person must decide about {names}", running)))
    if view.outcome == APPROVED:
        # Phases that the run left out, and that nobody approved.
        scope = in_scope(state)
        left_out = [
            id for id, item in state.phases.items() if id not in scope and item.state != APPROVED
        ]
        if not left_out:
            return "every phase was approved"
        return f"every phase of this run was approved; not run: {', '.join(left_out)}"
    if view.outcome == REJECTED:
        return f"{', '.join(_phases_in(state, REJECTED))} did not pass"
    return running or "the next phase has not started"


def _phases_in(state: RunState, phase_state: str) -> list[str]:
    """Return the phases of a run that are in a state."""
    scope = in_scope(state)
    return [id for id, item in state.phases.items() if item.state == phase_state and id in scope]


def _facts(view: FlowView) -> str:
    state = view.state
    phases = [state.phases[id] for id in in_scope(state)]
    spent = money(sum(item.cost_usd for item in phases))
    if limit := state.allowed_usd or view.flow.budget.soft:
        spent = f"{spent} of {money(limit)}"
    executor = f"executed by {view.executor}" if view.executor else ""
    if view.executor and view.seen:
        executor += f" (seen {duration(view.seen)} ago)"
    parts = (
        view.flow.path,
        f"asked by {state.asked_by.in_words}",
        f"{len(_phases_in(state, APPROVED))} of {counted(len(phases), 'phase')} approved",
        duration(sum(item.seconds for item in phases)),
        spent,
        executor,
    )
    return ", ".join(filter(None, parts))


def phase_row(phase: Phase, progress: PhaseProgress) -> tuple[Cell, ...]:
    """Return the cells of a phase: its state, name, try, time, cost and the gate's message."""
    return (
        (progress.state, _COLORS[progress.state]),
        printable(phase.id, _LONGEST_NAME),
        _tries(phase, progress) if progress.number else "",
        duration(progress.seconds) if progress.seconds else "",
        money(progress.cost_usd) if progress.cost_usd else "",
        _message(progress),
    )


def _tries(phase: Phase, progress: PhaseProgress) -> str:
    """Return the attempt of a phase and the maximum, such as `2/3` or `prompt 1/1`."""
    attempts = f"{progress.attempt}/{max(progress.attempt, phase.max_retries + 1)}"
    if progress.stage == PROMPT and phase.prompt_gate:
        return f"prompt {attempts}"
    return attempts


def _message(progress: PhaseProgress) -> str:
    """Return the last answer of a gate in one line."""
    if progress.overridden:
        return f"overridden: {progress.overridden}"
    if progress.decided and progress.state in (APPROVED, REJECTED):
        return progress.decided
    if result := progress.result:
        text = result.in_words
        return " ".join((f"{result.gate_type}: {text}" if result.gate_type else text).split())
    return progress.question if progress.state == PAUSED else ""


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


# The changes of a run, for a log or a pipe.


def changes(flow: Flow, before: RunState | None, state: RunState) -> Iterator[str]:
    """Yield a line for each phase whose state or attempt differs from `before`.

    `before` is None for the first state of a run.
    """
    for phase in flow.phases:
        now = state.phases.get(phase.id)
        earlier = before.phases.get(phase.id) if before else None
        if not now or (not earlier and now.state == run_state.WAITING):
            continue
        if earlier and _key(earlier) == _key(now):
            continue
        name = printable(phase.id)
        was_running = earlier is not None and earlier.state == RUNNING
        if now.state == RUNNING and was_running and now.result and not now.result.passed:
            yield f"{name}: {printable(_message(now))}"  # why there is another attempt
        yield f"{name}: {_change(phase, now)}"


def _key(progress: PhaseProgress) -> tuple[str, str, int]:
    return progress.state, progress.stage, progress.number


def _change(phase: Phase, now: PhaseProgress) -> str:
    if now.state == run_state.WAITING:
        if not now.used or not now.result or now.result.passed:
            return "waiting again"
        handler = phase.on_rejection
        target = f"{printable(handler.target)} runs again ({now.used} of {handler.max_retries})"
        return f"rejected; {target}: {printable(now.decided or _message(now))}"
    if now.state == RUNNING:
        return f"running, try {_tries(phase, now)}"
    effort = duration(now.seconds)
    if now.cost_usd:
        effort = f"{effort}, {money(now.cost_usd)}"
    message = now.question if now.state == PAUSED else _message(now)
    return ": ".join(filter(None, (f"{now.state} ({effort})", printable(message))))


# Several runs.


def listed(rows: Sequence[RunRow], color: bool = False) -> str:
    """Return one line per run, and its open questions below."""
    if not rows:
        return "no runs here; `helix-hooks run FILE` starts one\n"
    lines: list[Sequence[Cell]] = []
    for row in rows:
        by = f"  by {row.asked_by}" if row.asked_by else ""
        state = (row.state, _COLORS[row.state])
        if row.idle_seconds is not None:
            state = (f"nobody has run it for {duration(row.idle_seconds)}", "warning")
        lines.append((row.run, state, f"{moment(int(row.started))}{by}"))
        lines += [("", question) for question in row.questions]
    return "".join(f"{line}\n" for line in table(lines, color=color))


def costs(views: Sequence[FlowView]) -> str:
    """Return time and cost of runs, newest first, each with its phases; "" without runs."""
    lines: list[str] = []
    for view in views:
        begun = begun_phases(view.state)
        took = duration(sum(item.seconds for _, item in begun))
        spent = money(sum(item.cost_usd for _, item in begun))
        rows = [
            (
                printable(id, _LONGEST_NAME),
                duration(item.seconds),
                money(item.cost_usd),
                f"{item.number} {'try' if item.number == 1 else 'tries'}",
            )
            for id, item in begun
        ]
        lines.append(
            f"\nflow        {at_line_start(view.state.run)}: {view.outcome}, {took}, {spent}"
        )
        lines += table(rows, indent=2, right=(1, 2))
    return "".join(f"{line}\n" for line in lines)


def begun_phases(state: RunState) -> list[tuple[str, PhaseProgress]]:
    """Return the phases of a run that have begun."""
    scope = in_scope(state)
    return [(id, item) for id, item in state.phases.items() if id in scope and item.number]
