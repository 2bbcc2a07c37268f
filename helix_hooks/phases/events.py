"""The effect of events on a run: the end of a task with the answer of its gate, and a decision."""

import hashlib
import json
from collections.abc import Callable, Collection

from ..config.approvals import APPROVAL_PHASE
from ..text import moment, printable
from .feedback import feedback_of, feedback_of_crash, feedback_of_person, with_output
from .flow import ESCALATE, PROMPT, RESPONSE, RETRY_PHASE, Flow, Phase
from .gate_result import PENDING, GateResult
from .gate_result import REJECTED as GATE_REJECTED
from .graph import order_of
from .progress import (
    MOST_REOPENED,
    basis_of,
    changed_phases,
    cost,
    in_scope,
    paused,
    reopened,
)
from .run_state import (
    APPROVE,
    APPROVED,
    ASKED_AGAIN,
    CANCEL,
    CANCELLED,
    DECIDE,
    MAKE,
    PAUSED,
    REJECT,
    REJECTED,
    RETRY,
    REVIEW,
    RUNNING,
    WAITING,
    Decider,
    PersonDecided,
    PhaseProgress,
    RunState,
    StageEnded,
)

_LONGEST_REASON = 500
"""Maximum characters of a person's reason in a line."""
MOST_OUTPUT = 20_000
"""Characters kept from the end of a creator's output."""
_DONE = {APPROVE: "approved", REJECT: "rejected", RETRY: "retried", CANCEL: "cancelled"}

# The end of a task.


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
    message = "the task ended without an answer of a gate"
    result = event.result or GateResult(phase.id, "", GATE_REJECTED, message, failed=True)
    progress = progress._replace(
        result=result, seen=dict(event.hashes), output=event.output[-MOST_OUTPUT:], decided=""
    )
    if result.passed and not result.failed:
        return _stage_approved(flow, state, phase, progress)
    if result.state == PENDING and not result.failed:
        progress = paused(progress, DECIDE, result.message)
        return changed_phases(state, {phase.id: progress})
    return changed_phases(state, {phase.id: _not_approved(flow, phase, progress, result)})


def _stage_approved(flow: Flow, state: RunState, phase: Phase, progress: PhaseProgress) -> RunState:
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
    state = changed_phases(state, {phase.id: progress})
    return _reopened_if(flow, state, lambda path, before: hashes.get(path, before) != before)


def files_changed(flow: Flow, state: RunState, paths: Collection[str]) -> RunState:
    """Return a state with the phases of the run reopened that approved one of some paths.

    `progress.settled` adds the consequences.
    """
    return _reopened_if(flow, state, lambda path, _hash: path in paths)


def _reopened_if(flow: Flow, state: RunState, is_changed: Callable[[str, str], bool]) -> RunState:
    """Return a state with the phases reopened of which an approved file, with its hash, changed."""
    scope = in_scope(state)
    for phase in flow.phases:
        progress = state.phases[phase.id]
        differs = [path for path, hash in progress.hashes.items() if is_changed(path, hash)]
        if differs and progress.state == APPROVED and phase.id in scope:
            why = f"{differs[0]} changed after its approval"
            state = reopened(flow, state, phase.id, why)
    return state


def definition(phase: Phase) -> str:
    """Return a hash of a phase's configuration, which does not depend on its place in the file."""
    gates = [gate and gate._replace(place="") for gate in (phase.prompt_gate, phase.gate)]
    plain = phase._replace(place="", prompt_gate=gates[0], gate=gates[1])
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()


def _changed(flow: Flow, state: RunState, phase: Phase, paths: tuple[str, ...]) -> RunState:
    """Return the state after a task that did nothing, because approved files changed."""
    progress = state.phases[phase.id]
    if {*progress.prompt_hashes} & {*paths} and progress.stage == RESPONSE:
        times = progress.reopened + 1
        again = progress._replace(
            stage=PROMPT, attempt=1, prompt_hashes={}, creates=True, reopened=times
        )
        if times > MOST_REOPENED:
            question = f"{paths[0]} keeps changing; stop the process that writes it"
            again = paused(again, REVIEW, question)
        state = changed_phases(state, {phase.id: again})
    scope = in_scope(state)
    outside = [
        (id, path)
        for id, other in state.phases.items()
        for path in paths
        if id not in scope and path in other.hashes
    ]
    if outside:
        id, path = outside[0]
        question = (
            f"{path} changed after {id} was approved in an earlier run; restore it and retry, or "
            f"run again from {id}"
        )
        progress = paused(state.phases[phase.id]._replace(result=None), REVIEW, question)
        state = changed_phases(state, {phase.id: progress})
    return files_changed(flow, state, paths)


