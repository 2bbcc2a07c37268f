"""The end of a task: the effect of its gate's answer on the phase."""

import hashlib
import json
from collections.abc import Collection, Mapping

from ..config.approvals import APPROVAL_PHASE
from .feedback import feedback_of, feedback_of_crash, tries_of, with_output
from .flow import (
    ESCALATE,
    PROMPT,
    RESPONSE,
    RETRY_PHASE,
    Flow,
    Phase,
)
from .gate_result import PENDING, GateResult
from .gate_result import REJECTED as GATE_REJECTED
from .graph import order_of
from .progress import MOST_REOPENED, changed_phases, in_scope, paused, reopened
from .run_state import (
    APPROVED,
    DECIDE,
    REJECTED,
    REVIEW,
    RUNNING,
    WAITING,
    PhaseProgress,
    RunState,
    StageEnded,
)
from .settle import basis_of

MOST_OUTPUT = 20_000
"""Characters kept from the end of a creator's output."""


def ended(flow: Flow, state: RunState, event: StageEnded) -> RunState:
    """Return the state after a task; unchanged for a task that no longer counts."""
    progress = state.phases.get(event.phase)
    if progress is None or progress.state != RUNNING or progress.number != event.number:
        return state
    phase = flow.phase(event.phase)
    stale = progress.stale
    progress = progress._replace(
        state=WAITING,
        stale=False,
        cost_usd=progress.cost_usd + event.cost_usd,
        seconds=progress.seconds + event.seconds,
    )
    if event.changed:
        return _changed(flow, changed_phases(state, {phase.id: progress}), phase, event.changed)
    if stale:
        # The files that it relied on are not approved any more, so the task runs again.
        progress = progress._replace(creates=phase.type != APPROVAL_PHASE)
        return changed_phases(state, {phase.id: progress})
    result = event.result or _no_result(phase)
    progress = progress._replace(
        result=result, seen=dict(event.hashes), output=event.output[-MOST_OUTPUT:]
    )
    return _answered(flow, state, phase, progress, result)


def _no_result(phase: Phase) -> GateResult:
    return GateResult(
        gate=phase.id,
        gate_type="",
        state=GATE_REJECTED,
        message="the task ended without an answer of a gate",
        failed=True,
    )


def _answered(
    flow: Flow, state: RunState, phase: Phase, progress: PhaseProgress, result: GateResult
) -> RunState:
    """Return the state after the answer of a gate."""
    if result.passed and not result.failed:
        return approved(flow, state, phase, progress)
    if result.state == PENDING and not result.failed:
        progress = paused(progress, DECIDE, result.message)
        return changed_phases(state, {phase.id: progress})
    return changed_phases(state, {phase.id: _rejected(flow, phase, progress, result)})


def approved(flow: Flow, state: RunState, phase: Phase, progress: PhaseProgress) -> RunState:
    """Return the state after the approval of a stage, whose gate saw `progress.seen`."""
    progress = progress._replace(pause="", question="")
    if progress.stage == PROMPT:
        progress = progress._replace(
            state=WAITING,
            stage=RESPONSE,
            attempt=1,
            feedback=progress.carried,
            rejected="",
            prompt_hashes=progress.seen,
        )
        return changed_phases(state, {phase.id: progress})
    hashes = progress.seen
    order = order_of(flow)
    # The phase may have changed files of its own basis, which are approved with it. If others have
    # changed since its start, the digest stays as it was, and the phase starts over.
    basis = progress.basis
    if basis == basis_of(order, state, phase.id):
        basis = basis_of(order, state, phase.id, hashes)
    progress = progress._replace(
        state=APPROVED,
        hashes=hashes,
        basis=basis,
        feedback="",
        definition=definition(phase),
    )
    return _reopened_by(flow, changed_phases(state, {phase.id: progress}), hashes)


def _reopened_by(flow: Flow, state: RunState, hashes: Mapping[str, str]) -> RunState:
    """Return a state with those phases reopened whose approved files have other hashes now."""
    for id in _ids_in_scope(flow, state):
        other = state.phases[id]
        differs = [path for path, hash in other.hashes.items() if hashes.get(path, hash) != hash]
        if other.state == APPROVED and differs:
            why = f"{differs[0]} changed after its approval"
            state = reopened(flow, state, id, why)
    return state


def _ids_in_scope(flow: Flow, state: RunState) -> list[str]:
    """Return the phases of a run in the order of the file."""
    scope = in_scope(state)
    return [phase.id for phase in flow.phases if phase.id in scope]


