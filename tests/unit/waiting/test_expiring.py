"""The deadline of a request: a second before, at it, and a second after."""

import pytest

from helix_hooks.config.policy import CATEGORIES, NEVER_BY_ITSELF
from helix_hooks.decision.decide import LONGER
from helix_hooks.waiting.answering import swept
from helix_hooks.waiting.request import AUTO_APPROVED, EXPIRED, PENDING, ApprovalRequest
from tests.unit.waiting.asked import START, policy, request, vote

LIMIT = 3600
DUE = START + LIMIT
ACTIONS = ("block", "escalate", "auto_approve")


def asked(category: str, action: str) -> ApprovalRequest:
    found = request(policy(deadline=LIMIT, action=action))
    return found._replace(category=category)


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("seconds", [-1, 0, 1])
def test_around_the_deadline(category: str, action: str, seconds: int) -> None:
    before = asked(category, action)
    after, change = swept(before, DUE + seconds)
    if seconds < 0:
        assert (after, change) == (before, "")
        return
    if action == "escalate":
        assert (after.status, after.escalated_at, after.expires_at) == (PENDING, DUE, DUE + LONGER)
        assert change == "escalated"
        return
    by_time = action == "auto_approve" and category not in NEVER_BY_ITSELF
    assert after.status == (AUTO_APPROVED if by_time else EXPIRED)
    assert after.decided_at == DUE, "whenever somebody looks"
    assert change == after.status
    assert "within 60m" in after.comment or "within 1h" in after.comment


@pytest.mark.parametrize("category", CATEGORIES)
@pytest.mark.parametrize("seconds", [-1, 0, 1])
def test_around_the_end_of_an_escalation(category: str, seconds: int) -> None:
    escalated, _ = swept(asked(category, "escalate"), DUE + 7)
    after, change = swept(escalated, DUE + LONGER + seconds)
    if seconds < 0:
        assert (after, change) == (escalated, "")
        return
    assert (after.status, after.decided_at) == (EXPIRED, DUE + LONGER)
    assert change == "expired"
    assert swept(after, DUE + 9 * LONGER) == (after, ""), "an end is an end"


def test_an_escalation_that_nobody_saw_has_expired() -> None:
    after, change = swept(asked("routine", "escalate"), DUE + LONGER)
    assert after.status == change == EXPIRED


def test_looking_often_and_looking_once_end_alike() -> None:
    often = once = asked("milestone", "auto_approve")
    for now in range(START, DUE + 120, 60):
        often, _ = swept(often, now)
    assert often == swept(once, DUE + 500)[0]


def test_without_a_deadline_nothing_expires() -> None:
    forever = request(policy())
    assert swept(forever, 1 << 40) == (forever, "")


def test_a_vote_that_does_not_suffice_expires_too() -> None:
    voted = asked("routine", "auto_approve")._replace(votes=(vote("max"),), minimum=2)
    assert swept(voted, DUE)[0].status == AUTO_APPROVED
