"""The questions of a paused run to a person, and the command lines to answer them. Pure."""

import shlex
from typing import NamedTuple

from .advance import outcome
from .flow import Flow
from .progress import in_scope
from .run_state import ENDED, MAKE, PAUSED, REJECTED, REVIEW, PhaseProgress, RunState

BUDGET = "budget"
"""The name of the question of a run that needs more than its hard budget."""


class OpenQuestion(NamedTuple):
    """A question that waits for a person.

    Without a `phase` the run asks for more budget. `number` is the number of the task, for the
    budget the number of earlier raises. `pause` is one of `PAUSES`, "" for a phase that is finally
    rejected. With `needs_override` an approval needs a reason.
    """

    phase: str
    number: int
    text: str
    pause: str = ""
    needs_override: bool = False

    @property
    def name(self) -> str:
        """The word that a person types to confirm the answer."""
        return self.phase or BUDGET


def questions(flow: Flow, state: RunState) -> tuple[OpenQuestion, ...]:
    """Return the questions of a run: the budget first, then in the order of its phases.

    A run that has ended has none: first a rejected phase has to be retried.
    """
    if outcome(state) in ENDED:
        return ()
    asked = []
    if state.question:
        asked.append(OpenQuestion("", state.raised, state.question))
    scope = in_scope(state)
    for phase in flow.phases:
        progress = state.phases[phase.id]
        if phase.id in scope and progress.state == PAUSED:
            asked.append(question_of(phase.id, progress))
    return tuple(asked)


def answerable(flow: Flow, state: RunState) -> tuple[OpenQuestion, ...]:
    """Return the questions of a run; if it has none, those of rejected phases, for a retry."""
    open_questions = questions(flow, state)
    if open_questions or state.cancelled:
        return open_questions
    scope = in_scope(state)
    return tuple(
        question_of(id, progress)
        for id, progress in state.phases.items()
        if id in scope and progress.state == REJECTED
    )


def question_of(phase: str, progress: PhaseProgress) -> OpenQuestion:
    """Return the question of a phase that is paused or rejected."""
    result = progress.result
    is_checked = result is not None and result.is_made and result.is_stored
    return OpenQuestion(
        phase,
        progress.number,
        progress.question or "a person must decide",
        progress.pause,
        progress.state == REJECTED or (progress.pause == REVIEW and is_checked),
    )


def ways_on(run: str, question: OpenQuestion) -> tuple[str, ...]:
    """Return the command lines that answer a question."""
    phase, pause = question.phase, question.pause
    lines = []
    if question.needs_override:
        lines.append(command("approve", run, phase, " --override --reason TEXT"))
    elif pause != REVIEW:
        lines.append(command("approve", run, phase))
    if phase and pause not in ("", MAKE):
        lines.append(command("reject", run, phase, " --feedback TEXT"))
    if phase and pause in (REVIEW, ""):
        lines.append(command("retry", run, phase))
    return tuple(lines)


def command(action: str, run: str, phase: str = "", more: str = "") -> str:
    """Return a command line about a run. `more` is its end."""
    line = f"helix-hooks flow {action} {shlex.quote(run)}"
    if phase:
        line += f" --phase {shlex.quote(phase)}"
    return line + more
