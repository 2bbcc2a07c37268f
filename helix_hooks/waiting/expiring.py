"""Changes of a request that its deadline causes."""

from typing import NamedTuple

from ..config.policy import Policy, duration
from ..decision.decide import AUTO_APPROVED as BY_TIME
from ..decision.decide import ESCALATED, LONGER, WAITING, DeadlineStatus, deadline_status
from .request import AUTO_APPROVED, EXPIRED, ApprovalRequest


class TimeChange(NamedTuple):
    """A change by time: `kind` is "escalated", "expired" or "auto_approved"."""

    kind: str
    at: int


def swept(request: ApprovalRequest, now: int) -> tuple[ApprovalRequest, tuple[TimeChange, ...]]:
    """Return a request at a time, and the change since; at most one.

    In the second of its deadline it has changed. Only routine and milestone requests are ever
    approved by time.
    """
    if not request.due_at:
        return request, ()
    limit = _limit(request)
    policy = Policy(deadlines={request.category: limit}, expiry=request.expiry)
    status = deadline_status(request.category, request.requested_at, policy, now)
    if status.state == WAITING or (status.state == ESCALATED and request.escalated_at):
        return request, ()
    # If no program ran during the 24 hours of an escalation, the request has expired without one.
    if status.state == ESCALATED:
        longer = request._replace(escalated_at=request.expires_at, expires_at=status.until)
        return longer, (TimeChange("escalated", now),)
    return _ended(request, status, limit), (TimeChange(_end(status), now),)


def _limit(request: ApprovalRequest) -> int:
    """Return the seconds that a request has without an escalation."""
    longer = LONGER if request.escalated_at else 0
    return request.expires_at - request.requested_at - longer


def _ended(request: ApprovalRequest, status: DeadlineStatus, limit: int) -> ApprovalRequest:
    text = "blocked: it was not answered"
    if status.state == BY_TIME:
        text = "approved: nobody objected"
    text += f" within {duration_in_words(limit - request.stopped)}"
    if request.escalated_at:
        text += f" and {duration(LONGER)} after the escalation"
    return request._replace(status=_end(status), decided_at=status.until, comment=text)


def _end(status: DeadlineStatus) -> str:
    return AUTO_APPROVED if status.state == BY_TIME else EXPIRED


def duration_in_words(seconds: int) -> str:
    """Return a time for people, e.g. "2d"; in seconds if it is not a number of minutes."""
    if seconds > 0 and seconds % 60 == 0:
        return duration(seconds)
    return f"{seconds} seconds"
