"""The effect of people's decisions on a run."""

from ..config.approvals import APPROVAL_PHASE
from ..text import moment
from .ended import after_rejection, approved
from .feedback import feedback_of_person, tries_of, with_output
from .flow import ESCALATE, PROMPT, Flow, Phase
from .progress import changed_phases, in_scope
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
    WAITING,
    Decider,
    PersonDecided,
    PhaseProgress,
    RunState,
)
from .settle import cost

_DONE = {APPROVE: "approved", REJECT: "rejected", RETRY: "retried", CANCEL: "cancelled"}
_ACTIONS = tuple(_DONE)


def refusal(state: RunState, event: PersonDecided) -> str:
    """Return the reason why a person's decision does not count, "" if it does."""
    if state.cancelled:
        return f"the run was {state.decided or 'cancelled'}"
    if event.action not in _ACTIONS:
        return f"unknown action {event.action!r}; allowed are {', '.join(_ACTIONS)}"
    if event.action == CANCEL:
        return "only a whole run can be cancelled" if event.phase else ""
    if not event.phase:
        return _refusal_of_budget(state, event)
    progress = state.phases.get(event.phase)
    if progress is None or event.phase not in in_scope(state):
        return f"no phase {event.phase!r} in this run; it has {', '.join(sorted(in_scope(state)))}"
    return _refusal_of_moment(progress, event) or _refusal_of_action(state, progress, event)


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
    # The reasons of rejections and overrides are kept as feedback and in `overridden`.
    has_reason = event.action == CANCEL or (event.action == APPROVE and not event.override)
    if has_reason and event.reason.strip():
        line += f": {event.reason.strip()}"
    return line


def _after(flow: Flow, state: RunState, event: PersonDecided) -> RunState:
    if event.action == CANCEL:
        return _cancelled(state)
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
        feedback = feedback_of_person(phase, event.reason, tries_of(phase, progress))
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


def _refusal_of_moment(progress: PhaseProgress, event: PersonDecided) -> str:
    if progress.state not in (PAUSED, REJECTED):
        before = f" ({progress.decided})" if progress.decided else ""
        return f"{event.phase} is not waiting for a decision: it is {progress.state}{before}"
    if event.number == progress.number:
        return ""
    return (
        f"the answer is about task {event.number} of {event.phase}, and the last one is "
        f"{progress.number}; look at it again"
    )


def _refusal_of_action(state: RunState, progress: PhaseProgress, event: PersonDecided) -> str:
    if event.action == APPROVE:
        return _refusal_of_approval(state, progress, event)
    if event.action == RETRY:
        return ""
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


def _cancelled(state: RunState) -> RunState:
    stopped = {}
    for id in in_scope(state):
        progress = state.phases[id]
        if progress.state not in (APPROVED, REJECTED):
            stopped[id] = progress._replace(
                state=CANCELLED, ready=False, pause="", question="", repeats=False
            )
    return changed_phases(state._replace(cancelled=True, question=""), stopped)


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
    return approved(flow, state, phase, reset)


def _rejected(phase: Phase, progress: PhaseProgress, event: PersonDecided) -> PhaseProgress:
    """Return the progress of a phase after a person's rejection."""
    feedback = feedback_of_person(phase, event.reason, tries_of(phase, progress))
    rejected = with_output(progress.rejected, progress.output)
    progress = _again(progress)._replace(feedback=feedback, rejected=rejected)
    if phase.type != APPROVAL_PHASE:
        return progress._replace(creates=True)
    # An approval creates nothing to try again, and a person has already been asked.
    if phase.on_rejection.action == ESCALATE:
        return progress._replace(state=REJECTED)
    return after_rejection(phase, progress, event.reason.strip())
