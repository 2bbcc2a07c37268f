"""Consequences of each event: phases that can start, hold again, or are repeated."""

from collections import defaultdict
from math import fsum

from .feedback import joined
from .flow import RESPONSE, Flow
from .graph import Order, order_of
from .progress import approved_hashes, changed_phases, fresh, held, in_scope, paused
from .run_state import (
    APPROVED,
    KEPT,
    MAKE,
    REJECTED,
    RUNNING,
    WAITING,
    PhaseProgress,
    RunState,
)


def settled(flow: Flow, state: RunState) -> RunState:
    """Return a state with everything that follows from it without an event."""
    if state.cancelled:
        return state
    state = _with_ready(flow, state)
    while targets := _to_repeat(flow, state):
        for target, asking in targets.items():
            state = _repeated(flow, state, target, asking)
        state = _with_ready(flow, state)
    return _within_budget(flow, state)


def cost(state: RunState) -> float:
    """Return the cost of a run in US dollars."""
    return fsum(progress.cost_usd for progress in state.phases.values())


def _with_ready(flow: Flow, state: RunState) -> RunState:
    order = order_of(flow)
    scope = in_scope(state)
    for id in order.sequence:
        progress = state.phases[id]
        if id in scope and progress.state == WAITING and not progress.repeats:
            state = changed_phases(state, {id: _waiting(flow, state, id)})
    return state


def _waiting(flow: Flow, state: RunState, id: str) -> PhaseProgress:
    """Return the progress of a phase that waits: ready, approved as before, or a question."""
    phase, progress = flow.phase(id), state.phases[id]
    if any(state.phases[other].state != APPROVED for other in phase.depends_on):
        return progress._replace(ready=False)
    order = order_of(flow)
    above = [other for other in order.sequence if other in order.above[id]]
    basis = approved_hashes(state.phases[other] for other in above)
    if progress.earlier == KEPT and basis == progress.basis:
        return progress._replace(state=APPROVED, earlier="")
    if progress.earlier and basis != progress.basis:
        progress = fresh(phase, progress)
    if phase.made_by_person and progress.stage == RESPONSE and progress.creates:
        return paused(progress, MAKE, _make(phase.id, phase.outputs, progress.feedback))
    free = all(state.phases[other].state != RUNNING for other in order.below[id])
    return progress._replace(ready=free, basis=basis)


def _make(id: str, outputs: tuple[str, ...], feedback: str) -> str:
    task = f"make {', '.join(outputs)}" if outputs else f"do the work of {id}"
    return f"{task}{' again, by the feedback' if feedback else ''}; then approve, and the gate asks"


def _to_repeat(flow: Flow, state: RunState) -> dict[str, list[str]]:
    """Return the phases that can be repeated now, each with those that ask for it.

    A phase waits until nothing that is connected with it runs or can start. So the order in which
    parallel phases end makes no difference, and the author gets all feedback at once.
    """
    order = order_of(flow)
    busy = {
        order.group[id]
        for id, progress in state.phases.items()
        if progress.state == RUNNING or progress.ready
    }
    targets = defaultdict(list)
    for id in order.sequence:
        if state.phases[id].repeats and order.group[id] not in busy:
            targets[flow.phase(id).on_rejection.target].append(id)
    return {id: targets[id] for id in order.sequence if id in targets}


def _repeated(flow: Flow, state: RunState, target: str, asking: list[str]) -> RunState:
    """Return a state in which a phase runs again, and what lies between it and those that ask."""
    order = order_of(flow)
    if any(state.phases[id].state == REJECTED for id in order.below[target]):
        lost = {id: state.phases[id]._replace(state=REJECTED, repeats=False) for id in asking}
        return changed_phases(state, lost)
    feedback = joined({id: state.phases[id].feedback for id in asking})
    progress = state.phases[target]
    again = {
        target: fresh(flow.phase(target), progress)._replace(
            feedback=feedback, carried=feedback, rejected=progress.output
        )
    }
    for id in _between(order, target, asking) & in_scope(state):
        again[id] = fresh(flow.phase(id), state.phases[id])
    for id in asking:
        before = state.phases[id]
        again[id] = again[id]._replace(used=before.used + 1, result=before.result)
    return held(flow, changed_phases(state, again), target)


def _between(order: Order, target: str, asking: list[str]) -> set[str]:
    above = set(asking).union(*(order.above[id] for id in asking))
    return above & order.below[target]


def _within_budget(flow: Flow, state: RunState) -> RunState:
    total = cost(state)
    soft = flow.budget.soft
    warning = f"cost {total:.2f} USD, over the soft budget of {soft:g} USD"
    state = state._replace(warning=warning if 0 < soft <= total else "")
    waits = any(progress.ready for progress in state.phases.values())
    if waits and 0 < state.allowed_usd <= total:
        question = (
            f"cost {total:.2f} USD, and the hard budget is {state.allowed_usd:.2f} USD; approve "
            f"{flow.budget.hard:g} USD more, or cancel"
        )
        return state._replace(question=question)
    return state._replace(question="")
