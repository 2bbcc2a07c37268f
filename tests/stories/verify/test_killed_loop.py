"""`verify --run` that is stopped or killed: nothing of its command goes on, and nothing is half written.

Attack on a verification: a program that outlives its verification.
Answer: ended with all that it started.
Shown by: `tests/stories/verify/test_killed_loop.py`.
"""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helix_hooks.verify import store
from tests.conftest import Repository
from tests.fakes.program import PROGRAM, program
from tests.stories.verify.work import DONE, Agent

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="elsewhere the children of a process are not listed",
)
MOMENTS = [0.0, *(pytest.param(number / 20, marks=pytest.mark.soak) for number in range(1, 11))]
"""Seconds after the command has begun."""

LOOKING = """
import os
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        text = open(f"/proc/{pid}/cmdline").read()
    except OSError:
        continue
    if "time.sleep(61)" in text and "LOOK" not in text:
        print("left", pid)
# LOOK
"""


def until(done: Callable[[], object], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and not done():
        time.sleep(0.02)


def left() -> list[str]:
    """Return the processes in the folder of this test's repository, apart from this one."""
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if os.readlink(place / "cwd") == str(Path.cwd()) and place.name != str(os.getpid()):
                found.append(f"{place.name} {(place / 'cmdline').read_bytes()!r}")
    return found


def working(agent: Agent) -> "subprocess.Popen[bytes]":
    """Start a loop whose command has left a process in a session of its own, and sleeps."""
    command = agent({"detach": 60, "sleep": 60, "say": "begun"})
    process = subprocess.Popen(
        [PROGRAM, "verify", "ADR-014", "--run", command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: any(b"time.sleep(60)" in line.encode() for line in left()), 60)
    assert any("time.sleep(60)" in line for line in left())
    return process


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("whom", ["run", "worker"])
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_of_the_command_outlives_the_loop(
    started: Repository, agent: Agent, how: int, whom: str, moment: float
) -> None:
    process = working(agent)
    time.sleep(moment)
    (worker, *_) = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(process.pid if whom == "run" else int(worker), how)
    code = process.wait(30)
    is_lost = how == signal.SIGKILL and whom == "run"
    assert code == (-signal.SIGKILL if is_lost else 3)
    until(lambda: not left(), 30)
    assert left() == []
    assert store.read(store.opened(str(Path.cwd()))) == (), "a stopped run is no attempt"
    again = agent({"write": DONE, "delete": ["src/rabbit.py"]}, name="again")
    done = program("verify", "ADR-014", "--run", again, env=os.environ)
    assert done.returncode == 0, "the next loop finds no lock and nothing half written"


def test_what_a_run_leaves_behind_is_gone_before_the_verification(
    started: Repository, agent: Agent
) -> None:
    looking = [sys.executable, "-c", LOOKING]
    command = agent(
        {"detach": 61, "write": {"notes.txt": "x"}},
        {"call": [looking], "write": DONE, "delete": ["src/rabbit.py"]},
    )
    done = program("verify", "ADR-014", "--run", command, env=os.environ)
    assert done.returncode == 0 and "| left" not in done.stderr
    assert left() == []
