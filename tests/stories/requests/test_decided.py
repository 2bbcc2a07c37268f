"""The views of the database, by which figures and the ends of pull requests are counted."""

from typing import Any

import pytest

from helix_hooks.errors import HelixError
from helix_hooks.flow.place import FlowPlace
from helix_hooks.notify.notices import Ending
from helix_hooks.queue.decided import pull_ends, stored_figures
from helix_hooks.queue.store import QueueStore
from helix_hooks.waiting.figures import DEADLINE, JUDGE, PEOPLE, RULES, QueueFigures
from tests.stories.requests.stored import Clock, asked, execute, store
from tests.unit.waiting.asked import START, policy, vote

HOUR = 3600
APPROVAL, OBJECTION = {"said": "approve", "by": "max"}, {"said": "reject", "by": "eve"}
VERDICT, FAILED = [{"failed": False}], [{"failed": True}]


def record(db: QueueStore, number: int = 12, at: int = START, **fields: Any) -> None:
    """Import a decision on a pull request, as `queue sweep` does."""
    decision = {
        "pull_request": number, "decided_at": at, "requested_at": START - HOUR, "action_type": "architecture_decision",
        "status": "approved", "closed": False, "votes": [], "judges": [], **fields,
    }  # fmt: skip
    assert db.record("decision", {"decision": decision}, f"{number}:{decision}", "acme/shop")


def numbers(figures: QueueFigures) -> list[tuple[str, str, int, int, int, dict[str, int]]]:
    return [
        (part.month, part.type, part.approved, part.rejected, part.expired, dict(part.by))
        for part in figures.parts
    ]


@pytest.mark.parametrize(
    ("fields", "outcome", "by", "voter"),
    [
        ({"votes": [OBJECTION, APPROVAL], "judges": VERDICT}, "approved", PEOPLE, "max"),
        ({"votes": [APPROVAL, {"said": "override", "by": "ann"}]}, "approved", PEOPLE, "ann"),
        ({"votes": [OBJECTION], "judges": VERDICT}, "approved", JUDGE, ""),
        ({"judges": VERDICT}, "approved", JUDGE, ""),
        ({"judges": FAILED}, "approved", RULES, ""),
        ({}, "approved", RULES, ""),
        ({"status": "auto_approved", "votes": [APPROVAL]}, "approved", DEADLINE, ""),
        ({"status": "rejected", "votes": [OBJECTION, APPROVAL]}, "rejected", PEOPLE, "eve"),
        ({"status": "rejected", "judges": VERDICT}, "rejected", JUDGE, ""),
        ({"status": "expired", "votes": [APPROVAL]}, "expired", "", None),
    ],
)
def test_who_decided_a_pull_request(
    place: FlowPlace, fields: dict[str, Any], outcome: str, by: str, voter: str | None
) -> None:
    with store(place) as db:
        record(db, **fields)
        [part] = stored_figures(db).parts
        ends = pull_ends(db)
    assert (part.project, part.type, part.ended) == ("acme/shop", "architecture_decision", 1)
    assert getattr(part, outcome) == 1 and part.by == ({by: 1} if by else {})
    status = fields.get("status", "approved")
    expected = {} if voter is None else {("acme/shop", 12): Ending(status, voter, START)}
    assert ends == expected


@pytest.mark.parametrize("status", ["pending", "failed", "broken", "new-status"])
def test_a_pull_request_that_is_not_decided(place: FlowPlace, status: str) -> None:
    with store(place) as db:
        record(db, status=status)
        figures, ends = stored_figures(db), pull_ends(db)
    assert (figures.parts, figures.waiting, ends) == ((), int(status == "pending"), {})


def test_the_last_decision_before_the_closing_counts(place: FlowPlace) -> None:
    with store(place) as db:
        record(db, at=START + 5, status="rejected", requested_at=None, action_type=None)
        record(db, at=START)
        record(db, at=START + 9, closed=True)
        record(db, number=13)
        record(db, number=13, status="pending")  # at the same time, recorded later
        figures, ends = stored_figures(db), pull_ends(db)
    assert numbers(figures) == [("2027-01", "pr_merge", 0, 1, 0, {RULES: 1})]
    assert figures.waiting == 1 and figures.parts[0].hours_median is None
    assert ends == {("acme/shop", 12): Ending("rejected", "", START + 5)}


def test_requests_by_decider_and_month(place: FlowPlace) -> None:
    clock = Clock()
    by = policy(deadline=HOUR)
    with store(place, clock) as db:
        first, second = db.add(asked("one")), db.add(asked("two"))
        db.add(asked("three", by))
        db.add(asked("four"))
        nul = db.add(asked("a NUL\0and \ud800"))
        db.add(asked("C:\\udev"))
        db.add(asked("\\ud8"))
        db.add(asked("\\u0000 \\ud800 \U0001f600"))
        clock.now += 2 * HOUR
        for item, at in ((first, 1), (second, 2)):
            db.answer(
                item.id,
                vote("max", approves=item is first, reason="x", at=START + at * HOUR),
                policy(),
            )
        db.answer(nul.id, vote("max", at=START + HOUR), policy())
        figures = stored_figures(db, {"acme/shop"})
        others = stored_figures(db, {"acme/other"})
        later = stored_figures(db, since="2027-02")
    assert numbers(figures) == [("2027-01", "sprint_start", 2, 1, 1, {PEOPLE: 3})]
    assert (figures.waiting, figures.months[0].hours_longest) == (4, 2.0)
    assert (others.waiting, others.months, later.months) == (0, (), ())


@pytest.mark.parametrize("damage", ["no JSON", "[]", "{}"])
def test_a_row_that_was_changed_is_no_traceback(place: FlowPlace, damage: str) -> None:
    with store(place) as db:
        first = db.add(asked("one"))
        db.answer(first.id, vote("max"), policy())
        execute(place, f"UPDATE helix_requests SET document = '{damage}'")
        if damage == "no JSON":
            with pytest.raises(HelixError, match=r"was changed .*`helix-hooks queue verify`"):
                stored_figures(db)
        else:
            assert [month.month for month in stored_figures(db).months] == ["1970-01"]


@pytest.mark.parametrize(
    "fields",
    [
        {"decided_at": float(START), "pull_request": 12.0},
        {"votes": None, "judges": None},
        {"votes": 7, "judges": {"failed": 1}},
        {"votes": ["approve", None, 7, APPROVAL], "judges": ["x"]},
        {"requested_at": 1.5},
        {"requested_at": True, "decided_at": 10**17},
        {"requested_at": "soon", "closed": None},
    ],
)
def test_a_strange_decision_stops_no_other(place: FlowPlace, fields: dict[str, Any]) -> None:
    with store(place) as db:
        record(db, 13)
        record(db, **{"votes": [APPROVAL], **fields})
        figures, ends = stored_figures(db), pull_ends(db)
        execute(place, "SELECT month FROM helix_decided")
    assert sum(month.ended for month in figures.months) == 2
    assert {*ends} == {("acme/shop", 12), ("acme/shop", 13)}
