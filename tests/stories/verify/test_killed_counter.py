"""Processes that are killed while they count attempts: counter and feedback stay whole."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helix_hooks.verify import store
from helix_hooks.verify.stop import count
from tests.conftest import Repository
from tests.stories.verify.scene import approve_adr, verified

SEEDS = [1, 2, *(pytest.param(number, marks=pytest.mark.soak) for number in range(3, 60))]

COUNTING = """
import itertools, sys
from pathlib import Path
from helix_hooks.verify import store
from helix_hooks.verify.stop import count
from tests.stories.verify.scene import verified
root = Path.cwd()
place = store.opened(str(root), "feedback.md")
for number in itertools.count():
    root.joinpath("work").write_text(f"{number} {sys.argv[1]}")
    count(verified(root), "s", place, 10**6, 1000)
    print(number, flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("seed", SEEDS)
def test_counter_and_feedback_are_whole(repository: Repository, seed: int) -> None:
    approve_adr(repository)
    place = store.opened(str(repository.root), "feedback.md")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    moments = random.Random(seed)
    counted = 0
    for turn in range(3):
        process = subprocess.Popen(
            [sys.executable, "-c", COUNTING, str(turn)], env=env, stdout=subprocess.PIPE, text=True
        )
        assert process.stdout and process.stdout.readline() == "0\n"
        time.sleep(moments.random() * 0.05)
        process.send_signal(signal.SIGKILL)
        done, _ = process.communicate(timeout=20)
        counted += 1 + len(done.splitlines())
        (item,) = store.read(place)
        assert counted <= item.attempts.number <= counted + 1
        counted = item.attempts.number
        for path in (place.feedback, repository.root / "feedback.md"):
            text = Path(path).read_text()
            assert text.startswith("# Verification feedback: ADR-014")
            assert text.endswith("    helix-hooks verify docs/adr/014-use-kafka.md\n")
    (found,) = count(verified(repository.root, "another"), "s", place, 10**6, 1000)
    assert found.state.attempt == counted + 1
    assert not [*Path(place.folder).glob("*.new"), *repository.root.glob(".*.new")]
    state = json.loads(Path(place.folder, "state.json").read_text())
    assert state["records"][0]["feedback"] == Path(place.feedback).read_text()
