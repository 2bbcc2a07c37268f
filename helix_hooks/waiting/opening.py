"""Open a request: compute its category and deadline, or approve it without a person."""

import hashlib
import json
import re
from typing import NamedTuple

from ..config.policy import (
    AUTO_APPROVE,
    CRITICAL,
    ESCALATE,
    EXPERTISE,
    LEVELS,
    MATRIX,
    UNCERTAINTY,
    Expiry,
    Policy,
    asks,
    category,
    duration,
)
from ..decision.decide import LONGER
from ..decision.reasons import needs_maintainer
from ..errors import UsageError
from .request import AUTO_APPROVED, ApprovalRequest, Asker, RequestContext

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}(?:/[A-Za-z0-9][\w.-]{0,99})?")
FLOOR = 0.85
"""The confidence below which a person decides, whatever the autonomy level is."""

RECOMMENDATIONS = ("approve", "reject", "")


class RequestDraft(NamedTuple):
    """A request as its asker submits it.

    `expertise` is the reason why a person should review it, "" for none. `within` are the seconds
    of its own deadline, 0 for none, after which it is `escalate_to` these users and teams. The
    other fields are those of an `ApprovalRequest`.
    """

    id: str
    project: str
    action: str
    title: str
    requested_by: Asker
    description: str = ""
    context: RequestContext = RequestContext()
    confidence: float | None = None
    recommendation: str = ""
    reasoning: str = ""
    expertise: str = ""
    within: int = 0
    escalate_to: tuple[str, ...] = ()


def opened(draft: RequestDraft, policy: Policy, now: int, floor: float = FLOOR) -> ApprovalRequest:
    """Return a request that waits for a person, or that is approved since no person is needed.

    Raises:
        UsageError: A value is not allowed.
    """
    _require_valid(draft)
    kind, why = _category(draft, policy, floor)
    allowed, expiry = _deadline(draft, policy.deadlines.get(kind, 0), policy.expiry)
    request = ApprovalRequest(
        id=draft.id,
        project=draft.project,
        category=kind,
        action=draft.action,
        title=draft.title,
        requested_by=draft.requested_by,
        requested_at=now,
        description=draft.description,
        context=draft.context,
        expires_at=now + allowed if allowed and why else 0,
        expiry=expiry,
        confidence=draft.confidence,
        recommendation=draft.recommendation,
        reasoning=draft.reasoning,
        minimum=policy.deciders_about(by_agents=draft.requested_by.is_agent).minimum,
        why=why,
    )
    if why:
        return request
    comment = f"autonomy {policy.autonomy} does not require a person for {draft.action}"
    return request._replace(status=AUTO_APPROVED, decided_at=now, comment=comment)


def _deadline(draft: RequestDraft, allowed: int, expiry: Expiry) -> tuple[int, Expiry]:
    """Return the seconds until the deadline of a request, 0 for none, and what happens then.

    A requester can make the time of the policy shorter, and never an approval by time: nobody would
    have had the time that the policy gives to object.
    """
    if not draft.within:
        return allowed, expiry
    if draft.escalate_to:
        if allowed and expiry.action != ESCALATE and draft.within + LONGER > allowed:
            raise UsageError(
                "an escalation adds 24 hours, and the policy gives this request "
                f"{duration(allowed)}; make --within shorter, or leave out --escalate-to"
            )
        expiry = Expiry(ESCALATE, tuple(dict.fromkeys((*expiry.to, *draft.escalate_to))))
    elif expiry.action == AUTO_APPROVE:
        expiry = Expiry()
    return min(draft.within, allowed or draft.within), expiry


def _require_valid(draft: RequestDraft) -> None:
    """Raise UsageError for a value that is not allowed."""
    if draft.action not in MATRIX:
        raise UsageError(f"unknown action {draft.action!r} (expected one of {', '.join(MATRIX)})")
    if not draft.title:
        raise UsageError("a request needs a title")
    if draft.confidence is not None and not 0 <= draft.confidence <= 1:
        raise UsageError(f"invalid confidence {draft.confidence:g} (expected a number from 0 to 1)")
    if draft.escalate_to and not draft.within:
        raise UsageError("--escalate-to needs a deadline: --within TIME")
    for name in draft.escalate_to:
        if not _NAME.fullmatch(name):
            raise UsageError(f"invalid name {name!r} (expected a user, or a team as acme/board)")
    if draft.recommendation not in RECOMMENDATIONS:
        raise UsageError(
            f"invalid recommendation {draft.recommendation!r} (expected approve or reject)"
        )


def _category(draft: RequestDraft, policy: Policy, floor: float) -> tuple[str, str]:
    """Return the category and the reason to ask a person, "" for no reason."""
    by_matrix = category(draft.action)
    if by_matrix == CRITICAL:
        return CRITICAL, f"a person always decides about {draft.action}"
    if draft.expertise:
        return EXPERTISE, f"the requester asks for a person: {draft.expertise}"
    confidence = draft.confidence
    if confidence is not None and confidence < floor:
        return UNCERTAINTY, f"the requester's confidence {confidence:g} is below {floor:g}"
    return by_matrix, _reason_of_autonomy(draft.action, policy)


def _reason_of_autonomy(action: str, policy: Policy) -> str:
    """Return why the autonomy of the policy requires a person, "" if it does not."""
    if not policy.autonomy:  # no judge looks at a request, so nobody else could answer it
        return f"policy.autonomy is not set, so {action} requires a person"
    if policy.autonomy not in LEVELS or asks(action, policy.autonomy):
        return needs_maintainer(action)
    return ""


def content_of(request: ApprovalRequest) -> str:
    """Return the SHA-256 of a question and its requester; repeated questions have the same hash."""
    asked = (
        request.project,
        request.action,
        request.title,
        request.requested_by,
        request.description,
        request.context,
        request.confidence,
        request.recommendation,
        request.reasoning,
    )
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()
