"""Changes of a phase's progress, and the consequences of every event: phases that start, are
approved again, or are repeated.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import fsum
from types import MappingProxyType

from ..config.approvals import APPROVAL_PHASE
from .feedback import joined, with_output
from .flow import RESPONSE, Flow, Phase
from .graph import Order, order_of
from .run_state import (
    APPROVED,
    ASKED_AGAIN,
    KEPT,
    MAKE,
    PAUSED,
    REJECTED,
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


# Consequences.


def settled(flow: Flow, state: RunState) -> RunState:
    """Return a state with all consequences that need no further event."""
    if state.cancelled:
        return state
    state = _advance_waiting(flow, state)
    while targets := _phases_to_repeat(flow, state):
        for target, asking in targets.items():
            state = _start_over(flow, state, target, asking)
        state = _advance_waiting(flow, state)
    return _check_budget(flow, state)


def cost(state: RunState) -> float:
    """Return the cost of a run in US dollars."""
    return fsum(progress.cost_usd for progress in state.phases.values())


def _advance_waiting(flow: Flow, state: RunState) -> RunState:
    """Return a state in which each waiting phase is advanced as far as its dependencies allow."""
    order = order_of(flow)
    scope = in_scope(state)
    for id in order.sequence:
        progress = state.phases[id]
        if id in scope and progress.state == WAITING and not progress.repeats:
            state = changed_phases(state, {id: _advanced(flow, state, id)})
    return state


def _advanced(flow: Flow, state: RunState, id: str) -> PhaseProgress:
    """Return the next progress of a waiting phase.

    It still waits, is ready, is approved again without a new task, or pauses for a person.
    """
    phase, progress = flow.phase(id), state.phases[id]
    if _states(state, phase.depends_on) - {APPROVED}:
        return progress._replace(ready=False)
    order = order_of(flow)
    basis = basis_of(order, state, id)
    # `earlier` is set if the phase was approved before.
    if progress.earlier and basis != progress.basis:
        # The approved content is based on files that have changed.
        progress = fresh(phase, progress)
    elif progress.earlier == KEPT:
        return progress._replace(state=APPROVED, earlier="")
    if phase.made_by_person and progress.stage == RESPONSE and progress.creates:
        task = f"make {', '.join(phase.outputs)}" if phase.outputs else f"do the work of {id}"
        if progress.feedback:
            task += " again using the feedback"
        return paused(progress, MAKE, f"{task}, then approve")
    # A stale task of a later phase may still write files.
    is_ready = RUNNING not in _states(state, order.below[id])
    return progress._replace(ready=is_ready, basis=basis)


def basis_of(
    order: Order, state: RunState, id: str, own: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return a digest of the files that the dependencies of a phase approved, "" for none.

    `own` are the hashes of files that the phase itself has changed.
    """
    above = [other for other in order.sequence if other in order.above[id]]
    hashes = approved_hashes(state.phases[other] for other in above)
    hashes = {path: own.get(path, hash) for path, hash in hashes.items()}
    if not hashes:
        return ""
    return hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()


def _states(state: RunState, ids: Iterable[str]) -> set[str]:
    """Return the states of some phases."""
    return {state.phases[id].state for id in ids}


def _phases_to_repeat(flow: Flow, state: RunState) -> dict[str, list[str]]:
    """Return the phases that can be repeated now, each with the phases that require it.

    A repetition starts only when no connected phase is running or ready. So the result does not
    depend on the order in which parallel phases end, and the author gets all feedback at once.
    """
    order = order_of(flow)
    busy = set()
    for id, progress in state.phases.items():
        if progress.state == RUNNING or progress.ready:
            busy.add(order.group[id])
    targets = defaultdict(list)
    for id in order.sequence:
        if state.phases[id].repeats and order.group[id] not in busy:
            targets[flow.phase(id).on_rejection.target].append(id)
    return {id: targets[id] for id in order.sequence if id in targets}


def _start_over(flow: Flow, state: RunState, target: str, asking: list[str]) -> RunState:
    """Return a state in which `target` starts over, and all phases from it to those `asking`.

    `asking` are the phases whose rejection requires the repetition.
    """
    order = order_of(flow)
    # A finally rejected phase can't become approved, so a repetition would be useless.
    if REJECTED in _states(state, order.below[target]):
        lost = {id: state.phases[id]._replace(state=REJECTED, repeats=False) for id in asking}
        return changed_phases(state, lost)
    feedback = joined({id: state.phases[id].feedback for id in asking})
    progress = state.phases[target]
    again = {
        target: fresh(flow.phase(target), progress)._replace(
            feedback=feedback,
            carried=feedback,
            rejected=with_output(progress.rejected, progress.output),
        )
    }
    above = set(asking).union(*(order.above[id] for id in asking))
    for id in above & order.below[target] & in_scope(state):
        again[id] = fresh(flow.phase(id), state.phases[id])
    for id in asking:
        before = state.phases[id]
        again[id] = again[id]._replace(used=before.used + 1, result=before.result)
    return held(flow, changed_phases(state, again), target)


def _check_budget(flow: Flow, state: RunState) -> RunState:
    """Return a state with the warning and the question on its cost, "" within the budget."""
    total = cost(state)
    soft = flow.budget.soft
    warning = question = ""
    if 0 < state.allowed_usd < total:
        over = f"{total - state.allowed_usd:.2f} USD over the hard budget"
        warning = f"cost {total:.2f} USD, {over} of {state.allowed_usd:g} USD"
    elif 0 < soft <= total:
        warning = f"cost {total:.2f} USD, over the soft budget of {soft:g} USD"
    if has_ready(state.phases.values()) and 0 < state.allowed_usd <= total:
        question = (
            f"cost {total:.2f} USD, and the hard budget is {state.allowed_usd:.2f} USD; approve "
            f"{flow.budget.hard:g} USD more, or cancel"
        )
    return state._replace(warning=warning, question=question)
