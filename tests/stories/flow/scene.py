"""Repositories with a flow of scripted agents, and what is left of their runs."""

import contextlib
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from helix_hooks.flow import client
from helix_hooks.flow.place import FlowPlace, place_of
from helix_hooks.phases.advance import outcome
from helix_hooks.phases.run_state import RunState
from tests.conftest import Repository
from tests.fakes.program import Begun, Done, program

WRITER = """#!/bin/sh
echo "begin $HELIX_PHASE $HELIX_ATTEMPT $(date +%s.%N)" >> "$AGENT_LOG"
cat > /dev/null
sleep "${AGENT_SECONDS:-0.02}"
echo "here is $HELIX_PHASE"
mkdir -p out
if [ "$HELIX_ATTEMPT" -ge "${1:-1}" ]; then echo "by $HELIX_PHASE" > "out/$HELIX_PHASE.txt"; fi
echo "end $HELIX_PHASE $HELIX_ATTEMPT $(date +%s.%N)" >> "$AGENT_LOG"
"""
"""An agent that writes the file of its phase, from the try of its argument on."""

DIAMOND = """name: diamond
phases:
  - {id: a, type: writer, run: [sh, writer.sh], output: [out/a.txt]}
  - {id: b, type: writer, depends_on: a, run: [sh, writer.sh], input: [out/a.txt], output: [out/b.txt]}
  - {id: c, type: writer, depends_on: a, run: [sh, writer.sh, "2"], output: [out/c.txt], max_retries: 1}
  - {id: d, type: writer, depends_on: [b, c], run: [sh, writer.sh], output: [out/d.txt]}
"""
"""Two phases at once, of which one needs two tries."""

ONE = """name: one
phases:
  - {id: a, type: writer, run: [sh, writer.sh], output: [out/a.txt]}
"""


class Scene:
    """A repository with a flow, the environment of its runs, and their log."""

    def __init__(self, repository: Repository, flow: str, log: Path, database: str = "") -> None:
        self.root, self.log = repository.root, log
        self.repository = repository
        repository.stage("writer.sh", WRITER)
        repository.stage("phases.yaml", flow)
        repository.commit()
        self.env = {**os.environ, "AGENT_LOG": str(log)}
        if database:
            self.env["HELIX_FLOW_DATABASE"] = database

    @property
    def place(self) -> FlowPlace:
        return place_of(str(self.root), self.env)

    def call(self, *arguments: str, **more: str) -> Done:
        return program(*arguments, env={**self.env, **more}, cwd=self.root)

    def begin(self, *arguments: str, **more: str) -> Begun:
        return Begun(*arguments, env={**self.env, **more}, cwd=self.root)

    def run(self, *arguments: str, **more: str) -> Done:
        return self.call("run", "phases.yaml", *arguments, **more)

    def state(self, run: str = "") -> RunState:
        return client.look(self.place, run or self.newest())[1]

    def outcome(self, run: str = "") -> str:
        return outcome(self.state(run))

    def newest(self) -> str:
        return client.runs(self.place)[0].run

    def folder(self, run: str = "") -> Path:
        """Return the folder of a run."""
        return Path(self.place.run_folder(run or self.newest()))

    def tree(self, run: str = "") -> Path:
        """Return the work tree of a run."""
        return self.folder(run) / "tree"

    def files(self, run: str = "") -> Path:
        """Return the folder of a run's files in its work tree."""
        return self.tree(run) / ".helix" / "flows" / (run or self.newest())

    def events(self, run: str = "") -> list[dict[str, object]]:
        lines = (self.folder(run) / "events.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def said(self) -> list[list[str]]:
        """Return the words of each line that an agent has logged."""
        return [line.split() for line in self.log.read_text().splitlines()] if self.log.exists() else []  # fmt: skip

    def begun(self, phase: str) -> list[float]:
        """Return when agents began to work at a phase."""
        return [float(words[3]) for words in self.said() if words[:2] == ["begin", phase]]

    def processes(self) -> list[str]:
        """Return the processes that work in the repository, apart from this one."""
        found = []
        roots = (str(self.root), self.place.run_folder(""))
        for place in Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                folder = os.readlink(place / "cwd")
                if folder.startswith(roots) and place.name != str(os.getpid()):
                    found.append(f"{place.name} {(place / 'cmdline').read_bytes()!r}")
        return found


def descendants(pid: int) -> list[int]:
    """Return the processes below one.

    The program hides its environment, and with it its folder, from other processes of a plain user.
    """
    parents = {}
    for place in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            stat = (place / "stat").read_text(errors="replace")
            parents[int(place.name)] = int(stat.rpartition(")")[2].split()[1])
    below = {pid}
    while more := {child for child, parent in parents.items() if parent in below} - below:
        below |= more
    return sorted(below - {pid})


def shape(state: RunState) -> Mapping[str, tuple[object, ...]]:
    """Return what must be the same, whatever was killed on the way."""
    return {
        id: (progress.state, progress.stage, progress.attempt, progress.number, progress.hashes)
        for id, progress in state.phases.items()
    }


def until(done: Callable[[], object], seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < deadline, "it does not happen"
        time.sleep(0.05)
