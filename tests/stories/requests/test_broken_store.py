"""A database that is locked, full, read-only, damaged or gone is one line, and nothing is half done; each change by others is found.

Attack on the queue: remove, change or cut the store.
Answer: said by each command, by the page, and by `queue verify`.
Shown by: `tests/stories/requests/test_broken_store.py`, `test_a_store_that_was_replaced_is_said`.
"""

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa

from helix_hooks.errors import HelixError, UsageError
from helix_hooks.flow.durable import engine_of
from helix_hooks.flow.place import FlowPlace
from helix_hooks.queue.store import QueueStore
from helix_hooks.queue.verifying import verify
from helix_hooks.waiting.answering import AlreadyDecidedError
from helix_hooks.waiting.opening import content_of
from helix_hooks.waiting.request import PENDING, ApprovalRequest
from helix_hooks.waiting.trail import TrailTip
from tests.conftest import Repository
from tests.fakes.postgres import Postgres
from tests.fakes.program import PROGRAM, program
from tests.fakes.trail import events
from tests.stories.requests.stored import KEY, Clock, asked, execute, faults, store
from tests.unit.waiting.asked import policy, vote

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits are others there")


@contextlib.contextmanager
def locked(place: FlowPlace) -> Iterator[None]:
    """Hold what a writer needs."""
    if place.is_shared:
        with psycopg.connect(place.url) as connection:
            connection.execute("SELECT * FROM helix_trail FOR UPDATE")
            yield
        return
    with contextlib.closing(sqlite3.connect(place.database)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield


def test_a_store_that_another_program_has_locked(
    place: FlowPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helix_hooks.flow.durable.PATIENCE", 1)
    with store(place) as db:
        request = db.add(asked())
        with locked(place):
            with pytest.raises(HelixError, match="it is locked by another program; close that"):
                db.answer(request.id, vote("max"), policy())
            assert db.request(request.id).status == PENDING, "readers are not stopped"
        db.answer(request.id, vote("max"), policy())
    assert faults(place) == ()


def refuse_events(place: FlowPlace) -> None:
    """Let the last write of a transaction fail."""
    if place.is_shared:
        execute(
            place,
            "CREATE FUNCTION no() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'no space left'; END $$ LANGUAGE plpgsql",
            "CREATE TRIGGER no BEFORE UPDATE ON helix_trail FOR EACH ROW EXECUTE FUNCTION no()",
        )
    else:
        execute(place, "CREATE TRIGGER no BEFORE UPDATE ON helix_trail BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END")  # fmt: skip


def test_nothing_is_half_done_where_the_disk_is_full(place: FlowPlace) -> None:
    with store(place) as db:
        request = db.add(asked(by=policy(deadline=60)))
        refuse_events(place)
        attempts: tuple[Callable[[], object], ...] = (
            lambda: db.answer(request.id, vote("max"), policy()),
            lambda: db.add(asked("another")),
            lambda: db.sweep(request.expires_at),
            lambda: db.record("decision", {}, "key"),
        )
        for failing in attempts:
            with pytest.raises(HelixError, match=r"disk.* full; free some space"):
                failing()
        assert (db.requests(), db.newest()) == ((request,), 1)
    assert faults(place) == ()


@pytest.mark.further
def test_a_table_that_was_removed(place: FlowPlace) -> None:
    with store(place) as db:
        request = db.add(asked())
        execute(place, "DROP VIEW helix_decided", "DROP TABLE helix_requests")
        with pytest.raises(HelixError, match="deleted while in use"):
            db.answer(request.id, vote("max"), policy())


def test_a_file_that_was_removed_is_not_made_again(tmp_path: Path) -> None:
    place = FlowPlace(str(tmp_path), str(tmp_path / "helix-hooks"))
    with store(place) as db:
        request = db.add(asked())
        for path in Path(place.folder).glob("flows.sqlite*"):
            path.unlink()
        with pytest.raises(HelixError, match="it can't be opened"):
            db.answer(request.id, vote("max"), policy())
        with pytest.raises(HelixError, match="it can't be opened"):
            db.requests()
        assert not os.path.exists(place.database)


def test_who_waits_at_a_file_that_is_removed_is_told(tmp_path: Path) -> None:
    place = FlowPlace(str(tmp_path), str(tmp_path / "helix-hooks"))
    with store(place) as db:
        threading.Timer(0.2, os.unlink, [place.database]).start()
        with pytest.raises(HelixError, match=r"flows\.sqlite: No such file"):
            db.wait_for_event(0, 30)


@pytest.mark.further
def test_who_waits_at_tables_that_are_removed_is_told(place: FlowPlace) -> None:
    with store(place) as db:
        execute(place, "DROP TABLE helix_trail")
        with pytest.raises(HelixError, match="deleted while in use"):
            db.wait_for_event(0, 30)


def test_where_nothing_was_stored_nothing_is_valid(place: FlowPlace) -> None:
    with pytest.raises(HelixError, match="has no requests yet, so nothing was verified"):
        verify(place)
    assert place.is_shared or not os.path.exists(place.database)


def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    place = FlowPlace(str(tmp_path), str(tmp_path / "helix-hooks"))
    with store(place):
        engine = engine_of(place)
        with engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        engine.dispose()


@pytest.mark.further
def test_a_process_that_is_stopped_in_a_transaction_loses_its_lock(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helix_hooks.flow.durable._IDLE", 1)
    place = FlowPlace("/r", "/r/.git/helix-hooks", postgres.url())
    with store(place) as db:
        request = db.add(asked())
        engine = engine_of(place)
        with engine.connect() as stopped:
            stopped.exec_driver_sql("SELECT * FROM helix_trail FOR UPDATE")
            assert db.answer(request.id, vote("max"), policy()).status == "approved"
            with pytest.raises(sa.exc.DBAPIError, match="idle-in-transaction timeout"):
                stopped.exec_driver_sql("UPDATE helix_trail SET number = 0")
        engine.dispose()
    assert faults(place) == ()


@pytest.mark.further
def test_another_isolation_of_the_server_changes_nothing(postgres: Postgres) -> None:
    place = FlowPlace("/r", "/r/.git/helix-hooks", postgres.url())
    name = place.url.rpartition("/")[2]
    execute(place, f"ALTER DATABASE {name} SET default_transaction_isolation = 'serializable'")
    with store(place) as db, store(place) as other:
        requests = [db.add(asked(f"{number}")) for number in range(20)]
        threads = [
            threading.Thread(target=answer_all, args=(own, requests, who))
            for own, who in ((db, "max"), (other, "eve"))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [item.status for item in db.requests()] == ["approved"] * 20
    assert faults(place) == ()


def answer_all(db: QueueStore, requests: list[ApprovalRequest], who: str) -> None:
    for request in requests:
        with contextlib.suppress(AlreadyDecidedError):
            db.answer(request.id, vote(who), policy())


def test_a_damaged_file(tmp_path: Path) -> None:
    place = FlowPlace(str(tmp_path), str(tmp_path / "helix-hooks"))
    os.makedirs(place.folder)
    Path(place.database).write_bytes(b"no database at all" * 100)
    with pytest.raises(HelixError, match="it is damaged; move it away"), store(place):
        pass


def said_without_rights(do: Callable[[], object]) -> str:
    """Return what a call says that a user makes who is not root."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            do()
        except HelixError as error:
            os.write(write, str(error).encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as file:
        said = file.read()
    os.waitpid(child, 0)
    return said


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork on Windows")
def test_a_file_that_is_read_only() -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = FlowPlace(folder, os.path.join(folder, "helix-hooks"))
        with store(place) as db:
            request = db.add(asked())
            for path in (Path(folder), Path(place.folder)):
                path.chmod(0o755)
            for path in Path(place.folder).glob("flows.sqlite*"):
                path.chmod(0o444)
            said = said_without_rights(lambda: db.answer(request.id, vote("max"), policy()))
            assert "flows.sqlite: it is read-only; make it and its folder writable" in said
            assert db.requests() == (request,)


@pytest.mark.further
def test_a_server_that_is_read_only(postgres: Postgres) -> None:
    place = FlowPlace("/r", "/r/.git/helix-hooks", postgres.url())
    with store(place) as db:
        request = db.add(asked())
    name = place.url.rpartition("/")[2]
    execute(place, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    with store(place) as db:
        assert db.requests() == (request,)
        with pytest.raises(HelixError, match="the server is read-only"):
            db.answer(request.id, vote("max"), policy())


def test_a_server_that_is_gone(postgres: Postgres) -> None:
    place = FlowPlace("/r", "/r/.git/helix-hooks", postgres.url())
    with store(place) as db:
        request = db.add(asked())
        postgres.stop()
        try:
            with pytest.raises(HelixError, match="the server can't be reached; nothing is lost"):
                db.answer(request.id, vote("max"), policy())
        finally:
            postgres.start()
        db.answer(request.id, vote("max"), policy())
    assert faults(place) == ()


def test_an_answer_outlasts_a_restart_of_the_server(postgres: Postgres) -> None:
    place = FlowPlace("/r", "/r/.git/helix-hooks", postgres.url())
    with store(place) as db:
        requests = [db.add(asked(f"{number}")) for number in range(40)]

        def restarted() -> None:
            postgres.stop()
            postgres.start()

        restart = threading.Timer(0.05, restarted)
        restart.start()
        told = dict[str, str]()
        for request in requests:
            with contextlib.suppress(HelixError):
                told[request.id] = db.answer(request.id, vote("max"), policy()).status
        restart.join()
        assert all(db.request(id).status == status for id, status in told.items())
        for request in requests:
            db.answer(request.id, vote("max"), policy())
    assert faults(place) == ()


@linux
@pytest.mark.further
def test_a_disk_that_is_full(repository: Repository) -> None:
    repository.commit()
    ask = ["ask", "Deploy", "--action", "production_deployment", "--key"]
    assert program(*ask, "0", env=os.environ).returncode == 4
    repository.write("context.md", "x" * 150_000)
    command = f"ulimit -f 400; exec {PROGRAM} {' '.join(ask)} 1 --context context.md"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1), done.stderr
    assert "flows.sqlite: it" in done.stderr and "full" in done.stderr
    place = FlowPlace(str(repository.root), str(repository.root / ".git" / "helix-hooks"))
    assert faults(place) == ()
    with store(place) as db:
        assert len(db.requests()) == 1


# What others change is found.

TAMPERED = {
    "a decision": ("UPDATE helix_requests SET status = 'rejected' WHERE number = 1", "request {0} was changed: its column status was changed"),
    "the text of a request": ("UPDATE helix_requests SET document = replace(document, 'max', 'eve')", "request {0} was changed: it differs from its last event"),
    "a deadline": ("UPDATE helix_requests SET due_at = 1 WHERE number = 2", "its column due_at was changed"),
    "a removed request": ("DELETE FROM helix_requests WHERE number = 2", "request {1} was removed"),
    "a changed event": ("UPDATE helix_events SET body = replace(body, 'max', 'eve')", "event 3 was changed: wrong hash"),
    "a removed event": ("DELETE FROM helix_events WHERE number = 2", "event 2 is missing"),
    "a cut end": ("DELETE FROM helix_events WHERE number = 3", "event 3 is missing at the end"),
    "another end": ("UPDATE helix_trail SET number = 9", "events 4 to 9 are missing at the end"),
    "an event of another": ("UPDATE helix_events SET request = 'x' WHERE number = 3", "event 3 belongs to another request"),
}  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", TAMPERED)
def test_a_change_by_others_is_found(place: FlowPlace, name: str) -> None:
    statement, words = TAMPERED[name]
    with store(place) as db:
        ids = [db.add(asked(title)).id for title in ("one", "two")]
        db.answer(ids[0], vote("max"), policy())
    execute(place, statement)
    found = verify(place).faults
    assert any(words.format(*ids) in fault for fault in found), found


def test_an_end_that_was_cut_with_all_its_traces_needs_a_note(place: FlowPlace) -> None:
    with store(place) as db:
        db.add(asked("one"))
        db.add(asked("two"))
        noted = verify(place).tip
        first = TrailTip(1, events(db)[0].hash)
    execute(
        place,
        "DELETE FROM helix_events WHERE number = 2",
        "DELETE FROM helix_requests WHERE number = 2",
        f"UPDATE helix_trail SET number = 1, hash = '{first.hash}'",
    )
    assert verify(place, first).faults == verify(place).faults == ()
    (fault,) = verify(place, noted).faults
    assert fault == f"event 2 with the hash {noted.hash} is not in the audit trail"


def test_events_are_signed_with_the_key(place: FlowPlace, monkeypatch: pytest.MonkeyPatch) -> None:
    with store(place, key=KEY) as db:
        request = db.add(asked())
        db.answer(request.id, vote("max"), policy())
    report = verify(place)
    assert (report.signed, report.has_key, report.faults) == (2, False, ())
    monkeypatch.setenv("HELIX_RECORD_KEY", KEY.decode())
    assert verify(place).faults == ()
    with store(place) as db:
        db.add(asked())
        assert verify(place).faults == (), "an agent that asks has no key"
        db.answer(db.requests()[-1].id, vote("eve"), policy())
    assert verify(place).faults == ("event 4 is not signed",)


LAUNDERED = {
    "text": "UPDATE helix_requests SET document = replace(document, 'Start sprint 4', 'Deploy')",
    "status": "UPDATE helix_requests SET status = 'approved'",
    "deadline": "UPDATE helix_requests SET due_at = 1800000001",
    "no JSON": "UPDATE helix_requests SET document = '{}'",
    "event": "UPDATE helix_events SET body = replace(body, 'Start sprint 4', 'Deploy')",
    "no event": "DELETE FROM helix_events",
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", LAUNDERED)
def test_what_others_have_changed_is_not_decided(place: FlowPlace, name: str) -> None:
    clock = Clock()
    with store(place, clock) as db:
        request = db.add(asked(by=policy(deadline=600)), key="once")
        execute(place, LAUNDERED[name])
        clock.now += 700
        attempts: tuple[Callable[[], object], ...] = (
            lambda: db.answer(request.id, vote("max"), policy()),
            lambda: db.request(request.id),
            lambda: db.add(asked(by=policy(deadline=600)), key="once"),
        )
        for refused in attempts:
            with pytest.raises(HelixError, match=f"request {request.id} was changed in the data"):
                refused()
        assert db.sweep(clock.now) == (), "a deadline does not make it look right either"
    assert faults(place)


def test_a_key_that_others_gave_to_an_approved_request(place: FlowPlace) -> None:
    """Attack on the queue: a key that was given to another question.
    Answer: refused.
    Shown by: `test_a_key_that_others_gave_to_an_approved_request`, `test_a_retried_script_asks_once`.
    """
    with store(place) as db:
        request = db.add(asked(), key="one")
        db.answer(request.id, vote("max"), policy())
        other = asked("Start sprint 5")
        execute(place, f"UPDATE helix_requests SET content = '{content_of(other)}'")
        with pytest.raises(UsageError, match="which asks something else"):
            db.add(other, key="one")
