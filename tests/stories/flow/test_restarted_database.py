"""A server of the database that stops and starts: runs and workers wait for it, and go on."""

import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.fakes.postgres import Postgres
from tests.stories.flow.scene import DIAMOND, Scene, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not sys.platform.startswith("linux"),
        reason="elsewhere the children of a process are not listed",
    ),
]
CASES = [
    pytest.param("run", 8, marks=pytest.mark.further),
    ("worker", 0),
    pytest.param("run", 0, marks=pytest.mark.further),
    pytest.param("worker", 8, marks=pytest.mark.further),
    pytest.param("run", 60, marks=pytest.mark.soak),
    pytest.param("worker", 60, marks=pytest.mark.soak),
]
"""The command, and the seconds for which the server is away."""


@pytest.mark.parametrize(("command", "gap"), CASES)
def test_a_restart_of_the_server(
    repository: Repository, tmp_path: Path, own_server: Postgres, command: str, gap: int
) -> None:
    scene = Scene(repository, DIAMOND, tmp_path / "log", own_server.url())
    scene.env["AGENT_SECONDS"] = "1"
    worker = scene.begin("worker") if command == "worker" else None
    process = scene.begin("run", "phases.yaml", *(["--detach"] if worker else []))
    until(lambda: scene.begun("b"))
    own_server.stop()
    time.sleep(gap)
    own_server.start()
    if worker:
        process.end()
        until(lambda: scene.outcome() == "approved", 60)
        worker.kill(15)
        errors = worker.end().stderr
    else:
        done = process.end(timeout=90)
        assert done.returncode == 0, done.stderr
        errors = done.stderr
    assert scene.outcome() == "approved" and "Traceback" not in errors
    assert len(scene.begun("a")) == 1, "an approved phase runs once"
    if gap:
        assert "can't be reached; next try in 1 s" in errors, errors


def test_a_server_that_was_never_there_is_an_error(repository: Repository, tmp_path: Path) -> None:
    scene = Scene(repository, DIAMOND, tmp_path / "log", "postgresql://helix:x@127.0.0.1:9/none")
    done = scene.call("worker")
    assert done.returncode == 3 and "the server can't be reached" in done.stderr, done.stderr
