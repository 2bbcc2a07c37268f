"""Runs that are killed at random instants: they end as without, and no passed phase runs twice."""

import random
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.stories.flow.killing import check, kill, undisturbed
from tests.stories.flow.scene import DIAMOND, Scene, until

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="elsewhere the children of a process are not listed",
)
KILLS = 5
SEEDS = [1, *(pytest.param(number, marks=pytest.mark.soak) for number in range(2, 12))]
"""Of five kills each."""
SECONDS = 2.5
"""Longer than an undisturbed run."""


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_and_resumed(repository: Repository, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    scene = Scene(repository, DIAMOND, tmp_path / "log")
    scene.env["AGENT_SECONDS"] = "0.3"
    process = scene.begin("run", "phases.yaml")
    until(lambda: "helix-hooks: run " in process.errors())
    run = process.errors().split()[2]
    for _ in range(KILLS):
        time.sleep(chance.random() * SECONDS)
        kill(process, chance)
        process.end()
        until(lambda: not scene.processes())
        process = scene.begin("flow", "resume", run)
    done = process.end()
    assert done.returncode == 0, done.stderr
    check(scene, run, undisturbed(tmp_path))
