"""What a paused run asks a person, and whether an answer to it can be taken. Pure."""

import shlex
from collections.abc import Iterator
from typing import NamedTuple

from .flow import Flow
from .run_state import (
    APPROVE,
    CANCEL,
    PAUSED,
    REJECT,
    REJECTED,
    RETRY,
    PersonDecided,
    PhaseProgress,
    RunState,
)

_PLACEHOLDER = "TEXT"


class OpenQuestion(NamedTuple):
    """A phase that waits for a person.

    `number` is the task that the answer is about. `needs_override` says that its gate rejected, so
    that an approval needs a reason.
    """

    phase: str
    number: int
    text: str
    needs_override: bool


def questions(flow: Flow, state: RunState) -> tuple[OpenQuestion, ...]:
    """Return the questions of a run in the order of its phases."""
    if state.cancelled:
        return ()
    return tuple(_question(phase.id, state) for phase in flow.phases if _waits(phase.id, state))


def _waits(phase: str, state: RunState) -> bool:
    return phase in state.phases and state.phases[phase].state == PAUSED


def _question(phase: str, state: RunState) -> OpenQuestion:
    progress = state.phases[phase]
    text = progress.question or "a person must decide"
    return OpenQuestion(phase, progress.number, text, is_rejected(progress))


def is_rejected(progress: PhaseProgress) -> bool:
    """Return whether the gate of a phase rejected what is there."""
    return progress.result is not None and progress.result.state == REJECTED


def ways_on(run: str, question: OpenQuestion) -> tuple[str, ...]:
    """Return the command lines that answer a question."""
    return tuple(_ways_on(run, question))


def _ways_on(run: str, question: OpenQuestion) -> Iterator[str]:
    reason = f" --override --reason {_PLACEHOLDER}" if question.needs_override else ""
    yield command("approve", run, question.phase, reason)
    yield command("reject", run, question.phase, f" --feedback {_PLACEHOLDER}")
    if question.needs_override:
        yield command("retry", run, question.phase)


def command(action: str, run: str, phase: str = "", more: str = "") -> str:
    """Return a command line about a run."""
    of_phase = f" --phase {shlex.quote(phase)}" if phase else ""
    return f"helix-hooks flow {action} {shlex.quote(run)}{of_phase}{more}"


def refusal(state: RunState, decided: PersonDecided) -> str:
    """Return why an answer can't be taken now, with what to write instead; "" if it can."""
    if state.cancelled:
        return f"{state.run} was cancelled"
    if decided.action == CANCEL:
        return ""
    progress = state.phases.get(decided.phase)
    if progress is None:
        return f"{state.run} has no phase {decided.phase!r}; there are {', '.join(state.phases)}"
    if decided.action == RETRY and progress.state == REJECTED:
        return _stale(progress, decided)
    if progress.state != PAUSED:
        return _not_paused(state.run, decided.phase, progress)
    return _stale(progress, decided) or _incomplete(state.run, progress, decided)


def _not_paused(run: str, phase: str, progress: PhaseProgress) -> str:
    if progress.overridden:
        return f"{phase} of {run} was decided already: {progress.overridden}"
    return f"{phase} of {run} asks nobody: it is {progress.state}"


def _stale(progress: PhaseProgress, decided: PersonDecided) -> str:
    if progress.number == decided.number:
        return ""
    return (
        f"{decided.phase} was tried again since: the answer is about task {decided.number}, and "
        f"{progress.number} is there now; look at it with `helix-hooks flow status`"
    )


def _incomplete(run: str, progress: PhaseProgress, decided: PersonDecided) -> str:
    if decided.action == REJECT and not decided.reason.strip():
        line = command("reject", run, decided.phase, f" --feedback {_PLACEHOLDER}")
        return f"a rejection needs feedback, which the next try reads: {line}"
    if decided.action != APPROVE:
        return ""
    if not is_rejected(progress):
        return _needless(decided)
    if decided.override and decided.reason.strip():
        return ""
    line = command("approve", run, decided.phase, f" --override --reason {_PLACEHOLDER}")
    return f"the gate of {decided.phase} rejected this; to approve it all the same: {line}"


def _needless(decided: PersonDecided) -> str:
    if not decided.override:
        return ""
    return (
        f"the gate of {decided.phase} rejected nothing, so --override has no effect; leave it out"
    )
