"""Every folder in tests/cases/flows is a flow, what happens to it, and all that follows.

`phases.yaml` is the flow. A line of `events.txt` is the end of the task that runs, as in
`approval rejected a.md:3 no owner` (also `approved`, `pending`, `failed`, and `changed PATH` for a
task that found an approved file changed), or a person, as in `grace approve approval`, with
`override` before the phase and the reason behind it. Times and costs are 0, or those of a line
`cost USD` before the end of a task; `write PATH` before it is a file that it writes beside its own. `expected.txt` has what starts and what a person is asked after
each line, and the state at the end.
"""

from pathlib import Path

import pytest

from helix_hooks.config.agents import parse_agents
from helix_hooks.config.flow import Creator, FlowSettings
from helix_hooks.finding import Finding
from helix_hooks.phases.advance import advanced, begun, outcome, refusal, started, tasks
from helix_hooks.phases.flow import Flow
from helix_hooks.phases.gate_result import PENDING, REJECTED, GateResult
from helix_hooks.phases.parse import flow_of
from helix_hooks.phases.run_state import Decider, PersonDecided, RunState, StageEnded, StageTask
from tests.conftest import ROOT

FOLDERS = sorted((ROOT / "tests" / "cases" / "flows").iterdir())
CREATORS = {name: Creator(("agent", name)) for name in ("consultant", "development", "review")}
ACTIONS = ("approve", "reject", "retry", "cancel")
ADA = Decider("ada", True)


class Case:
    """A run of a flow, and the lines that say what followed."""

    def __init__(self, flow: Flow) -> None:
        self.flow, self.running, self.lines, self.cost = flow, dict[str, StageTask](), [""], 0.0
        self.flow_ids = {phase.id for phase in flow.phases}
        self.files: dict[str, str] = {}
        self.asked: dict[str, str] = {}
        self.state: RunState = begun(flow, "run", ADA)
        self._go_on()

    def play(self, line: str) -> None:
        self.lines.append(f"> {line}")
        words = line.split()
        before = self.state
        if words[0] == "cost":
            self.cost = float(words[1])
        elif words[0] == "write":
            self.files[words[1]] = " ".join(words[2:]) or f"written {len(self.lines)}"
        elif words[1] in ACTIONS:
            self._person(words)
        else:
            self._end(words[0], words[1], words[2:])
        if self.state is before and words[0] in self.flow_ids:
            self.lines.append("counts for nothing")
        self._go_on()

    def _person(self, words: list[str]) -> None:
        name, action, *rest = words
        override = "override" in rest
        phase, *reason = [word for word in rest if word != "override"] or [""]
        phase, _, number = phase.partition("#")
        progress = self.state.phases.get(phase)
        usual = progress.number if progress else self.state.raised
        event = PersonDecided(
            action=action,
            phase=phase,
            number=int(number) if number else usual,
            by=Decider(name, True),
            reason=" ".join(reason),
            override=override,
        )
        refused = refusal(self.state, event)
        if refused:
            self.lines.append(f"refused: {refused}")
        after = advanced(self.flow, self.state, event)
        assert (after is self.state) == bool(refused)
        self.state = after

    def _end(self, phase: str, word: str, words: list[str]) -> None:
        task = self.running.pop(phase)
        progress = self.state.phases[phase]
        assert progress.number == task.number
        if word == "changed":
            self.files |= {path: f"changed {len(self.lines)}" for path in words}
            event = StageEnded(phase, task.number, None, changed=tuple(words))
        else:
            event = self._answered(task, word, words)
        self.state = advanced(self.flow, self.state, event)

    def _answered(self, task: StageTask, word: str, words: list[str]) -> StageEnded:
        phase = self.flow.phase(task.phase)
        if task.creates and task.stage == "response":
            self.files |= dict.fromkeys(phase.outputs, f"{phase.id} {task.number}")
        place, _, number = (words or [""])[0].partition(":")
        message = " ".join(words[1:] if number else words) or word
        finding = Finding("error", "test", "agent", message, path=place, line=int(number or 1))
        result = GateResult(
            gate=phase.id,
            gate_type="approval",
            state={"failed": REJECTED, "pending": PENDING}.get(word, word),
            message=message,
            findings=(finding,) if number else (),
            suggestions=("ask the owner",) if number else (),
            details={"suggested_content": "a better text"} if number else {},
            failed=word == "failed",
        )
        seen = phase.gate.files if phase.gate else ()
        cost, self.cost = self.cost, 0.0
        return StageEnded(
            phase=phase.id,
            number=task.number,
            result=result,
            output=f"printed by task {task.number}",
            hashes={path: self.files[path] for path in seen if path in self.files},
            cost_usd=cost,
        )

    def _go_on(self) -> None:
        for task in tasks(self.flow, self.state):
            self.state = started(self.state, task)
            self.running[task.phase] = task
            kind = "" if task.creates else ", gate only"
            self.lines.append(
                f"start {task.phase} {task.stage} {task.number}, try {task.attempt}{kind}"
            )
            self.lines += [f"  | {line}".rstrip() for line in task.feedback.splitlines()]
            if task.rejected:
                self.lines.append(f"  rejected: {task.rejected}")
        asked = {id: item.question for id, item in self.state.phases.items() if item.question}
        asked |= {"run": self.state.question} if self.state.question else {}
        asked |= {"warning": self.state.warning} if self.state.warning else {}
        self.lines += [
            f"? {id}: {text}" for id, text in asked.items() if self.asked.get(id) != text
        ]
        self.asked = asked

    def text(self) -> str:
        states = [
            f"{id} {item.state}, task {item.number}"
            + (f", overridden by {item.overridden}" if item.overridden else "")
            for id, item in self.state.phases.items()
        ]
        return "\n".join([*self.lines[1:], f"= {outcome(self.state)}", *states]) + "\n"


def transcript(folder: Path) -> str:
    data = (folder / "phases.yaml").read_bytes()
    flow = flow_of(data, "phases.yaml", FlowSettings("", CREATORS), {}, parse_agents(None))
    case = Case(flow)
    for line in (folder / "events.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            case.play(line)
    return case.text()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_flow(folder: Path) -> None:
    assert transcript(folder) == (folder / "expected.txt").read_text(encoding="utf-8")
