"""A run that no process executes: `flow status` says so, and does not call it running."""

import json
import sys
import time
from pathlib import Path

import pytest

from helix_hooks.flow import client
from helix_hooks.phases.run_state import APPROVE, REJECT, RETRY, Decider, PersonDecided
from tests.conftest import Repository
from tests.fakes.postgres import Postgres
from tests.stories.flow.scene import ONE, Scene, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not sys.platform.startswith("linux"),
        reason="elsewhere the children of a process are not listed",
    ),
]


@pytest.mark.parametrize(
    "is_shared",
    [False, pytest.param(True, marks=pytest.mark.further)],
    ids=["sqlite", "postgres"],
)
def test_a_run_whose_process_was_killed(
    repository: Repository, tmp_path: Path, postgres: Postgres, is_shared: bool
) -> None:
    scene = Scene(repository, ONE, tmp_path / "log", postgres.url() if is_shared else "")
    scene.env["AGENT_SECONDS"] = "60"
    process = scene.begin("run", "phases.yaml")
    until(lambda: scene.begun("a"))
    alive = scene.call("flow", "status")
    assert alive.returncode == 0 and "running: running: a" in alive.stdout, alive.stdout
    assert "executed by " in alive.stdout
    process.kill()
    process.end()
    until(lambda: not scene.processes())
    time.sleep(6)  # a process that was just started may not have taken the run yet
    done = scene.call("flow", "status")
    assert done.returncode == 4, done.stdout
    assert "running: nobody has run this for " in done.stdout, done.stdout
    assert "start `helix-hooks worker`, or `helix-hooks flow resume " in done.stdout
    state = json.loads(scene.call("flow", "status", "--format", "json").stdout)
    assert (state["executor"], state["state"]) == (None, "running")
    assert state["idle_seconds"] > 5
    listed = scene.call("flow", "list").stdout
    assert "nobody has run it for " in listed and "running" not in listed, listed
    scene.env["AGENT_SECONDS"] = "0"
    assert scene.call("flow", "resume").returncode == 0
    state = json.loads(scene.call("flow", "status", "--format", "json").stdout)
    assert (state["executor"], state["idle_seconds"], state["state"]) == (None, None, "approved")


def test_an_answer_that_nobody_has_carried_out(repository: Repository, tmp_path: Path) -> None:
    """The person has no turn any more, so the same question would be asked in vain."""
    flow = f"{ONE}  - {{id: lead, type: approval, approver: manual, input: [out/a.txt]}}\n"
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 4
    approval = PersonDecided(APPROVE, "lead", 1, Decider("Ann", verified=False))
    client.send(scene.place, scene.newest(), approval)
    time.sleep(6)
    done = scene.call("flow", "status")
    assert done.returncode == 4, done.stdout
    assert "paused: an answer was given, but nobody has run this for " in done.stdout, done.stdout
    assert "waits for a person" not in done.stdout and "flow approve" not in done.stdout
    assert json.loads(scene.call("flow", "status", "--format", "json").stdout)["questions"] == []
    assert "nobody has run it for " in scene.call("flow", "list").stdout
    assert scene.call("flow", "resume").returncode == 0


def test_a_rejected_run_asks_nobody(repository: Repository, tmp_path: Path) -> None:
    """It has ended, so first the rejected phase is retried; then the question is asked again."""
    flow = f"""{ONE}  - {{id: lead, type: approval, approver: manual, depends_on: a, input: [out/a.txt]}}
  - {{id: b, type: writer, depends_on: [], run: [sh, writer.sh, "2"], output: [out/b.txt], on_rejection: {{action: fail}}}}
"""
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 1
    done = scene.call("flow", "status")
    assert "rejected: b did not pass" in done.stdout, done.stdout
    assert "waits for a person" not in done.stdout and "flow retry" in done.stdout
    retry = PersonDecided(RETRY, "b", 1, Decider("Ann", verified=False))
    client.send(scene.place, scene.newest(), retry)
    repository.stage("writer.sh", "true\n")
    (scene.tree() / "writer.sh").write_text("mkdir -p out; echo b > out/b.txt\n")
    assert scene.call("flow", "resume", scene.newest()).returncode == 4
    assert "a person must decide about lead" in scene.call("flow", "status").stdout


def test_a_person_who_rejected_is_named(repository: Repository, tmp_path: Path) -> None:
    flow = f"""{ONE}  - id: lead
    type: approval
    approver: manual
    input: [out/a.txt]
    on_rejection: {{action: fail}}
"""
    scene = Scene(repository, flow, tmp_path / "log")
    assert scene.run().returncode == 4
    ann = Decider("Ann", verified=False)
    rejection = PersonDecided(REJECT, "lead", 1, ann, reason="too slow")
    client.send(scene.place, scene.newest(), rejection)
    assert scene.call("flow", "resume").returncode == 1
    text = scene.call("flow", "status").stdout
    assert "lead was rejected:\n  rejected by Ann (not verified): too slow\n" in text, text
    assert "a person decides" not in text
