"""Advance a run: pure, from the flow, the state and one event at a time.

The module has the functions for engines and commands. `ended` and `people` have the rules for the
two kinds of events, `settle` what follows by itself.
"""

from collections.abc import Mapping

from ..errors import UsageError
from ..yaml_values import nearest
from .ended import definition, ended
from .flow import Flow
from .graph import order_of
from .people import decided, refusal
from .progress import approved_hashes, changed_phases, fresh, in_scope
from .run_state import (
    APPROVED,
    CANCELLED,
    PAUSED,
    REJECTED,
    RUNNING,
    Decider,
    PersonDecided,
    PhaseProgress,
    RunState,
    StageEnded,
    StageTask,
)
from .settle import settled

__all__ = ["advanced", "begun", "outcome", "refusal", "started", "tasks"]


def begun(
    flow: Flow,
    run: str,
    asked_by: Decider,
    only: tuple[str, ...] = (),
    earlier: Mapping[str, PhaseProgress] = {},
) -> RunState:
    """Return the state of a new run of `only` some phases, or of all.

    `earlier` are phases of a former run. Those before the phases of this run must be approved in
    it, as they are configured now; their files are compared when the first task starts. Raises
    UsageError where one is not.
    """
    phases = {phase.id: fresh(phase, PhaseProgress()) for phase in flow.phases}
    unknown = next((id for id in only if id not in phases), None)
    if unknown is not None:
        meant = nearest(unknown, phases)
        hint = f"did you mean {meant!r}? " if meant else ""
        raise UsageError(f"{flow.path} has no phase {unknown!r}; {hint}it has {', '.join(phases)}")
    order = order_of(flow)
    chosen = set(only)
    needed = set().union(*(order.above[id] for id in only)) - chosen
    for id in order.sequence:
        if id in needed:
            phases[id] = _as_before(flow, id, earlier.get(id))
    listed = tuple(id for id in order.sequence if id in chosen)
    state = RunState(
        run=run,
        asked_by=asked_by,
        phases=phases,
        only=listed,
        allowed_usd=flow.budget.hard,
    )
    return settled(flow, state)


def tasks(flow: Flow, state: RunState) -> tuple[StageTask, ...]:
    """Return the tasks that can start now. Nothing is marked."""
    if state.cancelled or state.question:
        return ()
    approved = approved_hashes(state.phases[phase.id] for phase in flow.phases)
    return tuple(
        StageTask(
            run=state.run,
            phase=phase.id,
            stage=progress.stage,
            attempt=progress.attempt,
            number=progress.number + 1,
            creates=progress.creates,
            feedback=progress.feedback,
            rejected=progress.rejected,
            approved={**approved, **progress.prompt_hashes},
        )
        for phase in flow.phases
        if (progress := state.phases[phase.id]).ready
    )


def started(state: RunState, task: StageTask) -> RunState:
    """Return the state in which a task runs; unchanged for a task that cannot start now."""
    progress = state.phases.get(task.phase)
    if progress is None or not progress.ready or task.number != progress.number + 1:
        return state
    running = progress._replace(state=RUNNING, number=task.number, ready=False, earlier="")
    return changed_phases(state, {task.phase: running})


def advanced(flow: Flow, state: RunState, event: StageEnded | PersonDecided) -> RunState:
    """Return the state after an event; an event that no longer counts changes nothing."""
    if isinstance(event, StageEnded):
        after = ended(flow, state, event)
    else:
        after = decided(flow, state, event)
    return state if after is state else settled(flow, after)


def outcome(state: RunState) -> str:
    """Return "running", "approved", "rejected", "paused" or "cancelled".

    A run with a rejected phase ends when nothing runs any more, even if another phase asks a
    person: it cannot be approved.
    """
    if state.cancelled:
        return CANCELLED
    phases = [state.phases[id] for id in in_scope(state)]
    states = {progress.state for progress in phases}
    if states == {APPROVED}:
        return APPROVED
    if RUNNING in states:
        return RUNNING
    if any(progress.ready for progress in phases):
        return PAUSED if state.question else RUNNING
    return PAUSED if PAUSED in states and REJECTED not in states else REJECTED


def _as_before(flow: Flow, id: str, earlier: PhaseProgress | None) -> PhaseProgress:
    if earlier is None or earlier.state != APPROVED:
        raise UsageError(
            f"{id} comes before, and no earlier run approved it; start with --from {id}"
        )
    if earlier.definition != definition(flow.phase(id)):
        raise UsageError(
            f"{id} comes before, and was configured otherwise when it was approved; start with "
            f"--from {id}"
        )
    return earlier._replace(number=0, used=0, cost_usd=0.0, seconds=0.0, reopened=0)
