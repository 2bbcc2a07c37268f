"""Single changes of a phase's progress and of a run, as parts for the rules of a run."""

from collections.abc import Iterable, Mapping

from ..config.approvals import APPROVAL_PHASE
from .flow import RESPONSE, Flow, Phase
from .graph import order_of
from .run_state import (
    APPROVED,
    ASKED_AGAIN,
    KEPT,
    PAUSED,
    REVIEW,
    RUNNING,
    WAITING,
    PhaseProgress,
    RunState,
)

MOST_REOPENED = 3
"""Maximum number of times that changed files reopen a phase before a person must decide."""


def in_scope(state: RunState) -> frozenset[str]:
    """Return the phases that belong to a run."""
    return frozenset(state.only or state.phases)


def changed_phases(state: RunState, phases: Mapping[str, PhaseProgress]) -> RunState:
    """Return a state with some phases replaced."""
    return state._replace(phases={**state.phases, **phases})


def fresh(phase: Phase, progress: PhaseProgress) -> PhaseProgress:
    """Return the progress of a phase that starts over; number of tasks and costs stay."""
    return PhaseProgress(
        stage=phase.first_stage,
        number=progress.number,
        used=progress.used,
        cost_usd=progress.cost_usd,
        seconds=progress.seconds,
        creates=phase.type != APPROVAL_PHASE,
        output=progress.output,
        reopened=progress.reopened,
    )


def paused(progress: PhaseProgress, pause: str, question: str) -> PhaseProgress:
    return progress._replace(state=PAUSED, pause=pause, question=question, ready=False)


def has_ready(phases: Iterable[PhaseProgress]) -> bool:
    """Return whether a task of some phases can start."""
    return any(progress.ready for progress in phases)


def approved_hashes(phases: Iterable[PhaseProgress]) -> dict[str, str]:
    """Return the hashes of all files that some phases approved, by path."""
    hashes: dict[str, str] = {}
    for progress in phases:
        if progress.state == APPROVED:
            hashes.update(progress.hashes)
    return hashes


def held(flow: Flow, state: RunState, id: str) -> RunState:
    """Return a state in which all dependents of a phase wait for it."""
    waiting = {}
    for other in order_of(flow).below[id] & in_scope(state):
        progress = state.phases[other]
        if progress.state == APPROVED:
            # The approval counts again if the files that it is based on stay the same.
            waiting[other] = progress._replace(state=WAITING, earlier=KEPT)
        elif progress.state == RUNNING:
            waiting[other] = progress._replace(stale=True)
        elif progress.state == PAUSED:
            # Its question is about content that no longer counts.
            waiting[other] = fresh(flow.phase(other), progress)
    return changed_phases(state, waiting)


def reopened(flow: Flow, state: RunState, id: str, why: str) -> RunState:
    """Return a state in which the gate of an approved phase runs again."""
    progress = state.phases[id]
    times = progress.reopened + 1
    progress = progress._replace(
        state=WAITING,
        stage=RESPONSE,
        attempt=1,
        feedback="",
        carried="",
        rejected="",
        overridden="",
        creates=False,
        earlier=ASKED_AGAIN,
        reopened=times,
    )
    if times > MOST_REOPENED:
        question = f"{why} ({times} times); stop the process that writes it, then retry"
        progress = paused(progress, REVIEW, question)
    return held(flow, changed_phases(state, {id: progress}), id)
