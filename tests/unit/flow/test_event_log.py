"""The event log of a run, written by a process that goes through all states again after a kill."""

import json
from pathlib import Path

import pytest

from helix_hooks.flow.event_log import EventLog
from helix_hooks.phases.advance import advanced, begun, started, tasks
from helix_hooks.phases.flow import Flow, Phase
from helix_hooks.phases.gate_result import APPROVED, GateResult
from helix_hooks.phases.run_state import Decider, RunState, StageEnded

FLOW = Flow(
    name="x",
    path="phases.yaml",
    hash="",
    phases=(
        Phase(id="a", type="writer", place="phases.yaml:1", creator=("true",)),
        Phase(id="b", type="writer", place="phases.yaml:2", creator=("true",), depends_on=("a",)),
    ),
)


def states() -> list[RunState]:
    state = begun(FLOW, "r", Decider("Ann", verified=False))
    found = []
    for _ in FLOW.phases:
        (task,) = tasks(FLOW, state)
        state = started(state, task)
        found.append(state)
        result = GateResult(gate="a", gate_type="", state=APPROVED, message="it is there")
        ended = StageEnded(phase=task.phase, number=task.number, result=result, seconds=2.0)
        state = advanced(FLOW, state, ended)
    return [*found, state]


def written(root: Path, known: list[RunState]) -> None:
    log = EventLog(str(root), "r", 0)
    before = None
    for number, state in enumerate(known):
        log.add(before, state, float(number))
        before = state


def lines(root: Path) -> list[dict[str, object]]:
    place = root / "events.jsonl"
    return [json.loads(line) for line in place.read_text().splitlines()]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def test_one_line_for_each_change(root: Path) -> None:
    written(root, states())
    found = [(event["seq"], event["phase"], event["state"]) for event in lines(root)]
    assert found == [
        (1, "a", "running"), (2, "b", "waiting"), (3, "", "running"), (4, "a", "approved"),
        (5, "b", "running"), (6, "b", "approved"), (7, "", "approved"),
    ]  # fmt: skip
    assert lines(root)[3]["seconds"] == 2.0 and lines(root)[3]["message"] == "it is there"


@pytest.mark.parametrize("count", [0, 1, 2, 3])
@pytest.mark.parametrize("cut", [0, 1, 30])
def test_no_line_is_lost_or_doubled_by_a_kill(root: Path, count: int, cut: int) -> None:
    known = states()
    written(root, known)
    whole = [event["seq"] for event in lines(root)]
    place = root / "events.jsonl"
    place.unlink()
    written(root, known[:count])
    if cut and count:
        place.write_bytes(place.read_bytes()[:-cut])
    written(root, known)
    assert [event["seq"] for event in lines(root)] == whole
