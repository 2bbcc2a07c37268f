"""The deadline of a question: computed from when it was asked, the policy, and the time. Pure.

Times are seconds since 1970. No process waits for a deadline: each run computes it again. Compared
with seed 4, "Timeout", there is one escalation, and critical questions are never approved by time.
"""

from typing import NamedTuple

from ..config.policy import AUTO_APPROVE, ESCALATE, NEVER_BY_ITSELF, Policy

WAITING, ESCALATED, BLOCKED, AUTO_APPROVED = "waiting", "escalated", "blocked", "auto_approved"
LONGER = 24 * 3600
"""Seconds that an escalation adds to a deadline."""


class DeadlineStatus(NamedTuple):
    """The deadline of a question: `due` is when its state changes, 0 for never.

    An answer counts before `until`, 0 for always.
    """

    state: str
    due: int = 0
    until: int = 0


def deadline_status(category: str, since: int, policy: Policy, now: int) -> DeadlineStatus:
    """Return the status of a question that was asked at `since`.

    In the second of its deadline it has expired.
    """
    allowed = dict(policy.deadlines).get(category, 0)
    if not allowed:
        return DeadlineStatus(WAITING)
    due = since + allowed
    action = policy.expiry.action
    last = due + LONGER if action == ESCALATE else due
    if now < due:
        return DeadlineStatus(WAITING, due, last)
    if action == ESCALATE and now < last:
        return DeadlineStatus(ESCALATED, last, last)
    if action == AUTO_APPROVE and category not in NEVER_BY_ITSELF:
        return DeadlineStatus(AUTO_APPROVED, 0, last)
    return DeadlineStatus(BLOCKED, 0, last)
