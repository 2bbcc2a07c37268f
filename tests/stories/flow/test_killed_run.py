"""Runs that are killed at random instants: they end as without, and no passed phase runs twice."""

import os
import random
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from helix_hooks.judge import orphans
from tests.conftest import Repository
from tests.fakes.program import Begun
from tests.stories.flow.scene import DIAMOND, Scene, shape, until

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="elsewhere the children of a process are not listed",
)
KILLS = 5
SEEDS = [1, *(pytest.param(number, marks=pytest.mark.soak) for number in range(2, 11))]
"""Of five kills each."""
SECONDS = 2.5
"""Longer than an undisturbed run."""


def kill(process: Begun, chance: random.Random) -> None:
    """Kill one of the processes that are no agent: the one that was begun, or a child of it."""
    below = orphans.descendants(process.pid)
    victim = chance.choice([process.pid, *below[:2]])
    try:
        os.kill(victim, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()


def passed_twice(scene: Scene, run: str) -> list[str]:
    """Return the phases at which an agent began to work after the gate had passed."""
    found = []
    for event in scene.events(run):
        after = [at for at in scene.begun(str(event["phase"])) if at > float(str(event["time"]))]
        if event["state"] == "approved" and after:
            found.append(str(event["phase"]))
    return found


def check(scene: Scene, run: str, expected: Mapping[str, tuple[object, ...]]) -> None:
    assert scene.outcome(run) == "approved"
    assert shape(scene.state(run)) == expected
    assert passed_twice(scene, run) == []
    events = scene.events(run)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    until(lambda: not scene.processes())


@pytest.fixture
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Mapping[str, tuple[object, ...]]]:  # fmt: skip
    """Return the state of the same flow without kills."""

    def run(database: str = "") -> Mapping[str, tuple[object, ...]]:
        root = tmp_path_factory.mktemp("undisturbed")
        scene = Scene(Repository(root), DIAMOND, root.parent / f"{root.name}.log", database)
        done = scene.run()
        assert done.returncode == 0, done.stderr
        return shape(scene.state())

    return run


@pytest.mark.parametrize("seed", SEEDS)
def test_killed_and_resumed(
    repository: Repository,
    tmp_path: Path,
    undisturbed: Callable[[str], Mapping[str, tuple[object, ...]]],
    seed: int,
) -> None:
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
    check(scene, run, undisturbed(""))
