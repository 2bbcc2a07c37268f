"""Who decided a pull request, as the decisions of its check run say."""

from typing import Any

import pytest

from helix_hooks.waiting.figures import DEADLINE, JUDGE, PEOPLE, RULES
from helix_hooks.waiting.recorded_decisions import ended_pulls, waiting_pulls
from helix_hooks.waiting.trail import IMPORTED, OPENED, TrailEvent

NOW = 1_795_000_000
APPROVAL, OBJECTION = [{"said": "approve"}], [{"said": "reject"}]
VERDICT, FAILED = [{"failed": False}], [{"failed": True}]


def event(kind: str = IMPORTED, at: int = NOW, number: int = 12, **fields: object) -> TrailEvent:
    decision = {
        "pull_request": number, "decided_at": at, "requested_at": NOW - 3600, "action_type": "architecture_decision",
        "status": "approved", "closed": False, "votes": [], "judges": [], **fields,
    }  # fmt: skip
    return TrailEvent(
        number=1, at=at, kind=kind, request="", project="acme/shop", fields={"kind": "decision", "decision": decision}
    )  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "outcome", "by"),
    [
        ({"votes": APPROVAL, "judges": VERDICT}, "approved", PEOPLE),
        ({"votes": OBJECTION, "judges": VERDICT}, "approved", JUDGE),
        ({"judges": VERDICT}, "approved", JUDGE),
        ({"judges": FAILED}, "approved", RULES),
        ({}, "approved", RULES),
        ({"status": "auto_approved"}, "approved", DEADLINE),
        ({"status": "rejected", "votes": OBJECTION}, "rejected", PEOPLE),
        ({"status": "rejected", "judges": VERDICT}, "rejected", JUDGE),
        ({"status": "expired", "votes": APPROVAL}, "expired", ""),
    ],
)
def test_a_pull_request_is_decided_by(fields: dict[str, Any], outcome: str, by: str) -> None:
    [ended] = ended_pulls([event(**fields)])
    assert (ended.outcome, ended.by, ended.type) == (outcome, by, "architecture_decision")
    assert (ended.asked_at, ended.ended_at) == (NOW - 3600, NOW)


@pytest.mark.parametrize("status", ["pending", "failed", "broken", "new-status"])
def test_what_is_not_decided_has_no_end(status: str) -> None:
    assert list(ended_pulls([event(status=status)])) == []
    assert waiting_pulls([event(status=status)]) == (status == "pending")


def test_the_last_decision_counts_and_a_closing_does_not() -> None:
    events = [
        event(at=NOW + 5, status="rejected"),
        event(at=NOW, status="approved"),
        event(at=NOW + 9, status="approved", closed=True),
        event(OPENED),
        event(number=13, status="pending"),
    ]
    assert [ended.outcome for ended in ended_pulls(events)] == ["rejected"]
    assert waiting_pulls(events) == 1


@pytest.mark.parametrize(
    "decision", [None, [], "x", {"status": {}}, {"status": "approved", "votes": 7}]
)
def test_a_strange_event_breaks_nothing(decision: object) -> None:
    strange = event()._replace(fields={"decision": decision})
    assert len(list(ended_pulls([strange, event()]))) <= 2
