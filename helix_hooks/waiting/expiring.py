"""Changes of a request that its deadline causes."""

from ..config.policy import Policy, duration
from ..decision.decide import AUTO_APPROVED as BY_TIME
from ..decision.decide import ESCALATED, LONGER, WAITING, deadline_status
from .request import AUTO_APPROVED, EXPIRED, ApprovalRequest


def swept(request: ApprovalRequest, now: int) -> tuple[ApprovalRequest, str]:
    """Return a request at a time, and its change since, "" for none.

    A change is "escalated", "expired" or "auto_approved". In the second of its deadline a request
    has changed. Only routine and milestone requests are ever approved by time.
    """
    if not request.due_at:
        return request, ""
    longer = LONGER if request.escalated_at else 0
    limit = request.expires_at - request.requested_at - longer  # without an escalation
    policy = Policy(deadlines={request.category: limit}, expiry=request.expiry)
    status = deadline_status(request.category, request.requested_at, policy, now)
    if status.state == WAITING or (status.state == ESCALATED and request.escalated_at):
        return request, ""
    # If no program ran during the 24 hours of an escalation, the request has expired without one.
    if status.state == ESCALATED:
        escalated = request._replace(escalated_at=request.expires_at, expires_at=status.until)
        return escalated, ESCALATED
    end = AUTO_APPROVED if status.state == BY_TIME else EXPIRED
    text = "approved: nobody objected" if end == AUTO_APPROVED else "blocked: it was not answered"
    text += f" within {duration_in_words(limit - request.stopped)}"
    if request.escalated_at:
        text += f" and {duration(LONGER)} after the escalation"
    return request._replace(status=end, decided_at=status.until, comment=text), end


def duration_in_words(seconds: int) -> str:
    """Return a time for people, e.g. "2d"; in seconds if it is not a number of minutes."""
    if seconds > 0 and seconds % 60 == 0:
        return duration(seconds)
    return f"{seconds} seconds"
