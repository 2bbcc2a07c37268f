"""Requests in both databases: written once, found again, decided once, and each change an event."""

import threading

import pytest

from helix_hooks.decision.decide import LONGER
from helix_hooks.errors import HelixError, UsageError
from helix_hooks.flow.place import FlowPlace
from helix_hooks.queue import schema
from helix_hooks.queue.decided import stored_figures
from helix_hooks.queue.store import QueueStore
from helix_hooks.waiting.answering import AlreadyDecidedError
from helix_hooks.waiting.request import APPROVED, AUTO_APPROVED, EXPIRED, PENDING, REJECTED
from tests.fakes.trail import events
from tests.stories.requests.stored import Clock, asked, execute, faults, store
from tests.unit.waiting.asked import START, policy, vote


def kinds(db: QueueStore, request: str = "") -> list[str]:
    return [event.kind for event in events(db, request)]


def test_from_the_question_to_the_decision(place: FlowPlace) -> None:
    with store(place) as db:
        first, second = db.add(asked("one")), db.add(asked("two"))
        assert db.requests() == (first, second)
        assert db.request(first.id[:8]) == db.request(f" {first.id.upper()} ") == first
        db.answer(first.id[:8], vote("max", reason="fine"), policy())
        db.answer(second.id, vote("eve", approves=False, reason="no"), policy())
    with store(place) as db:
        assert db.request(first.id).status == APPROVED
        assert [item.status for item in db.requests()] == [APPROVED, REJECTED]
        assert kinds(db) == ["opened", "opened", "approved", "rejected"]
        ended = events(db)[2]
        assert ended.request == first.id and ended.project == "acme/shop"
        assert (ended.fields["by"], ended.fields["reason"]) == ("max", "fine")
        assert (ended.fields["verified"], ended.fields["right"]) == (True, "role maintain")
        assert db.newest() == 4
    assert faults(place) == ()


def test_lists_are_of_a_project_and_of_statuses(place: FlowPlace) -> None:
    with store(place) as db:
        for number in range(5):
            db.add(asked(f"{number}")._replace(project=f"acme/{number % 2}"))
        chosen = db.requests("acme/0")[1]
        db.answer(chosen.id, vote("max"), policy())
        assert [item.title for item in db.requests("acme/0")] == ["0", "2", "4"]
        assert [item.title for item in db.requests("acme/0", (PENDING,))] == ["0", "4"]
        assert [item.title for item in db.requests(statuses=(APPROVED, EXPIRED))] == ["2"]
        assert [item.title for item in db.requests(limit=2)] == ["0", "1"]
        assert [db.listed(limit=2).left, db.listed("acme/0", (PENDING,), 1).left] == [3, 1]
        with pytest.raises(UsageError, match="there is no request"):
            db.request(chosen.id, "acme/1")


def test_a_project_has_at_most_so_many_open_requests(place: FlowPlace) -> None:
    with store(place) as db:
        first = db.add(asked("one"), most_open=2)
        db.add(asked("two"), most_open=2)
        with pytest.raises(UsageError, match=r"2 requests of acme/shop are open \(maximum 2\)"):
            db.add(asked("three"), most_open=2)
        again = db.add(asked("one"), reuse_open=True, most_open=2)
        assert again.id == first.id  # what is asked already is no other request
        db.add(asked("three")._replace(project="acme/other"), most_open=2)
        db.add(asked("four")._replace(status=AUTO_APPROVED), most_open=2)
        db.answer(first.id, vote("max"), policy())
        db.add(asked("three"), most_open=2)
        assert len(db.requests("acme/shop", (PENDING,))) == 2


@pytest.mark.further
@pytest.mark.parametrize("name", ["", "abc", "%", "0' OR '1'='1", "____", "é" * 8, "z" * 8])
def test_what_is_no_id_is_refused(place: FlowPlace, name: str) -> None:
    with store(place) as db:
        db.add(asked())
        with pytest.raises(UsageError):
            db.request(name)


@pytest.mark.further
def test_a_beginning_of_several_ids(place: FlowPlace) -> None:
    with store(place) as db:
        for end in "ab":
            db.add(asked()._replace(id=f"0f8fad5b-d9cb-469f-a165-70867728950{end}"))
        with pytest.raises(UsageError, match="several requests begin with 0f8f, as 0f8fad5b"):
            db.answer("0f8f", vote("max"), policy())