def _not_approved(
    flow: Flow, phase: Phase, progress: PhaseProgress, result: GateResult
) -> PhaseProgress:
    """Return the progress after a rejection: another attempt, a pause, or `on_rejection`."""
    target = phase.on_rejection.target
    author = flow.phase(target) if target and phase.type == APPROVAL_PHASE else phase
    # A gate that failed has said nothing about the content, so there is no feedback on it.
    if not result.failed:
        feedback = feedback_of(phase, progress, result, with_texts=author.allow_rewrite)
        rejected = with_output(progress.rejected, progress.output)
        progress = progress._replace(feedback=feedback, rejected=rejected)
    elif not (result.is_made and result.is_stored):
        feedback = feedback_of_crash(phase, progress, result)
        progress = progress._replace(feedback=feedback)
    if not result.is_started:
        return paused(progress, REVIEW, result.message)
    repeatable = progress.stage == RESPONSE or phase.remakes_prompts
    if repeatable and progress.attempt <= phase.max_retries:
        return progress._replace(attempt=progress.attempt + 1, creates=phase.type != APPROVAL_PHASE)
    if result.failed:
        return paused(progress, REVIEW, f"{result.failed_part} failed: {result.message}")
    if not repeatable:
        return paused(progress, REVIEW, f"the prompt was rejected: {result.message}")
    return _after_rejection(phase, progress, f"rejected: {result.message}")


def _after_rejection(phase: Phase, progress: PhaseProgress, about: str) -> PhaseProgress:
    """Return the progress by `on_rejection`, for a phase without attempts left."""
    handler = phase.on_rejection
    if handler.action == RETRY_PHASE and progress.used < handler.max_retries:
        return progress._replace(state=WAITING, repeats=True, pause="", question="", ready=False)
    if handler.action in (ESCALATE, RETRY_PHASE):
        return paused(progress, REVIEW, about)
    return progress._replace(state=REJECTED, pause="", question="", ready=False)


# The decision of a person.


def refusal(state: RunState, event: PersonDecided) -> str:
    """Return the reason why a person's decision does not count, "" if it does."""
    if state.cancelled:
        return f"the run was {state.decided or 'cancelled'}"
    if event.action == CANCEL:
        return "only a whole run can be cancelled" if event.phase else ""
    if not event.phase:
        return _refusal_of_budget(state, event)
    progress = state.phases.get(event.phase)
    if progress is None or event.phase not in in_scope(state):
        return f"no phase {event.phase!r} in this run; it has {', '.join(sorted(in_scope(state)))}"
    if progress.state not in (PAUSED, REJECTED):
        before = f" ({progress.decided})" if progress.decided else ""
        return f"{event.phase} is not waiting for a decision: it is {progress.state}{before}"
    if event.number != progress.number:
        return (
            f"the answer is about task {event.number} of {event.phase}, and the last one is "
            f"{progress.number}; look at it again"
        )
    if event.action == APPROVE:
        return _refusal_of_approval(state, progress, event)
    return _refusal_of_rejection(progress, event) if event.action == REJECT else ""


def decided(flow: Flow, state: RunState, event: PersonDecided) -> RunState:
    """Return the state after a person's decision; unchanged for one that does not count."""
    if refusal(state, event):
        return state
    after = _after(flow, state, event)
    if not event.phase:
        return after._replace(decided=_in_words(event))
    progress = after.phases[event.phase]._replace(decided=_in_words(event))
    return changed_phases(after, {event.phase: progress})


def _in_words(event: PersonDecided) -> str:
    """Return a line about a decision: action, decider, time and reason."""
    line = f"{_DONE[event.action]} by {event.by.in_words}"
    if event.at:
        line += f", {moment(event.at)}"
    # The reason of an override is in `overridden`, and that of a retry in the feedback.
    has_reason = event.action != RETRY and not event.override
    if has_reason and event.reason.strip():
        line += f": {printable(event.reason.strip(), _LONGEST_REASON)}"
    return line


