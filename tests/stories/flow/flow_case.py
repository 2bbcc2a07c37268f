"""A case of `tests/cases/flows`: a script that is played with the real commands, and what follows."""

import json
import os
import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from helix_hooks.flow.place import place_of
from tests.conftest import ROOT, Repository
from tests.fakes.github.server import FakeGitHub, Token
from tests.fakes.program import Begun, Done
from tests.stories.flow.examples import ADR

ROLES = {"ada": "admin", "grace": "maintain", "max": "maintain", "eve": "write"}
"""Persons and their roles on GitHub. Ada starts the runs."""
PLAYER = ROOT / "tests" / "fakes" / "flow_player.py"
PATIENCE = 90
ADDITIONS = ("cost", "write", "restore")
CREATORS = ("consultant", "development", "review")
RUN = re.compile(r"\b\d{8}-\d{6}-[\w-]+-[0-9a-f]{4}\b")
TREE = re.compile(r"work tree /.*/tree\b")
ISSUE = re.compile(r"^## [0-9a-f]{10}$", re.MULTILINE)
DURATION = re.compile(r"\b\d+(\.\d+)? (s|ms|min)\b")
MOMENT = re.compile(r"\b[A-Z][a-z]{2}, \d\d? [A-Z][a-z]{2} 20\d\d \d\d:\d\d UTC")