def test_one_of_two_people_wins_and_the_other_is_told(place: FlowPlace) -> None:
    with store(place) as db, store(place) as other:
        request = db.add(asked())
        ended = db.answer(request.id, vote("max", reason="go"), policy())
        with pytest.raises(
            AlreadyDecidedError, match=r"was approved by @max on .* by @eve was not"
        ):
            other.answer(request.id, vote("eve", approves=False), policy())
        assert other.answer(request.id, vote("max"), policy()) == ended, "the same answer stands"
        assert kinds(db) == ["opened", "approved"]


def test_an_answer_that_does_not_count_leaves_nothing(place: FlowPlace) -> None:
    with store(place) as db:
        request = db.add(asked())
        with pytest.raises(UsageError, match="@jane requested this"):
            db.answer(request.id, vote("jane"), policy())
        assert db.request(request.id) == request and kinds(db) == ["opened"]


@pytest.mark.further
def test_two_approvals_are_needed(place: FlowPlace) -> None:
    two = policy(minimum=2)
    with store(place) as db:
        request = db.add(asked(by=two))
        assert db.answer(request.id, vote("max"), two).status == PENDING
        assert db.answer(request.id, vote("max"), two).status == PENDING
        assert db.answer(request.id, vote("eve"), two).status == APPROVED
        assert kinds(db) == ["opened", "voted", "approved"]


def test_what_needs_no_person_is_recorded(place: FlowPlace) -> None:
    with store(place) as db:
        request = db.add(asked(by=policy("autonomous")))
        assert db.request(request.id).status == AUTO_APPROVED
        assert kinds(db) == ["opened", "auto_approved"]
        with pytest.raises(AlreadyDecidedError, match="was approved without a person on"):
            db.answer(request.id, vote("max", approves=False), policy())


def test_a_retried_request_is_the_same_one(place: FlowPlace) -> None:
    with store(place) as db:
        first = db.add(asked(), key="release-1")
        assert db.add(asked(), key="release-1") == first
        assert db.add(first) == first, "a commit whose end nobody saw"
        assert db.add(asked(), key="release-2") != first
        with pytest.raises(UsageError, match=f"the key belongs to request {first.id}, which asks"):
            db.add(asked("Start sprint 5"), key="release-1")
        ended = db.answer(first.id, vote("max"), policy())
        assert db.add(asked(), key="release-1") == ended
        assert len(db.requests()) == 2


def test_an_open_question_is_not_asked_again(place: FlowPlace) -> None:
    with store(place) as db:
        first = db.add(asked(), reuse_open=True)
        assert db.add(asked(), reuse_open=True) == first
        assert db.add(asked()) != first
        db.answer(first.id, vote("max"), policy())
        assert db.add(asked("other"), reuse_open=True) != first


@pytest.mark.further
def test_the_same_key_at_once_opens_one_request(place: FlowPlace) -> None:
    found: list[str] = []

    def ask() -> None:
        with store(place) as db:
            found.append(db.add(asked(), key="once").id)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and len(set(found)) == 1
    assert faults(place) == ()


def test_an_imported_decision_is_recorded_once(place: FlowPlace) -> None:
    with store(place) as db:
        fields: dict[str, object] = {"pull_request": 7, "status": "approved"}
        assert db.record("decision", fields, "acme/shop#7@1", "acme/shop")
        assert not db.record("decision", fields, "acme/shop#7@1", "acme/shop")
        assert db.record("decision", fields, "acme/shop#7@2", "acme/shop")
        (first, _) = events(db)
        assert (first.kind, first.fields) == ("imported", {"kind": "decision", **fields})
    assert faults(place) == ()


@pytest.mark.sampled
@pytest.mark.parametrize("seconds", [-1, 0, 1])
@pytest.mark.parametrize("action", ["block", "escalate", "auto_approve"])
def test_a_deadline_on_a_read(place: FlowPlace, action: str, seconds: int) -> None:
    clock = Clock()
    with store(place, clock) as db:
        request = db.add(asked(by=policy(deadline=600, action=action)))
        clock.now += 600 + seconds
        statuses = {"block": EXPIRED, "escalate": PENDING, "auto_approve": AUTO_APPROVED}
        expected = PENDING if seconds < 0 else statuses[action]
        assert db.requests()[0].status == db.request(request.id).status == expected
        changed = {"block": "expired", "escalate": "escalated", "auto_approve": "auto_approved"}
        assert kinds(db) == (["opened"] if seconds < 0 else ["opened", changed[action]])


