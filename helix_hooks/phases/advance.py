"""Advance a run by the flow, the state and one event at a time. Pure.

This is the interface for engines and commands. `events` has the rules for the two kinds of events,
`progress` the consequences of every event.
"""

from collections.abc import Collection, Mapping

from ..errors import UsageError
from .events import decided, definition, ended, files_changed, refusal
from .flow import Flow
from .graph import order_of
from .progress import (
    approved_hashes,
    changed_phases,
    fresh,
    has_ready,
    in_scope,
    settled,
)
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

__all__ = ["advanced", "begun", "compared", "outcome", "refusal", "started", "tasks"]


def begun(
    flow: Flow,
    run: str,
    asked_by: Decider,
    only: tuple[str, ...] = (),
    earlier: Mapping[str, PhaseProgress] = {},
) -> RunState:
    """Return the state of a new run of all phases, or of the phases `only`.

    `earlier` are the phases of an earlier run. It must have approved all phases before those of
    this run, with the same configuration. Their files are compared when the first task starts.

    Raises:
        UsageError: A phase before is not approved.
    """
    phases = {phase.id: fresh(phase, PhaseProgress()) for phase in flow.phases}
    order = order_of(flow)
    needed = set().union(*(order.above[id] for id in only)) - set(only)
    for id in order.sequence:
        if id in needed:
            phases[id] = _as_before(flow, id, earlier.get(id))
    state = RunState(
        run=run,
        asked_by=asked_by,
        phases=phases,
        only=tuple(id for id in order.sequence if id in only),
        allowed_usd=flow.budget.hard,
    )
    return settled(flow, state)


def tasks(flow: Flow, state: RunState) -> tuple[StageTask, ...]:
    """Return the tasks that can start now. The state does not change: see `started`."""
    if state.cancelled or state.question:
        return ()
    approved = approved_hashes(state.phases[phase.id] for phase in flow.phases)
    found = []
    for phase in flow.phases:
        progress = state.phases[phase.id]
        if progress.ready:
            task = StageTask(
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
            found.append(task)
    return tuple(found)


def started(state: RunState, task: StageTask) -> RunState:
    """Return the state with a task as running; unchanged for a task that cannot start now."""
    progress = state.phases.get(task.phase)
    if progress is None or not progress.ready or task.number != progress.number + 1:
        return state
    running = progress._replace(state=RUNNING, number=task.number, ready=False, earlier="")
    return changed_phases(state, {task.phase: running})


def advanced(flow: Flow, state: RunState, event: StageEnded | PersonDecided) -> RunState:
    """Return the state after an event; unchanged for an event that no longer counts."""
    if isinstance(event, StageEnded):
        after = ended(flow, state, event)
    else:
        after = decided(flow, state, event)
    if after is state:
        return state
    return settled(flow, after)


def compared(flow: Flow, state: RunState, changed: Collection[str]) -> RunState:
    """Return the state after files of approved phases changed; unchanged if none did."""
    after = files_changed(flow, state, changed)
    return state if after is state else settled(flow, after)


def outcome(state: RunState) -> str:
    """Return "running", "approved", "rejected", "paused" or "cancelled"."""
    if state.cancelled:
        return CANCELLED
    phases = [state.phases[id] for id in in_scope(state)]
    states = {progress.state for progress in phases}
    if states == {APPROVED}:
        return APPROVED
    if RUNNING in states:
        return RUNNING
    if has_ready(phases):
        return PAUSED if state.question else RUNNING
    # A run with a rejected phase cannot be approved, even if another phase waits for a person.
    if REJECTED in states:
        return REJECTED
    return PAUSED if PAUSED in states else REJECTED


def _as_before(flow: Flow, id: str, earlier: PhaseProgress | None) -> PhaseProgress:
    """Return the progress of a phase that an earlier run approved. Raises UsageError."""
    if earlier is None or earlier.state != APPROVED:
        raise UsageError(
            f"{id} is required, but no earlier run approved it; start with --from {id}"
        )
    if earlier.definition != definition(flow.phase(id)):
        raise UsageError(
            f"{id} is required, but its configuration changed after its approval; start with "
            f"--from {id}"
        )
    return earlier._replace(number=0, used=0, cost_usd=0.0, seconds=0.0, reopened=0)
