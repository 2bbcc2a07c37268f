"""Several processes at one database: runs at once, and decisions while something is at work."""

import shutil
import sys
import time
from pathlib import Path

import pytest

from helix_hooks.errors import UsageError
from helix_hooks.flow import client
from helix_hooks.phases.run_state import APPROVE, CANCEL, RETRY, Decider, PersonDecided
from helix_hooks.proc import orphans
from tests.conftest import Repository
from tests.stories.flow.scene import ONE, Scene, until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
ANN = Decider("Ann", verified=False)
ESCALATED = """name: escalated
phases:
  - {id: a, type: writer, run: [sh, writer.sh, "9"], output: [out/a.txt], on_rejection: {action: escalate}}
  - {id: b, type: writer, depends_on: [], run: [sh, writer.sh], output: [out/b.txt]}
"""


def test_two_runs_at_once(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    scene.env["AGENT_SECONDS"] = "0.7"
    both = [scene.begin("run", "phases.yaml") for _ in range(2)]
    ended = [process.end() for process in both]
    assert [done.returncode for done in ended] == [0, 0], [done.stderr for done in ended]
    assert [row.state for row in client.runs(scene.place)] == ["approved", "approved"]
    assert len(scene.begun("a")) == 2


def test_who_executes_dies_and_who_watches_goes_on(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    first = scene.begin("run", "phases.yaml", AGENT_SECONDS="60")
    until(lambda: scene.begun("a"))
    second = scene.begin("flow", "resume")
    until(lambda: orphans.descendants(second.pid))
    time.sleep(1)
    first.kill()
    first.end()
    done = second.end()
    assert done.returncode == 0, done.stderr
    assert len(scene.begun("a")) == 2 and scene.outcome() == "approved"


def test_a_decision_during_a_step(repository: Repository, tmp_path: Path) -> None:
    flow = ESCALATED.replace("depends_on: [], run: [sh, writer.sh]", "depends_on: [], run: [sh, -c, 'until [ -f go ]; do sleep 0.1; done; mkdir -p out; echo b > out/b.txt']")  # fmt: skip
    scene = Scene(repository, flow, tmp_path / "log")
    process = scene.begin("run", "phases.yaml")
    until(lambda: client.runs(scene.place) and scene.state().phases["a"].state == "paused")
    run = scene.newest()
    decided = PersonDecided(APPROVE, "a", 1, ANN, "good enough", override=True)
    client.send(scene.place, run, decided)
    until(lambda: scene.state().phases["a"].state == "approved")
    assert scene.state().phases["b"].state == "running"
    with pytest.raises(UsageError, match="is not waiting for a decision"):
        client.send(scene.place, run, decided)
    (scene.tree() / "go").touch()
    done = process.end()
    assert done.returncode == 0, done.stderr
    assert scene.state().phases["a"].overridden == "Ann (not verified): good enough"


@pytest.mark.further
def test_paused_and_decided_in_another_process(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ESCALATED, tmp_path / "log")
    assert scene.run().returncode == 4
    run = scene.newest()
    assert scene.call("flow", "resume", run).returncode == 4
    client.send(scene.place, run, PersonDecided(RETRY, "a", 1, ANN))
    assert scene.call("flow", "resume", run).returncode == 4
    assert len(scene.begun("a")) == 2
    client.send(scene.place, run, PersonDecided(APPROVE, "a", 2, ANN, "so be it", override=True))
    done = scene.call("flow", "resume", run)
    assert done.returncode == 0, done.stderr


def test_a_rejected_run_is_tried_again(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ESCALATED.replace("escalate", "fail"), tmp_path / "log")
    assert scene.run().returncode == 1
    run = scene.newest()
    writer = scene.tree() / "writer.sh"
    writer.write_text(writer.read_text().replace('-ge "${1:-1}"', "-ge 1"))
    client.send(scene.place, run, PersonDecided(RETRY, "a", 1, ANN))
    done = scene.call("flow", "resume", run)
    assert done.returncode == 0, done.stderr
    assert len(scene.begun("b")) == 1
    events = scene.events()
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_a_cancelled_run_stops_its_agents(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    scene.env["AGENT_SECONDS"] = "60"
    process = scene.begin("run", "phases.yaml")
    until(lambda: scene.begun("a"))
    client.send(scene.place, scene.newest(), PersonDecided(CANCEL, "", 0, ANN))
    done = process.end()
    assert done.returncode == 1, done.stderr
    until(lambda: not scene.processes())
    assert scene.outcome() == "cancelled"


@pytest.mark.further
def test_detached(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    done = scene.run("--detach")
    assert done.returncode == 0
    until(lambda: scene.outcome(done.stdout.strip()) == "approved")
    until(lambda: not scene.processes())


def test_a_decision_that_nobody_has_read_is_work_for_a_worker(
    repository: Repository, tmp_path: Path
) -> None:
    """`flow approve --detach` sends the decision, and begins such a worker."""
    scene = Scene(repository, ESCALATED, tmp_path / "log")
    assert scene.run().returncode == 4
    run = scene.newest()
    client.send(scene.place, run, PersonDecided(APPROVE, "a", 1, ANN, "so be it", override=True))
    done = scene.call("worker", "--until-idle", "--quiet")
    assert done.returncode == 0, done.stderr
    assert scene.outcome(run) == "approved"
    assert scene.call("worker", "--until-idle", "--quiet").returncode == 0


@pytest.mark.further
def test_a_run_whose_files_are_gone_keeps_no_worker(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ESCALATED, tmp_path / "log")
    assert scene.run().returncode == 4
    folder = scene.folder()
    shutil.rmtree(folder)
    folder.touch()
    client.send(scene.place, scene.newest(), PersonDecided(RETRY, "a", 1, ANN))
    done = scene.call("worker", "--until-idle", "--quiet")
    assert done.returncode == 3, done.stderr
    assert scene.newest() in done.stderr


@pytest.mark.further
def test_what_was_approved_is_compared(repository: Repository, tmp_path: Path) -> None:
    """The second phase changes the file of the first, whose gate is asked again."""
    flow = ONE + "  - {id: b, type: writer, depends_on: a, run: [sh, -c, 'echo more >> out/a.txt; echo b > out/b.txt'], output: [out/b.txt]}\n"  # fmt: skip
    scene = Scene(repository, flow, tmp_path / "log")
    done = scene.run()
    assert done.returncode == 4, done.stderr
    assert "changed after its approval (4 times)" in done.stderr


def test_a_link_is_no_content(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    repository.stage("writer.sh", "mkdir out; echo x > out/b.txt; ln -s b.txt out/a.txt\n")
    done = scene.run()
    assert done.returncode == 1, done.stderr
    assert "out/a.txt is not a regular file" in done.stdout


def test_settings_that_an_agent_changes(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, ONE, tmp_path / "log")
    repository.stage("writer.sh", "mkdir -p out config; echo x > out/a.txt; echo > config/x.yaml\n")
    done = scene.run()
    assert done.returncode == 4, done.stderr
    assert "config/x.yaml has changed since the start of the run" in done.stdout
