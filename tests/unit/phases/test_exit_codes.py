"""The exit code of a run for every combination of the states in which its phases can end."""

from itertools import chain, combinations, product

import pytest

from helix_hooks.config.gates import FILES_EXIST, Gate
from helix_hooks.flow.attend import EXIT_CODES
from helix_hooks.phases.advance import advanced, begun, outcome, started, tasks
from helix_hooks.phases.flow import Flow, Phase
from helix_hooks.phases.gate_result import APPROVED as GATE_APPROVED
from helix_hooks.phases.gate_result import GateResult
from helix_hooks.phases.run_state import (
    APPROVED,
    PAUSED,
    REJECTED,
    RUNNING,
    WAITING,
    PhaseProgress,
    RunState,
    StageEnded,
)
from helix_hooks.phases.run_text import FlowView, as_text
from tests.unit.phases.draws import ASKER

_IDS = ("a", "b", "c")
_STATES = (APPROVED, PAUSED, REJECTED, RUNNING, WAITING)
_SCOPES = tuple(chain.from_iterable(combinations(_IDS, size) for size in range(4)))
_PHASES = tuple(
    Phase(
        id=id,
        type="maker",
        place="phases.yaml:1",
        outputs=(f"{id}.md",),
        creator=("make",),
        gate=Gate(id, FILES_EXIST, files=(f"{id}.md",)),
    )
    for id in _IDS
)
_FLOW = Flow("table", "phases.yaml", "0" * 64, _PHASES)


def _state(states: tuple[str, ...], only: tuple[str, ...] = ()) -> RunState:
    phases = {id: PhaseProgress(state=state) for id, state in zip(_IDS, states, strict=False)}
    return RunState(run="r", asked_by=ASKER, phases=phases, only=only)


def _code(state: RunState) -> int | None:
    return EXIT_CODES.get(outcome(state))


def test_only_a_run_whose_phases_are_all_approved_exits_with_0() -> None:
    for states, only in product(product(_STATES, repeat=3), _SCOPES):
        state = _state(states, only)
        in_run = {states[_IDS.index(id)] for id in only or _IDS}
        code = _code(state)
        assert (code == 0) == (in_run == {APPROVED}), (states, only)
        if RUNNING in in_run:
            assert code is None, (states, only)
        elif REJECTED in in_run:
            assert code == 1, (states, only)
        elif PAUSED in in_run:
            assert code == 4, (states, only)
        assert _code(state._replace(cancelled=True)) == 1


def test_a_run_without_a_phase_is_not_approved() -> None:
    assert _code(_state(())) == 1


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("answer", [GATE_APPROVED, "rejected", "pending", "skipped", "neutral", ""])
def test_only_the_approval_of_a_gate_approves_its_phase(answer: str, *, failed: bool) -> None:
    state = begun(_FLOW, "r", ASKER)
    task = tasks(_FLOW, state)[0]
    result = GateResult(gate="a", gate_type="", state=answer, message="m", failed=failed)
    event = StageEnded(phase=task.phase, number=task.number, result=result)
    after = advanced(_FLOW, started(state, task), event)
    is_approved = after.phases[task.phase].state == APPROVED
    assert is_approved == (answer == GATE_APPROVED and not failed)


def test_a_task_without_an_answer_approves_nothing() -> None:
    state = begun(_FLOW, "r", ASKER)
    task = tasks(_FLOW, state)[0]
    event = StageEnded(phase=task.phase, number=task.number, result=None)
    assert advanced(_FLOW, started(state, task), event).phases[task.phase].state != APPROVED


def test_a_part_of_a_flow_is_not_called_the_whole() -> None:
    state = _state((APPROVED, WAITING, APPROVED), only=("a",))
    head = as_text(FlowView(_FLOW, state, outcome(state))).splitlines()[0]
    assert head == "r approved: every phase of this run was approved; not run: b"
    whole = _state((APPROVED,) * 3)
    assert (
        as_text(FlowView(_FLOW, whole, outcome(whole)))
        .splitlines()[0]
        .endswith(": every phase was approved")
    )
