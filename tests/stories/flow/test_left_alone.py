"""A run that no process executes: `flow status` says so, and does not call it running."""

import json
import sys
import time
from pathlib import Path

import pytest

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