def _after(flow: Flow, state: RunState, event: PersonDecided) -> RunState:
    if event.action == CANCEL:
        stopped = {}
        for id in in_scope(state):
            progress = state.phases[id]
            if progress.state not in (APPROVED, REJECTED):
                stopped[id] = progress._replace(
                    state=CANCELLED, ready=False, pause="", question="", repeats=False
                )
        return changed_phases(state._replace(cancelled=True, question=""), stopped)
    if not event.phase:
        allowed = cost(state) + flow.budget.hard
        return state._replace(allowed_usd=allowed, raised=state.raised + 1, question="")
    phase, progress = flow.phase(event.phase), state.phases[event.phase]
    if progress.pause == MAKE:
        progress = _again(progress)._replace(creates=False)
        return changed_phases(state, {phase.id: progress})
    if event.action == APPROVE:
        return _approved(flow, state, phase, event)
    if event.action == REJECT:
        return changed_phases(state, {phase.id: _rejected(phase, progress, event)})
    return changed_phases(state, {phase.id: _retried(phase, progress, event)})


def _retried(phase: Phase, progress: PhaseProgress, event: PersonDecided) -> PhaseProgress:
    """Return a phase that starts again. Content that already exists only goes to its gate again."""
    is_made = phase.type == APPROVAL_PHASE or phase.made_by_person
    is_made = is_made or progress.earlier == ASKED_AGAIN
    retried = _again(progress)._replace(creates=progress.stage == PROMPT or not is_made)
    if event.reason.strip():
        feedback = feedback_of_person(phase, progress, event.reason)
        retried = retried._replace(feedback=feedback)
    return retried


def _refusal_of_budget(state: RunState, event: PersonDecided) -> str:
    if not state.question:
        return "the run has no question about its budget; specify a phase"
    if event.action != APPROVE:
        return f"the run asks for its budget: {state.question}"
    if event.number != state.raised:
        return "the budget was raised in the meantime; look at the run again"
    return _refusal_of_decider(state, event.by)


def _refusal_of_rejection(progress: PhaseProgress, event: PersonDecided) -> str:
    if progress.pause == MAKE:
        return f"{event.phase} has nothing to reject yet: {progress.question}"
    if progress.state == REJECTED:
        return f"{event.phase} is rejected already; retry it, or approve it with an override"
    if not event.reason.strip():
        return "a rejection needs feedback for the next try"
    return ""


def _refusal_of_approval(state: RunState, progress: PhaseProgress, event: PersonDecided) -> str:
    if progress.pause == MAKE:
        return ""
    if progress.pause == DECIDE:
        return _refusal_of_decider(state, event.by)
    if progress.result is None or not progress.result.is_made:
        return f"no gate has checked {event.phase}: {progress.question}; retry it"
    if not progress.result.is_stored:
        return f"the files of {event.phase} are in no commit: {progress.question}; retry it"
    if not event.override or not event.reason.strip():
        return f"the gate of {event.phase} has not approved; an override needs a reason"
    return _refusal_of_decider(state, event.by)


def _refusal_of_decider(state: RunState, by: Decider) -> str:
    """Return why a person may not decide: only a sole maintainer can approve their own run."""
    # An unverified name proves nothing, so it can't be compared.
    if not state.asked_by.verified or by.is_rule:
        return ""
    if not by.verified:
        return "the run was started by a verified login, so only a verified login can decide"
    if by.name.casefold() == state.asked_by.name.casefold() and not by.is_sole:
        return f"{by.name} started the run and cannot approve it"
    return ""


def _again(progress: PhaseProgress) -> PhaseProgress:
    """Return a phase that starts again with its counters reset."""
    return progress._replace(
        state=WAITING, attempt=1, used=0, reopened=0, pause="", question="", repeats=False
    )


def _approved(flow: Flow, state: RunState, phase: Phase, event: PersonDecided) -> RunState:
    progress = state.phases[phase.id]
    if progress.pause != DECIDE:
        where = f" ({progress.stage})" if phase.prompt_gate else ""
        words = f"{event.by.in_words}{where}: {event.reason.strip()}"
        progress = progress._replace(overridden=words)
    reset = progress._replace(used=0, reopened=0)
    return _stage_approved(flow, state, phase, reset)


def _rejected(phase: Phase, progress: PhaseProgress, event: PersonDecided) -> PhaseProgress:
    """Return the progress of a phase after a person's rejection."""
    feedback = feedback_of_person(phase, progress, event.reason)
    rejected = with_output(progress.rejected, progress.output)
    progress = _again(progress)._replace(feedback=feedback, rejected=rejected)
    if phase.type != APPROVAL_PHASE:
        return progress._replace(creates=True)
    # An approval creates nothing to try again, and a person has already been asked.
    if phase.on_rejection.action == ESCALATE:
        return progress._replace(state=REJECTED)
    return _after_rejection(phase, progress, event.reason.strip())
