"""The deadline of a request: what time alone has changed."""

from typing import NamedTuple

from ..config.policy import Policy, duration
from ..decision.deadline import (
    AUTO_APPROVED as BY_TIME,
)
from ..decision.deadline import (
    ESCALATED,
    LONGER,
    WAITING,
    DeadlineStatus,
    deadline_status,
)
from .request import AUTO_APPROVED, EXPIRED, PENDING, ApprovalRequest


class TimeChange(NamedTuple):
    """A change by time: `kind` is "escalated", "expired" or "auto_approved"."""

    kind: str
    at: int


def swept(request: ApprovalRequest, now: int) -> tuple[ApprovalRequest, tuple[TimeChange, ...]]:
    """Return a request as it is at a time, with what has changed; at most one change.

    At the very second of its deadline it has changed. Only routine and milestone requests are ever
    approved by time. An escalation that nobody saw in its 24 hours is no more: it has expired.
    """
    if request.status != PENDING or not request.expires_at:
        return request, ()
    limit = _limit(request)
    policy = Policy(deadlines=((request.category, limit),), expiry=request.expiry)
    status = deadline_status(request.category, request.requested_at, policy, now)
    if status.state == WAITING or (status.state == ESCALATED and request.escalated_at):
        return request, ()
    if status.state == ESCALATED:
        longer = request._replace(escalated_at=request.expires_at, expires_at=status.until)
        return longer, (TimeChange("escalated", now),)
    return _ended(request, status, limit), (TimeChange(_end(status), now),)


def _limit(request: ApprovalRequest) -> int:
    """Return the seconds that a request has without an escalation."""
    longer = LONGER if request.escalated_at else 0
    return request.expires_at - request.requested_at - longer


def _ended(request: ApprovalRequest, status: DeadlineStatus, limit: int) -> ApprovalRequest:
    approved = status.state == BY_TIME
    left = "was not answered"
    words = f"approved: it {left} and nobody objected" if approved else f"blocked: it {left}"
    escalated = f" and {duration(LONGER)} after the escalation" if request.escalated_at else ""
    return request._replace(
        status=AUTO_APPROVED if approved else EXPIRED,
        decided_at=status.until,
        comment=f"{words} within {duration_in_words(limit)}{escalated}",
    )


def _end(status: DeadlineStatus) -> str:
    return AUTO_APPROVED if status.state == BY_TIME else EXPIRED


def duration_in_words(seconds: int) -> str:
    """Return a time for people, as in "2d", or in seconds where it is no whole minutes."""
    return duration(seconds) if seconds > 0 and seconds % 60 == 0 else f"{seconds} seconds"
