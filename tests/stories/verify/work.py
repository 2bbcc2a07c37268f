"""A repository with an accepted ADR on main, and a branch on which it is implemented."""

import json
import shlex
import sys
from pathlib import Path
from typing import Any

from tests.conftest import Repository, Run


class Agent:
    """Scripted agents, each in a folder with its script, and what its runs got."""

    def __init__(self, place: Path, script: str) -> None:
        self._place, self._script = place, script

    def __call__(self, *steps: dict[str, Any], name: str = "agent") -> str:
        """Make an agent, and return its command for `--run`.

        It takes a step a run, the last one again and again.
        """
        folder = self._place / name
        folder.mkdir()
        (folder / "agent.py").write_text(self._script)
        (folder / "steps.json").write_text(json.dumps(steps))
        return shlex.join([sys.executable, str(folder / "agent.py")])

    def runs(self, name: str = "agent") -> int:
        return len(list((self._place / name).glob("stdin-*")))

    def task(self, number: int, name: str = "agent") -> str:
        """Return what a run got on standard input."""
        return (self._place / name / f"stdin-{number}").read_text()


PATH = "docs/adr/014-use-kafka.md"
ADR = """---
adr_id: "014"
title: Use Kafka
status: Accepted
files:
  create:
    - src/orders.py
    - src/kafka/__init__.py
  modify:
    - src/main.py
  delete:
    - src/rabbit.py
  docs:
    - docs/kafka.md
---
# ADR-014: Use Kafka

## Context

Orders are lost when the queue restarts.

## Decision

Orders go through Kafka.
"""
"""All of it can be shown."""

WITH_CRITERIA = f"""{ADR}
## Acceptance Criteria

- [ ] `src/orders.py` sends orders
- [ ] `tests/test_orders.py::test_sends` passes
- [ ] test_replays passes
- [ ] an order arrives within five milliseconds
"""
START = {"src/main.py": "queue = 'rabbit'\n", "src/rabbit.py": "x = 1\n", "README.md": "# Shop\n"}
DONE = {
    "src/orders.py": "def send(): return 1\n",
    "src/kafka/__init__.py": "",
    "src/main.py": "queue = 'kafka'\n",
    "docs/kafka.md": "# Kafka\n",
    "tests/test_orders.py": "def test_sends(): ...\n\n\ndef test_replays(): ...\n",
}


def start(repository: Repository, adr: str = ADR, files: dict[str, str] = START) -> None:
    """Commit files, then the accepted ADR on main, and begin a branch."""
    for path, text in files.items():
        repository.stage(path, text)
    repository.commit("Start")
    repository.stage(PATH, adr)
    repository.commit("Accept ADR-014")
    repository.git("checkout", "--quiet", "-b", "work")


def deliver(repository: Repository, *without: str) -> None:
    """Write all that the ADR promises, but for some paths."""
    for path, text in DONE.items():
        if path not in without:
            repository.write(path, text)
    if "src/rabbit.py" not in without:
        (repository.root / "src" / "rabbit.py").unlink()


def commit_all(repository: Repository, message: str) -> None:
    repository.git("add", "--all")
    repository.commit(message)


def states(run: Run, *arguments: str) -> dict[str, str]:
    """Return the state of each expectation of the one ADR that is verified, by kind and subject."""
    (result,) = json.loads(run("verify", "--format", "json", *arguments).out)["results"]
    return {f"{item['kind']} {item['subject']}": item["state"] for item in result["expectations"]}


def missing(run: Run, *arguments: str) -> list[str]:
    found = states(run, "ADR-014", *arguments)
    return [name for name, state in found.items() if state == "missing"]
