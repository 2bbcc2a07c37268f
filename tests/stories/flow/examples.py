"""Flows with scripted authors and a scripted judge, run by the program in processes of its own."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from helix_hooks.flow import client
from helix_hooks.flow.place import place_of
from tests.conftest import ROOT, Repository
from tests.fakes.program import Done, program
from tests.fakes.terminal import at_a_terminal

CASES = ROOT / "tests" / "cases" / "flow-examples"
FAKES = ROOT / "tests" / "fakes"
ADR = """---
adr_id: "001"
title: Cache the search
status: Proposed
component_type: TOOL
classification: REFACTOR
change_scope: minor
---

# ADR-001: Cache the search

## Context

The search reads all decisions from disk for each request, which takes two seconds for a thousand of them.

## Decision

The index is kept in memory, and it is read again when a file in the folder has changed.

## Implementation

The module `search.py` keeps the index in a dictionary, by the path of each file and the time of its last change.

## Documentation

The page about the search says how much memory the index needs, and when it is read again.

## Acceptance Criteria

- [ ] A second search of the same folder reads no file
- [ ] A changed file is found by the next search
- [ ] The index of a thousand files needs less than 10 MB

## Consequences

A search takes 20 ms. The process needs memory for the index, and it is lost when the process ends.
"""
CODE = "def index() -> dict[str, str]:\n    return {}\n"


class FlowScene:
    """A repository whose main branch names a scripted judge, and scripted authors by the type of a phase.

    `parts` say what the author of a phase writes, and which defects its first tries have.
    """

    def __init__(self, repository: Repository, folder: Path) -> None:
        self.repository, self.script = repository, folder / "script.json"
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("GITHUB_", "HELIX_", "GH_"))
        }
        author = [sys.executable, "-I", str(FAKES / "flow_agent.py"), str(self.script)]
        judge = [sys.executable, "-I", str(FAKES / "flow_judge.py")]
        settings: dict[str, Any] = {
            "agents": {"scripted": {"command": judge}},
            "defaults": {"agent": "scripted", "max_retries": 0, "required_confidence": 0.8},
            "flow": {
                "creators": {type: {"command": author} for type in ("consultant", "development")}
            },
        }
        repository.stage("config/approvals.yaml", json.dumps(settings))
        repository.commit("Name a judge and authors")

    def writes(self, **parts: dict[str, Any]) -> None:
        """Say what the authors write; a phase is named with underscores."""
        named = {name.replace("_", "-"): part for name, part in parts.items()}
        self.script.write_text(json.dumps(named))

    def tries(self, phase: str) -> list[dict[str, str]]:
        """Return each try of an author, with the feedback that it read."""
        log = Path(f"{self.script}.log")
        lines = log.read_text().splitlines() if log.exists() else []
        entries = [json.loads(line) for line in lines]
        return [entry for entry in entries if entry["phase"] == phase]

    def call(self, *arguments: str) -> Done:
        return program(*arguments, env=self.environment, cwd=self.repository.root, timeout=180)

    def run(self, case: str, *arguments: str) -> Done:
        """Run an example file."""
        return self.run_text(self.example(case), *arguments)

    def run_text(self, text: str, *arguments: str) -> Done:
        self.repository.write("phases.yaml", text)
        return self.call("run", "phases.yaml", "--task", "Cache the search", *arguments)

    def folder(self) -> Path:
        """Return the folder of the newest run."""
        place = place_of(str(self.repository.root), self.environment)
        return Path(place.run_folder(client.runs(place)[0].run))

    def tree(self) -> Path:
        """Return the work tree of the newest run."""
        return self.folder() / "tree"

    def example(self, case: str) -> str:
        return (CASES / case).read_text(encoding="utf-8")

    def at_terminal(self, *arguments: str, typed: str) -> tuple[int, str]:
        """Run the program at a terminal, and type an answer to its question."""
        return at_a_terminal([*arguments], self.repository.root, self.environment, typed=typed)

    def status(self) -> dict[str, Any]:
        found = self.call("flow", "status", "--format", "json")
        assert found.returncode == 0, found.stderr
        status: dict[str, Any] = json.loads(found.stdout)
        return status

    def states(self) -> dict[str, str]:
        """Return the state of each phase of the newest run."""
        return {phase["id"]: phase["state"] for phase in self.status()["phases"]}


def adr(*defects: str, path: str = "output/ADR-feature.md", text: str = ADR) -> dict[str, Any]:
    return {"path": path, "text": text, "defects": defects}


def code(*defects: str) -> dict[str, Any]:
    return {"path": "new/src/critical/search.py", "text": CODE, "defects": defects}
