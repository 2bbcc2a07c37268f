"""What becomes of a question that nobody answers: a pure function of when it was asked, what the policy says, and the time.

Times are seconds since 1970. Nothing waits for them: whoever looks at a pull request computes the same anew (seed 4, "Timeout"; of its
sketch, one escalation is kept, and nothing approves what is critical).
"""

from typing import NamedTuple

from ..config.autonomy import NEVER_BY_ITSELF
from ..config.policy import AUTO_APPROVE, ESCALATE, Policy

WAITING, ESCALATED, BLOCKED, AUTO_APPROVED = "waiting", "escalated", "blocked", "auto_approved"
LONGER = 24 * 3600
"""Seconds that an escalation adds."""


class DeadlineStatus(NamedTuple):
    """Where a question stands: `due` is when that changes, 0 for never; `until` is the last moment at which an answer counts, 0 for any."""

    state: str
    due: int = 0
    until: int = 0


def deadline_status(category: str, since: int, policy: Policy, now: int) -> DeadlineStatus:
    """Of a question of a category that was asked at `since`. At the very second of its deadline it has expired."""
    longest = dict(policy.deadlines).get(category, 0)
    if not longest:
        return DeadlineStatus(WAITING)
    due = since + longest
    action = policy.expiry.action
    last = due + LONGER if action == ESCALATE else due
    if now < due:
        return DeadlineStatus(WAITING, due, last)
    if action == ESCALATE and now < last:
        return DeadlineStatus(ESCALATED, last, last)
    if action == AUTO_APPROVE and category not in NEVER_BY_ITSELF:
        return DeadlineStatus(AUTO_APPROVED, 0, last)
    return DeadlineStatus(BLOCKED, 0, last)