class FlowCase:
    """A run of a script in a repository, with persons whom a fake GitHub confirms."""

    def __init__(
        self, case: Path, repository: Repository, folder: Path, github: FakeGitHub
    ) -> None:
        self.repository, self.folder, self.github = repository, folder, github
        self.flow = yaml.safe_load((case / "phases.yaml").read_text(encoding="utf-8"))
        text = (case / "events.txt").read_text(encoding="utf-8")
        self.lines = [line for line in text.splitlines() if line and not line.startswith("#")]
        self.commands: list[tuple[int, list[str]]] = []
        folder.mkdir()
        github.people.update(ROLES)
        github.tokens.update({name: Token(name, {"members": "read"}) for name in ROLES})
        repository.git("remote", "add", "origin", "https://github.com/acme/decisions.git")
        repository.stage("phases.yaml", (case / "phases.yaml").read_bytes())
        repository.stage("config/approvals.yaml", json.dumps(self.settings()))
        prompt = f"#!/bin/sh\nexec {shlex.join(self.player('prompt'))}\n"
        repository.stage("tools/make-prompt", prompt).chmod(0o755)
        repository.commit("A flow")
        phases = self.flow["phases"]
        outputs = {phase["id"]: files(phase.get("output", [])) for phase in phases}
        judged = [phase["id"] for phase in phases if gate_type(phase, "quality_gate")]
        self.state = Path(place_of(str(repository.root), os.environ).run_folder(""))
        script = {
            "lines": self.lines,
            "runs": str(self.state),
            "outputs": outputs,
            "judged": judged,
            "adr": ADR,
        }
        (folder / "script.json").write_text(json.dumps(script))

    def player(self, *arguments: str) -> list[str]:
        return [sys.executable, "-I", str(PLAYER), str(self.folder), *arguments]

    def settings(self) -> dict[str, Any]:
        """Return settings with a judge for each approval type, which knows its phase."""
        judges: dict[str, str] = {}
        for phase in self.flow["phases"]:
            types = [gate_type(phase, gate) for gate in ("quality_gate", "prompt_gate")]
            judges |= {type: phase["id"] for type in (*types, phase.get("approval_type")) if type}
        return {
            "agents": {
                f"judge-of-{type}": {"command": self.player("judge", phase)}
                for type, phase in judges.items()
            },
            "defaults": {"max_retries": 0, "required_confidence": 0.8, "max_cost_usd": 5},
            "approvals": {type: {"agent": f"judge-of-{type}"} for type in judges},
            "flow": {"creators": {type: {"command": self.player("create")} for type in CREATORS}},
        }

    def play(self) -> None:
        """Play all lines. Programs play those of phases, while a command of a person lasts."""
        self.move(0)
        while (number := self.next()) < len(self.lines):
            line = self.lines[number]
            if line.startswith(("@", "during ", "meanwhile ")):
                self.command()
            else:
                assert self.is_addition(number), f"{self.transcript()}no program plays {line!r}"
                self.add(line)
                self.move(number + 1)

    def command(self) -> None:
        """Run the command of the next line, and those that persons give while it lasts."""
        number = self.next()
        meanwhile = self.lines[number].startswith("meanwhile ")
        if meanwhile:
            self.interrupt(number)
            number += 1
        self.move(number + 1)
        line = self.lines[number]
        name, *arguments = shlex.split(line.removeprefix("during ").removeprefix("@"))
        begun_at = len(self.events())
        self.commands.append((begun_at, [f"> {line}"]))
        begun = self.begin(name, arguments)
        deadline = time.monotonic() + PATIENCE
        while not begun.is_over() and time.monotonic() < deadline:
            if self.is_interrupted():
                self.command()
            time.sleep(0.02)
        done = begun.end(timeout=1)
        # The run may or may not have recorded yet what a command does while the run lasts.
        position = begun_at if line.startswith("during ") else len(self.events())
        self.commands.append((position, shown(done)))

    def begin(self, name: str, arguments: list[str]) -> Begun:
        own = ("GITHUB_", "HELIX_", "GH_")
        outside = {key: text for key, text in os.environ.items() if not key.startswith(own)}
        run = next((path.name for path in reversed(self.runs())), "")
        arguments = [run if word == "RUN" else word for word in arguments]
        environment = {**outside, "GITHUB_API_URL": self.github.url, "GITHUB_TOKEN": name}
        return Begun(*arguments, env=environment, cwd=self.repository.root)

    def interrupt(self, number: int) -> None:
        """Have a command run while GitHub is asked who gives the command after it."""
        real, line = self.github.answer, self.lines[number].removeprefix("meanwhile @")

        def answer(request: Any) -> Any:
            self.github.answer = real  # type: ignore[method-assign]
            name, *arguments = shlex.split(line)
            self.commands.append((len(self.events()), [f"> @{line}"]))
            done = self.begin(name, arguments).end()
            self.commands.append((len(self.events()), shown(done)))
            return real(request)

        self.github.answer = answer  # type: ignore[method-assign]

    def is_interrupted(self) -> bool:
        """Return whether a command is next that a person gives while all running phases wait."""
        number = self.next()
        is_person = number < len(self.lines) and self.lines[number].startswith("during ")
        running = {event["phase"] for event in self.newest() if event["state"] == "running"}
        waiting = {path.name.removeprefix("waits-") for path in self.folder.glob("waits-*")}
        return is_person and bool(running) and running <= waiting

    def newest(self) -> list[dict[str, Any]]:
        """Return the last event of each phase."""
        return list({event["phase"]: event for event in self.events() if event["phase"]}.values())

    def is_addition(self, number: int) -> bool:
        return self.lines[number].split()[0] in ADDITIONS

    def add(self, line: str) -> None:
        action, path, *text = line.split(" ", 2)
        assert action == "write", "only a program restores a file or has a cost"
        written = text[0].replace("\\n", "\n") if text else f"{ADR}\nBy a person."
        following = next(
            line for line in self.lines[self.next() :] if not line.startswith("write ")
        )
        if " run " in following:
            self.repository.stage(path, f"{written}\n")
            return
        place = self.tree() / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"{written}\n", encoding="utf-8")

    def tree(self) -> Path:
        """Return the work tree of the newest run, or that of the person before the first run."""
        trees = [run / "tree" for run in self.runs()]
        return trees[-1] if trees else self.repository.root

    def next(self) -> int:
        return int((self.folder / "next").read_text())

    def move(self, number: int) -> None:
        place = self.folder / "next-of-test"
        place.write_text(str(number))
        place.replace(self.folder / "next")

    def events(self) -> list[dict[str, Any]]:
        """Return the events of all runs, in their order."""
        found = []
        for run in self.runs():
            found += entries_of(run / "events.jsonl")
        return found

    def runs(self) -> list[Path]:
        """Return the folders of the runs, the oldest first."""
        files = self.state.glob("*/flow.yaml")
        return [file.parent for file in sorted(files, key=lambda file: file.stat().st_mtime_ns)]

    # What follows.

    def transcript(self) -> str:
        """Return what happened, what is left, and the state of each phase at the end."""
        status = self.begin("grace", ["flow", "status", "--format", "json"]).end()
        state = json.loads(status.stdout)
        lines = [*self.story(), *self.files(), *ending(state)]
        return normal("\n".join(lines) + "\n")

    def story(self) -> Iterator[str]:
        """Yield the events, with the lines of the script that led to them."""
        log = entries_of(self.folder / "log.jsonl")
        prompts = {
            (item["started"], item["task"]): item["prompt"] for item in log if "started" in item
        }
        played: dict[tuple[str, int], list[int]] = {}
        for item in log:
            if "played" in item:
                played.setdefault((item["played"], item["task"]), []).append(item["line"])
        running: dict[str, int] = {}
        seen: dict[str, list[str]] = {}
        events = self.events()
        for position, event in enumerate(events):
            yield from self.said_at(position)
            if position == 0 or event["time"] != events[position - 1]["time"]:
                # What happens at one time is listed by phase, so the end of a task comes first.
                for other in (item for item in events[position:] if item["time"] == event["time"]):
                    task = (other["phase"], running.get(other["phase"], 0))
                    if task[1] and (other["state"], other["number"]) != ("running", task[1]):
                        for number in played.pop(task, []):
                            yield from self.played(number)
                        del running[other["phase"]]
            phase, number = event["phase"], event.get("number", 0)
            if phase and event["state"] == "running":
                running[phase] = number
                yield f"start {phase} {event['stage']} {number}, try {event['attempt']}"
                name = f"{number}-{event['stage']}"
                prompt = prompts.pop((phase, name), "")
                if event["stage"] == "prompt":
                    tree = self.state / event["run"] / "tree"
                    place = tree / ".helix/flows" / event["run"] / phase / name
                    prompt = (place / "prompt.md").read_text(encoding="utf-8")
                yield from new_sections(prompt, seen.setdefault(phase, []))
            else:
                yield said(event)
        yield from self.said_at(len(events))
        yield from (f"never recorded: {key}" for key in (*prompts, *played))

    def said_at(self, position: int) -> Iterator[str]:
        """Yield the commands that began or ended behind as many events."""
        for where, lines in self.commands:
            if where == position:
                yield from lines

    def played(self, number: int) -> Iterator[str]:
        """Yield the line that a program played, behind the lines that belong to it."""
        first = number
        while first and self.is_addition(first - 1):
            first -= 1
        yield from (f"> {line}" for line in self.lines[first : number + 1])

    def files(self) -> Iterator[str]:
        """Yield the files for people that the last run left."""
        root = self.tree()
        for place in root.glob(".helix/flows/*/revision-issues.md"):
            text = place.read_text(encoding="utf-8").partition("read the answers.\n")[2]
            yield f"\n== {place.name}"
            yield text.strip()
        for place in sorted(root.glob("approvals/*/output/*.json")):
            result = json.loads(place.read_text(encoding="utf-8"))
            yield f"\n== {place.relative_to(root)}"
            for key in ("approval_type", "result", "decision", "summary"):
                yield f"{key}: {result.get(key)}"
            yield from (f"file: {item['path']}" for item in result.get("files", ()))


