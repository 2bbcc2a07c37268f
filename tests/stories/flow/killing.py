"""Kill processes of runs at random instants, and see that nothing came of it."""

import os
import random
import signal
from collections.abc import Mapping
from pathlib import Path

from helix_hooks.proc import orphans
from tests.conftest import Repository
from tests.fakes.program import Begun
from tests.stories.flow.scene import DIAMOND, Scene, shape, until


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


def undisturbed(tmp_path: Path, database: str = "") -> Mapping[str, tuple[object, ...]]:
    """Return the state of the same flow without kills."""
    root = tmp_path / "undisturbed"
    root.mkdir()
    scene = Scene(Repository(root), DIAMOND, tmp_path / "undisturbed.log", database)
    done = scene.run()
    assert done.returncode == 0, done.stderr
    return shape(scene.state())