def definition(phase: Phase) -> str:
    """Return a hash of a phase's configuration, which does not depend on its place in the file."""
    gates = [gate and gate._replace(place="") for gate in (phase.prompt_gate, phase.gate)]
    plain = phase._replace(place="", prompt_gate=gates[0], gate=gates[1])
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


def _changed(flow: Flow, state: RunState, phase: Phase, paths: tuple[str, ...]) -> RunState:
    """Return the state after a task that did nothing, because approved files changed."""
    progress = state.phases[phase.id]
    if {*progress.prompt_hashes} & {*paths} and progress.stage == RESPONSE:
        state = changed_phases(state, {phase.id: _prompt_changed(progress, paths)})
    outside = _outside(state, paths)
    if outside:
        id, path = outside
        question = (
            f"{path} changed after {id} was approved in an earlier run; restore it and retry, or "
            f"run again from {id}"
        )
        progress = paused(state.phases[phase.id]._replace(result=None), REVIEW, question)
        state = changed_phases(state, {phase.id: progress})
    return files_changed(flow, state, paths)


def _outside(state: RunState, paths: Collection[str]) -> tuple[str, str] | None:
    """Return a phase of an earlier run that approved one of some paths, and the path."""
    scope = in_scope(state)
    for id, progress in state.phases.items():
        approved_paths = [path for path in paths if path in progress.hashes]
        if id not in scope and approved_paths:
            return id, approved_paths[0]
    return None


def files_changed(flow: Flow, state: RunState, paths: Collection[str]) -> RunState:
    """Return a state with the phases of the run reopened that approved one of some paths.

    `settle.settled` adds the consequences.
    """
    for id in _ids_in_scope(flow, state):
        progress = state.phases[id]
        differs = [path for path in paths if path in progress.hashes]
        if differs and progress.state == APPROVED:
            state = reopened(flow, state, id, f"{differs[0]} changed after its approval")
    return state


def _prompt_changed(progress: PhaseProgress, paths: tuple[str, ...]) -> PhaseProgress:
    times = progress.reopened + 1
    progress = progress._replace(
        stage=PROMPT, attempt=1, prompt_hashes={}, creates=True, reopened=times
    )
    if times <= MOST_REOPENED:
        return progress
    return paused(progress, REVIEW, f"{paths[0]} keeps changing; stop the process that writes it")


def _rejected(
    flow: Flow, phase: Phase, progress: PhaseProgress, result: GateResult
) -> PhaseProgress:
    """Return the progress after a rejection: another attempt, a pause, or `on_rejection`."""
    target = phase.on_rejection.target
    author = flow.phase(target) if target and phase.type == APPROVAL_PHASE else phase
    # A gate that failed has said nothing about the content, so there is no feedback on it.
    if not result.failed:
        feedback = feedback_of(
            phase, result, tries_of(phase, progress), with_texts=author.allow_rewrite
        )
        rejected = with_output(progress.rejected, progress.output)
        progress = progress._replace(feedback=feedback, rejected=rejected)
    elif not result.is_made:
        feedback = feedback_of_crash(phase, result, tries_of(phase, progress), progress.output)
        progress = progress._replace(feedback=feedback)
    if not result.is_started:
        return paused(progress, REVIEW, result.message)
    repeatable = progress.stage == RESPONSE or phase.remakes_prompts
    if repeatable and progress.attempt <= phase.max_retries:
        return progress._replace(attempt=progress.attempt + 1, creates=phase.type != APPROVAL_PHASE)
    if result.failed:
        what = "the gate" if result.is_made else "the command"
        return paused(progress, REVIEW, f"{what} failed: {result.message}")
    if not repeatable:
        return paused(progress, REVIEW, f"the prompt was rejected: {result.message}")
    return after_rejection(phase, progress, f"rejected: {result.message}")


def after_rejection(phase: Phase, progress: PhaseProgress, about: str) -> PhaseProgress:
    """Return the progress by `on_rejection`, for a phase without attempts left."""
    handler = phase.on_rejection
    if handler.action == RETRY_PHASE and progress.used < handler.max_retries:
        return progress._replace(state=WAITING, repeats=True, pause="", question="", ready=False)
    if handler.action in (ESCALATE, RETRY_PHASE):
        return paused(progress, REVIEW, about)
    return progress._replace(state=REJECTED, pause="", question="", ready=False)
