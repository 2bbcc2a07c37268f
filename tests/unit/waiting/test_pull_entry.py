"""Which pull requests wait for a person, and what their entries say: on the rows of tests/cases/decisions/table.txt."""

import pytest

from helix_hooks.config.policy import CATEGORIES
from helix_hooks.decision.authors import writers
from helix_hooks.decision.commands import commands
from helix_hooks.decision.decide import Decision
from helix_hooks.decision.pull_request import Commit, Person
from helix_hooks.decision.states import BLOCKED, FAILED, PENDING
from helix_hooks.decision.votes import count_votes
from helix_hooks.waiting.entry import EXPIRED, STATES, QueueEntry
from helix_hooks.waiting.pull_entry import (
    UNKNOWN_WRITERS,
    PullFacts,
    entry_id,
    project_and_number,
    pull_entry,
    waits,
)
from tests.unit.decision.table import TABLE, Facts, Row, facts, rows

ROWS = list(rows(TABLE.read_text(encoding="utf-8")))


def entry_of(found: Facts, decision: Decision) -> QueueEntry:
    given = decision.handover or found.given
    return pull_entry(
        PullFacts(
            turn="Waiting",
            url="",
            handover=given,
            decision=decision,
            pull=found.pull,
            votes=count_votes(found.given, found.pull, found.known),
            commits=found.known.commits,
            has_all_commits=found.known.complete,
        )
    )


def test_who_waits_is_who_can_be_answered() -> None:
    """An entry is there if and only if a person can do something, and an approval is offered if and only if it counts."""
    seen = set[str]()
    for row in ROWS:
        found = facts(row)
        decision = found.decided()
        if decision.asked:
            assert waits(decision), row
        if not waits(decision):
            assert decision.state != BLOCKED, row
            continue
        assert decision.state in (PENDING, BLOCKED, FAILED), row
        entry = entry_of(found, decision)
        seen.add(entry.state)
        assert entry.category in CATEGORIES and entry.state in STATES, row
        offered = [command.name for way in entry.ways_on for command in commands(way)]
        assert ("approve" in offered) is bool(decision.asked), row
        assert entry.reasons and entry.ways_on, row
        assert entry.approvals == len(entry.approved_by) < entry.minimum or not decision.asked
        assert (UNKNOWN_WRITERS in entry.reasons) is not found.known.complete
        assert entry.state != EXPIRED or not entry.due_at
    assert seen == set(STATES)


@pytest.mark.parametrize(
    ("found", "answer", "confidence"),
    [
        ("adr=unsure code=ok protected", "approve", 0.6),
        ("adr=timeout", "", None),
        ("adr=timeout code=reject", "reject", None),
    ],
)
def test_the_recommendation_is_that_of_the_worst_judge(
    found: str, answer: str, confidence: float | None
) -> None:
    row = Row("", 0, "-", found, "-", "-", "", "", "")
    known = facts(row)
    recommended = entry_of(known, known.decided()).recommendation
    assert recommended.answer == answer
    assert confidence is None or recommended.confidence is not None


def test_ids_name_project_and_number() -> None:
    assert entry_id("acme/decisions", 12) == "acme/decisions#12"
    assert project_and_number("acme/decisions#12") == ("acme/decisions", 12)
    for text in ("acme/decisions", "#12", "acme/decisions#x", "run/phase", "acme#1#2"):
        assert project_and_number(text)[1] == 0, text


def test_writers_are_known_by_login_address_and_name() -> None:
    message = (
        "Change\n\nCo-authored-by: Bob <7+bob@users.noreply.github.com>\n"
        "Co-authored-by: @carol <c@example.org>\nCo-authored-by: Dora the Great <d@example.org>"
    )
    commit = Commit((Person("Eve", 5),), ("frank@users.noreply.github.com",), message)
    found = writers(Person("alice", 1), [commit, commit])
    assert found[0] == "alice" and len(found) == 5
    assert {name.casefold() for name in found} == {"alice", "bob", "carol", "eve", "frank"}