def said(event: dict[str, Any]) -> str:
    """Return an event as a line."""
    name = f"{event['phase']} {event['number']}" if event["phase"] else "run"
    line = f"{name}: {event['state']}"
    decided = f" ({event['decided']})" if event["decided"] else ""
    message = f": {event['message']}" if event["message"] else ""
    return f"{line}{decided}{message}"


def ending(state: dict[str, Any]) -> Iterator[str]:
    """Yield the state of the run and of its phases, from `flow status --format json`."""
    asked_by = state["asked_by"]
    yield f"\n= {state['state']}, asked by {asked_by['name']}, {state['cost_usd']:.2f} USD"
    for phase in state["phases"]:
        line = f"{phase['id']} {phase['state']}, task {phase['task']}"
        for key in ("overridden", "decided", "question"):
            if phase[key]:
                line += f", {key}: {phase[key]}"
        yield line


def new_sections(prompt: str, seen: list[str]) -> Iterator[str]:
    """Yield the sections of a prompt, in full if no earlier prompt of the phase had them."""
    for section in filter(None, re.split(r"\n\n(?=## )", prompt.strip())):
        title = section.partition("\n")[0]
        if section in seen:
            yield f"  | {title} (as before)"
            continue
        seen.append(section)
        yield from (f"  | {line}" for line in section.splitlines() if line)


def shown(done: Done) -> list[str]:
    """Return what a command printed beside the progress of a run, and how it ended."""
    lines = done.stdout.splitlines()
    if done.returncode == 2 or not lines:
        lines += done.stderr.splitlines()
    return [*(f"    {line}" for line in lines if line), f"exit {done.returncode}"]


def normal(text: str) -> str:
    """Return a text without ids, times and durations."""
    text = MOMENT.sub("TIME", DURATION.sub("N s", RUN.sub("RUN", text)))
    text = TREE.sub("work tree TREE", ISSUE.sub("## ISSUE", text))
    lines = [re.sub(r"(?<=\S) {2,}", "  ", line).rstrip() for line in text.splitlines()]
    return "\n".join(lines) + "\n"


def entries_of(path: Path) -> list[dict[str, Any]]:
    """Return the complete lines of a file; none if it does not exist yet."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.split("\n")[:-1]]


def files(value: Any) -> list[str]:
    return list(value["files"] if isinstance(value, dict) else value)


def gate_type(phase: dict[str, Any], gate: str) -> str:
    """Return the approval type of a judged gate of a phase; "" for another gate."""
    return str((phase.get(gate) or {}).get("approval_type", ""))
