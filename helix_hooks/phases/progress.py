"""Single changes of a phase's progress and of a run, from which the rules of a run are made."""

from collections.abc import Iterable, Mapping

from ..config.flow import APPROVAL_PHASE
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
"""Times that changed files reopen a phase before a person is asked."""


def in_scope(state: RunState) -> frozenset[str]:
    """Return the phases that belong to a run."""
    return frozenset(state.only or state.phases)


def changed_phases(state: RunState, phases: Mapping[str, PhaseProgress]) -> RunState:
    """Return a state with some phases replaced."""
    return state._replace(phases={**state.phases, **phases})


def fresh(phase: Phase, progress: PhaseProgress) -> PhaseProgress:
    """Return the progress of a phase that runs anew, with its counts of tasks and its costs."""
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


def approved_hashes(phases: Iterable[PhaseProgress]) -> dict[str, str]:
    """Return the hashes of all files that some phases have approved."""
    return {
        path: hash
        for progress in phases
        if progress.state == APPROVED
        for path, hash in progress.hashes.items()
    }


def held(flow: Flow, state: RunState, id: str) -> RunState:
    """Return a state in which all that depends on a phase waits for it.

    Approvals are kept for the case that nothing they rest on changes. What runs is stale, and what
    is paused is about content that no longer counts, so it runs anew.
    """
    waiting = {}
    for other in order_of(flow).below[id] & in_scope(state):
        progress = state.phases[other]
        if progress.state == APPROVED:
            waiting[other] = progress._replace(state=WAITING, earlier=KEPT)
        elif progress.state == RUNNING:
            waiting[other] = progress._replace(stale=True)
        elif progress.state == PAUSED:
            waiting[other] = fresh(flow.phase(other), progress)
    return changed_phases(state, waiting)


def reopened(flow: Flow, state: RunState, id: str, why: str) -> RunState:
    """Return a state in which the gate of an approved phase is asked again."""
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
        question = f"{why}, {times} times by now; find out what writes it, then retry"
        progress = paused(progress, REVIEW, question)
    return held(flow, changed_phases(state, {id: progress}), id)
