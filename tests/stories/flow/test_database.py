"""A database that can't be used is one line, starts nothing and loses nothing."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from helix_hooks.flow import client, segments
from helix_hooks.flow.database import FLOW_VERSION, opened, ready
from helix_hooks.flow.place import FlowPlace
from helix_hooks.phases.run_state import RETRY, Decider, PersonDecided
from tests.conftest import Repository
from tests.fakes.program import PROGRAM
from tests.stories.flow.scene import DIAMOND, ONE, Scene, until

linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="elsewhere limits of a size are others"
)


def kept(scene: Scene) -> Path:
    return scene.root / ".git" / "helix-hooks" / "flows.sqlite"


def refused(scene: Scene, words: str) -> None:
    done = scene.run()
    assert done.returncode == 3 and words in done.stderr, done.stderr
    assert len(done.stderr.splitlines()) == 1 and scene.said() == []


def test_a_damaged_database(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    kept(scene).parent.mkdir()
    kept(scene).write_bytes(b"no database at all" * 100)
    refused(scene, "flows.sqlite: it is damaged; move it away")


@pytest.mark.further
def test_a_database_that_another_program_has_locked(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    kept(scene).parent.mkdir()
    with closing(sqlite3.connect(kept(scene))) as connection:
        connection.execute("CREATE TABLE x (y)")
        connection.execute("BEGIN EXCLUSIVE")
        refused(scene, "it is locked by another program; close that, then try again")


@pytest.mark.further
def test_a_folder_that_is_none(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    kept(scene).parent.write_text("")
    refused(scene, "the flow database")


def test_values_that_would_run_code_are_refused(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    assert scene.run().returncode == 0
    mark = tmp_path / "mark"
    pickled = f"cposix\nsystem\n(S'touch {mark}'\ntR."
    import base64

    code = base64.b64encode(pickled.encode()).decode()
    with closing(sqlite3.connect(kept(scene))) as connection:
        connection.execute("UPDATE workflow_events SET value = ?, serialization = 'py_pickle'", (code,))  # fmt: skip
        connection.execute("UPDATE workflow_input SET inputs = ?", (code,))
        connection.execute("UPDATE workflow_status SET serialization = 'py_pickle'")
        connection.commit()
    done = scene.call("flow", "list")
    assert done.returncode == 3 and "helix-hooks did not write" in done.stderr, done.stderr
    assert not mark.exists()


@linux
@pytest.mark.further
def test_a_disk_that_is_full(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, DIAMOND, tmp_path / "log")
    assert scene.call("flow", "list").returncode == 0
    scene.env["AGENT_SECONDS"] = "0.2"
    limited = f"ulimit -f 640; exec {PROGRAM} run phases.yaml"
    done = subprocess.run(
        ["sh", "-c", limited], cwd=scene.root, env=scene.env, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "flows.sqlite: it" in done.stderr and "Traceback" not in done.stderr
    until(lambda: not scene.processes())
    if "helix-hooks: run " in done.stderr:
        done = scene.call("flow", "resume")
        assert done.returncode == 0, done.stderr


@linux
@pytest.mark.further
def test_a_database_that_is_removed(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    scene.env["AGENT_SECONDS"] = "20"
    process = scene.begin("run", "phases.yaml")
    until(lambda: scene.begun("a"))
    for path in kept(scene).parent.glob("flows.sqlite*"):
        path.unlink()
    done = process.end()
    assert done.returncode == 3 and "it was deleted while in use" in done.stderr, done.stderr
    until(lambda: not scene.processes())


def test_the_newest_of_two_runs_in_a_second(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    assert scene.run().returncode == 0
    first = scene.newest()
    assert scene.run().returncode == 0
    with closing(sqlite3.connect(kept(scene))) as connection:
        # With Python before 3.12, SQLite has the times of workflows in whole seconds.
        connection.execute("UPDATE workflow_status SET created_at = 1000")
        connection.commit()
    assert scene.newest() != first


def as_version(scene: Scene, number: int) -> None:
    with closing(sqlite3.connect(kept(scene))) as connection:
        for table, column in (("workflow_status", "application_version"), ("application_versions", "version_name")):  # fmt: skip
            connection.execute(f"UPDATE {table} SET {column} = replace({column}, '-flow-{FLOW_VERSION}', '-flow-{number}')")  # fmt: skip
        connection.commit()


@linux
@pytest.mark.further
def test_an_upgrade_between_kill_and_resume(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, DIAMOND, tmp_path / "log")
    scene.env["AGENT_SECONDS"] = "0.5"
    process = scene.begin("run", "phases.yaml")
    until(lambda: scene.begun("b") and scene.begun("c"))
    process.kill()
    process.end()
    until(lambda: not scene.processes())
    as_version(scene, 0)
    done = scene.call("flow", "resume")
    assert done.returncode == 0, done.stderr
    assert len(scene.begun("a")) == 1 and scene.outcome() == "approved"
    events = scene.events()
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    with opened(scene.place) as database:
        assert segments.every(database, scene.place, unfinished=True) == (), (
            "its first workflow was cancelled, but the last one has succeeded"
        )
    assert scene.run().returncode == 0, "and the next run is one of the new version"


@pytest.mark.further
def test_a_newer_version_is_left_alone(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    assert scene.run().returncode == 0
    as_version(scene, 9)
    done = scene.run()
    assert done.returncode == 3 and "was used by a newer helix-hooks (flow version 9" in done.stderr
    assert len(scene.begun("a")) == 1


def test_a_database_that_is_prepared_again_keeps_its_log(tmp_path: Path) -> None:
    """Otherwise a program that closes the file removes the log of those that have it open.

    Their next writes then damage the database.
    """
    place = FlowPlace(str(tmp_path), str(tmp_path / "helix-hooks"))
    ready(place)
    with closing(sqlite3.connect(place.database)) as connection:
        connection.execute("CREATE TABLE probe (number INTEGER)")
        ready(place)
        other = f"import sqlite3; c = sqlite3.connect({place.database!r}); c.execute('INSERT INTO probe VALUES (1)'); c.commit(); c.close()"
        subprocess.run([sys.executable, "-c", other], check=True)
        assert Path(f"{place.database}-wal").exists()


def test_a_decision_about_a_run_whose_last_process_ended_too_early(
    repository: Repository, tmp_path: Path
) -> None:
    """The process ended after it had published the end, and before the end was recorded."""
    flow = f"{ONE[:-2]}, quality_gate: {{type: command, command: ['false']}}}}\n"
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 1
    with closing(sqlite3.connect(kept(scene))) as connection:
        connection.execute(
            "UPDATE workflow_status SET status = 'PENDING', output = NULL WHERE name = 'helix_run'"
        )
        connection.commit()
    ann = Decider("ann", verified=False)
    client.send(scene.place, scene.newest(), PersonDecided(RETRY, "a", 1, ann))
    done = scene.call("flow", "resume", scene.newest())
    assert len(scene.begun("a")) == 2, done.stderr
    assert done.returncode == 1 and scene.outcome() == "rejected"