@pytest.mark.parametrize("seconds", [-1, 0])
def test_an_answer_around_the_deadline(place: FlowPlace, seconds: int) -> None:
    by = policy(deadline=600)
    with store(place) as db:
        request = db.add(asked(by=by))
        answer = vote("max", at=START + 600 + seconds)
        if seconds < 0:
            assert db.answer(request.id, answer, by).status == APPROVED
            return
        with pytest.raises(AlreadyDecidedError, match="has expired on"):
            db.answer(request.id, answer, by)
        assert kinds(db) == ["opened", "expired"], "which the refused answer has recorded"


def test_an_escalation_happens_once(place: FlowPlace) -> None:
    clock = Clock()
    with store(place, clock) as db:
        db.add(asked(by=policy(deadline=600, action="escalate")))
        for seconds in (600, 601, 5000, 600 + LONGER - 1):
            clock.now = START + seconds
            db.sweep(clock.now)
            assert kinds(db) == ["opened", "escalated"]
        (_, escalated) = events(db)
        assert escalated.fields["escalate_to"] == ["bob"]
        clock.now = START + 600 + LONGER
        assert [event.kind for event in db.sweep(clock.now)] == ["expired"]
        assert db.sweep(clock.now + 99_999) == ()


def test_two_sweeps_at_once_change_each_request_once(place: FlowPlace) -> None:
    found: list[int] = []
    with store(place) as db:
        for number in range(30):
            db.add(asked(f"{number}", by=policy(deadline=60, action="escalate")))

    def sweep() -> None:
        with store(place) as own:
            found.extend(event.number for event in own.sweep(START + 60))

    threads = [threading.Thread(target=sweep) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store(place) as db:
        assert sorted(found) == list(range(31, 61))
        assert kinds(db)[30:] == ["escalated"] * 30
    assert faults(place) == ()


@pytest.mark.further
def test_many_deadlines_are_swept_in_parts(
    place: FlowPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helix_hooks.queue.write._MOST", 3)
    with store(place) as db:
        for number in range(7):
            db.add(asked(f"{number}", by=policy(deadline=60)))
        assert len(db.sweep(START + 60)) == 7


def test_a_newer_store_is_left_alone(place: FlowPlace) -> None:
    with store(place) as db:
        db.add(asked())
    execute(place, f"UPDATE {schema.VERSIONS} SET version_num = '9999'")
    with pytest.raises(HelixError, match="was used by a newer helix-hooks"), store(place):
        pass


def test_the_tables_are_those_of_the_code(place: FlowPlace) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    from helix_hooks.flow.durable import engine_of
    from helix_hooks.notify.outbox import SEEN

    with store(place):
        pass
    engine = engine_of(place)
    described = (schema.REQUESTS.metadata, SEEN.metadata)
    ours = {name for metadata in described for name in metadata.tables}
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"include_name": lambda name, kind, _: kind != "table" or name in ours}
        )
        changes = [item for metadata in described for item in compare_metadata(context, metadata)]
    engine.dispose()
    assert [change for change in changes if change[0] in ("add_table", "add_column", "remove_column")] == []  # fmt: skip
    folder = schema.__file__.replace("schema.py", "migrations")
    assert ScriptDirectory(folder).get_current_head() == schema.REVISIONS[-1]


def test_a_store_of_an_earlier_version_is_migrated(place: FlowPlace) -> None:
    """The step before the newest one lacks the views."""
    with store(place) as db:
        db.add(asked("one"))
    execute(
        place,
        "DROP VIEW helix_decided",
        "DROP VIEW helix_pull_decisions",
        f"UPDATE {schema.VERSIONS} SET version_num = '0003'",
    )
    with store(place) as db:
        assert [item.title for item in db.requests()] == ["one"]
        assert stored_figures(db, None).waiting == 1
    assert faults(place) == ()
