"""Questions of a paused run to a person, and the command lines that answer it. Pure."""

import shlex
from collections.abc import Iterator
from typing import NamedTuple

from .flow import Flow
from .progress import in_scope
from .run_state import MAKE, PAUSED, REJECTED, REVIEW, PhaseProgress, RunState

BUDGET = "budget"
"""The word that a person types for a run that asks for more than its hard budget."""


class OpenQuestion(NamedTuple):
    """A question that waits for a person.

    Without a `phase` the run asks for its budget. `number` is the task that the answer is about,
    for the budget how often it was raised. `pause` is one of `PAUSES`, "" for a phase that was
    rejected for good. `needs_override` says that an approval needs a reason.
    """

    phase: str
    number: int
    text: str
    pause: str = ""
    needs_override: bool = False

    @property
    def name(self) -> str:
        """Return the word that a person types to confirm the answer."""
        return self.phase or BUDGET


def questions(flow: Flow, state: RunState) -> tuple[OpenQuestion, ...]:
    """Return the questions of a run in the order of its phases, that about the budget first."""
    return () if state.cancelled else tuple(_questions(flow, state))


def _questions(flow: Flow, state: RunState) -> Iterator[OpenQuestion]:
    if state.question:
        yield OpenQuestion("", state.raised, state.question)
    scope = in_scope(state)
    for phase in flow.phases:
        progress = state.phases[phase.id]
        if phase.id in scope and progress.state == PAUSED:
            yield question_of(phase.id, progress)


def answerable(flow: Flow, state: RunState) -> tuple[OpenQuestion, ...]:
    """Return the questions of a run, and where it has none, the phases that can be tried again."""
    scope = () if state.cancelled else in_scope(state)
    rejected = (
        question_of(id, progress)
        for id, progress in state.phases.items()
        if id in scope and progress.state == REJECTED
    )
    return questions(flow, state) or tuple(rejected)


def question_of(phase: str, progress: PhaseProgress) -> OpenQuestion:
    """Return what a phase that is paused or rejected asks."""
    return OpenQuestion(
        phase,
        progress.number,
        progress.question or "a person must decide",
        progress.pause,
        progress.state == REJECTED or (progress.pause == REVIEW and progress.result is not None),
    )


def ways_on(run: str, question: OpenQuestion) -> tuple[str, ...]:
    """Return the command lines that answer a question."""
    return tuple(_ways_on(run, question))


def _ways_on(run: str, question: OpenQuestion) -> Iterator[str]:
    phase, is_made = question.phase, question.pause == MAKE
    may_approve = question.pause != REVIEW or question.needs_override
    if may_approve:
        reason = " --override --reason TEXT" if question.needs_override else ""
        yield command("approve", run, phase, reason)
    if phase and question.pause and not is_made:
        yield command("reject", run, phase, " --feedback TEXT")
    if phase and question.pause in (REVIEW, ""):
        yield command("retry", run, phase)


def command(action: str, run: str, phase: str = "", more: str = "") -> str:
    """Return a command line about a run."""
    of_phase = f" --phase {shlex.quote(phase)}" if phase else ""
    return f"helix-hooks flow {action} {shlex.quote(run)}{of_phase}{more}"
