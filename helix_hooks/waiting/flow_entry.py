"""An open question of a flow as an entry of the queue. Pure."""

import shlex
from typing import NamedTuple

from ..config.policy import CATEGORIES, CRITICAL, ESCALATE, EXPERTISE, Deciders
from ..decision import decide
from ..decision.decide import DeadlineStatus, deadline_status
from ..decision.who_may import is_sole
from ..phases.flow import Flow
from ..phases.gate_result import GateResult
from ..phases.progress import approved_hashes
from ..phases.questions import OpenQuestion
from ..phases.run_state import DECIDE, MAKE, Decider, RunState
from .entry import ESCALATED, EXPIRED, FLOW, WAITING, ProjectPolicy, QueueEntry, Recommendation

_STATES = {
    decide.WAITING: WAITING,
    decide.ESCALATED: ESCALATED,
    decide.EXPIRED: EXPIRED,
    decide.AUTO_APPROVED: WAITING,
}
_NO_DEADLINE = DeadlineStatus(decide.WAITING)


class RunQuestion(NamedTuple):
    """An open question of a run. `asked_at` is in seconds since 1970, `root` the work tree."""

    flow: Flow
    state: RunState
    question: OpenQuestion
    asked_at: int
    root: str = ""

    @property
    def result(self) -> GateResult | None:
        """Return the last answer of the gate that it is about."""
        phase = self.question.phase
        return self.state.phases[phase].result if phase else None


def id_of(asked: RunQuestion) -> str:
    """Return the id of the question, as people write it."""
    return f"{asked.state.run}/{asked.question.name}"


def category_of(asked: RunQuestion) -> str:
    """Return the category of a question.

    A gate with a judge has it in its details. A manual gate, a rejection by a gate, and files that
    a person writes require expertise.
    """
    if not asked.question.phase:
        return CRITICAL
    result = asked.result
    if asked.question.pause != DECIDE or result is None:
        return EXPERTISE
    category = result.details.get("category")
    return str(category) if category in CATEGORIES else EXPERTISE


def status_of(asked: RunQuestion, by: ProjectPolicy, now: int) -> DeadlineStatus:
    """Return the deadline status of a question."""
    # More budget and files that a person writes have no deadline: neither passes a gate.
    if not asked.question.phase or asked.question.pause == MAKE:
        return _NO_DEADLINE
    return deadline_status(category_of(asked), asked.asked_at, by.policy, now)


def is_expired(asked: RunQuestion, by: ProjectPolicy, now: int) -> bool:
    """Return whether the question must be asked again before it can be approved."""
    return status_of(asked, by, now).state == decide.EXPIRED


def is_approved_by_time(asked: RunQuestion, by: ProjectPolicy, now: int) -> bool:
    """Return whether the policy approves the question because its deadline has passed."""
    return status_of(asked, by, now).state == decide.AUTO_APPROVED


def entry(asked: RunQuestion, by: ProjectPolicy, now: int) -> QueueEntry:
    """Return the entry of a question."""
    status, state = status_of(asked, by, now), asked.state
    asker, deciders = state.asked_by, by.policy.deciders
    question, result = asked.question, asked.result
    needs_login = by.needs_login or asker.verified
    return QueueEntry(
        id=id_of(asked),
        source=FLOW,
        project=by.project,
        repository=by.repository,
        title=f"{question.name} of {asked.flow.name}: {' '.join(question.text.split())}",
        category=category_of(asked),
        state=_STATES[status.state],
        turn=_turn(status, by, needs_login=needs_login),
        asked_by=asker.in_words,
        asked_at=asked.asked_at,
        due_at=status.due,
        reasons=_reasons(asked),
        ways_on=_ways_on(asked, status),
        deciders=deciders,
        excluded=_excluded(asker, deciders),
        requester=(asker.name,) if asker.name else (),
        escalated_to=_escalated_to(status, by),
        minimum=deciders.minimum if by.is_on_github else 1,
        recommendation=_recommendation(result),
        files=_files(asked),
        description=asked.flow.phase(question.phase).prompt if question.phase else "",
        findings=result.findings if result else (),
        cost_usd=sum(phase.cost_usd for phase in state.phases.values()),
        needs_login=needs_login,
        asked_by_login=asker.verified,
        needs_override=question.needs_override,
        attempt=question.number,
    )


def _excluded(asker: Decider, deciders: Deciders) -> tuple[str, ...]:
    """Return the login of the requester, unless that is the sole maintainer."""
    if not asker.verified or is_sole(asker.name, deciders):
        return ()
    return (asker.name,)


def _escalated_to(status: DeadlineStatus, by: ProjectPolicy) -> tuple[str, ...]:
    if status.state != decide.ESCALATED or by.policy.expiry.action != ESCALATE:
        return ()
    return by.policy.expiry.to


def _turn(status: DeadlineStatus, by: ProjectPolicy, *, needs_login: bool) -> str:
    if status.state == decide.EXPIRED:
        return "Deadline passed: ask again"
    if status.state == decide.ESCALATED:
        return f"Escalated to {', '.join(by.policy.expiry.to)}"
    return f"Waiting for {by.whose(needs_login=needs_login)}"


def _reasons(asked: RunQuestion) -> tuple[str, ...]:
    result, text = asked.result, asked.question.text
    if not result:
        return (text,)
    message = result.message
    if result.gate_type:
        message = f"{result.gate_type}: {message}"
    if result.message in text:
        return (message,)
    return text, message


def _ways_on(asked: RunQuestion, status: DeadlineStatus) -> tuple[str, ...]:
    """Return the commands that answer the question."""
    question, id = asked.question, shlex.quote(id_of(asked))
    run = shlex.quote(asked.state.run)
    retry = f"helix-hooks flow retry {run} --phase {question.phase}"
    if status.state == decide.EXPIRED:
        return (retry,)
    approve = f"helix-hooks queue approve {id}"
    if question.needs_override:
        approve += " --override --reason TEXT"
    if not question.phase:
        return approve, f"helix-hooks flow cancel {run}"
    if question.pause == MAKE:
        return (approve,)
    reject = f"helix-hooks queue reject {id} --reason TEXT"
    if question.pause == DECIDE:
        return approve, reject
    return (approve, reject, retry) if question.needs_override else (reject, retry)


def _recommendation(result: GateResult | None) -> Recommendation:
    """Return the recommendation of the gate's judge; an empty one if no judge ran."""
    if not result or "confidence" not in result.details:
        return Recommendation()
    verdict, confidence = result.details.get("result"), result.details["confidence"]
    answer = {"approved": "approve", "rejected": "reject", "needs_revision": "reject"}
    return Recommendation(
        answer=answer.get(str(verdict), ""),
        confidence=float(confidence) if isinstance(confidence, int | float) else None,
        reasoning=str(result.details.get("summary", "")),
        by=f"the judge of {result.gate}",
    )


def _files(asked: RunQuestion) -> tuple[str, ...]:
    phase = asked.question.phase
    if not phase:
        return tuple(sorted(approved_hashes(asked.state.phases.values())))
    return tuple(sorted(asked.state.phases[phase].seen))
