"""Repositories with an approved ADR, and scripted agents."""

from pathlib import Path

import pytest

from tests.conftest import Repository
from tests.stories.verify.work import Agent, deliver, start

SCRIPT = """
import json, os, pathlib, subprocess, sys, time
here = pathlib.Path(__file__).parent
number = len(list(here.glob("stdin-*")))
(here / f"stdin-{number}").write_bytes(sys.stdin.buffer.read())
(here / f"environment-{number}").write_text(json.dumps(dict(os.environ)))
steps = json.loads((here / "steps.json").read_text())
step = steps[min(number, len(steps) - 1)]
for path, text in step.get("write", {}).items():
    place = pathlib.Path(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text.replace("NUMBER", str(number)))
for path in step.get("delete", []):
    pathlib.Path(path).unlink()
print(step.get("say", f"run {number} was here"), flush=True)
print(step.get("err", ""), file=sys.stderr, flush=True)
for command in step.get("call", []):
    done = subprocess.run(command, check=False)
    (here / f"code-{number}").write_text(str(done.returncode))
if "detach" in step:
    subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({step['detach']})"],
                     start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
if "flood" in step:
    sys.stdout.write("x" * step["flood"])
time.sleep(step.get("sleep", 0))
sys.exit(step.get("code", 0))
"""


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    return Agent(tmp_path, SCRIPT)


@pytest.fixture
def started(repository: Repository) -> Repository:
    """A branch on which work at an accepted ADR begins."""
    start(repository)
    return repository


@pytest.fixture
def delivered(started: Repository) -> Repository:
    """A branch on which all that the ADR promises is there, and not yet committed."""
    deliver(started)
    return started
