"""Events of requests for the audit trail."""

from ..text import json_value
from .answering import approvals
from .request import (
    APPROVED,
    AUTO_APPROVED,
    REJECTED,
    ApprovalRequest,
    RequestVote,
    document_of,
    hash_of,
)
from .trail import HANDED_OVER, OPENED, STATE, VOTED, TrailEvent


def opening_events(request: ApprovalRequest) -> tuple[TrailEvent, ...]:
    """Return the event of a new request, and that of its approval where nobody is asked."""
    asker = request.requested_by
    fields = {
        "asked_by": asker.name,
        "verified": asker.verified,
        "agent": asker.agent,
        "on_behalf_of": asker.on_behalf_of,
        "confidence": request.confidence,
        "recommendation": request.recommendation,
        "minimum": request.minimum,
        "expires_at": request.expires_at,
        "why": request.why,
    }
    opened = _event(OPENED, request.requested_at, request, fields)
    if request.status != AUTO_APPROVED:
        return (opened,)
    ended = _event(AUTO_APPROVED, request.decided_at, request, {"comment": request.comment})
    return opened, ended


def answer_event(request: ApprovalRequest, vote: RequestVote) -> TrailEvent:
    """Return the event of an answer; `request` already contains the answer."""
    kind = request.status if request.status in (APPROVED, REJECTED) else VOTED
    fields = {
        "by": vote.by.name,
        "verified": vote.by.verified,
        "is_sole": vote.by.is_sole,
        "right": vote.right,
        "via": vote.via,
        "approves": vote.approves,
        "reason": vote.reason,
        "approvals": approvals(request),
        "minimum": request.minimum,
        "requested_at": request.requested_at,
    }
    return _event(kind, vote.at, request, fields)


def note_event(request: ApprovalRequest, kind: str) -> TrailEvent:
    """Return the event of the last note of a request."""
    note = request.notes[-1]
    fields: dict[str, object] = {
        "by": note.by.name,
        "verified": note.by.verified,
        "text": note.text,
    }
    if kind == HANDED_OVER:
        fields["to"] = request.handed_to
    return _event(kind, note.at, request, fields)


def time_event(request: ApprovalRequest, kind: str, at: int) -> TrailEvent:
    """Return the event of a deadline; `request` is the state after it."""
    fields = {
        "comment": request.comment,
        "expires_at": request.expires_at,
        "escalate_to": [*request.expiry.to],
        "requested_at": request.requested_at,
    }
    return _event(kind, at, request, fields)


def _event(kind: str, at: int, request: ApprovalRequest, fields: dict[str, object]) -> TrailEvent:
    about = {
        "title": request.title,
        "category": request.category,
        "action": request.action,
        "status": request.status,
        STATE: hash_of(document_of(request)),
    }
    masked = json_value({**about, **fields})
    return TrailEvent(
        number=0,
        at=at,
        kind=kind,
        request=request.id,
        project=request.project,
        fields=masked if isinstance(masked, dict) else {},
    )
