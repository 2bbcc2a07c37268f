"""A run of some phases only takes the others as an earlier run approved them."""

import pytest

from helix_hooks.config.approvals import Creator, FlowSettings
from helix_hooks.errors import UsageError
from helix_hooks.phases.advance import advanced, begun, outcome, refusal, started, tasks
from helix_hooks.phases.flow import Flow
from helix_hooks.phases.gate_result import APPROVED, GateResult
from helix_hooks.phases.graph import and_below
from helix_hooks.phases.parse import flow_of
from helix_hooks.phases.run_state import Decider, PersonDecided, RunState, StageEnded

TEXT = """phases:
  - {id: plan, type: maker, output: plan.md}
  - {id: code, type: maker, output: a.py}
  - {id: docs, type: maker, depends_on: plan, output: a.md}
"""
ADA = Decider("ada", False)


def flow(text: str = TEXT) -> Flow:
    return flow_of(text.encode(), "phases.yaml", FlowSettings("", {"maker": Creator(("make",))}))


def end(phase: str, number: int = 1, changed: tuple[str, ...] = ()) -> StageEnded:
    result = None if changed else GateResult(phase, "", APPROVED, "")
    return StageEnded(phase, number, result, hashes={f"{phase}.x": phase}, changed=changed)


def finished() -> RunState:
    state = begun(flow(), "first", ADA)
    for id in ("plan", "code", "docs"):
        for task in tasks(flow(), state):
            state = started(state, task)
        state = advanced(flow(), state, end(id))
    assert outcome(state) == "approved"
    return state


def test_one_phase_after_an_earlier_run() -> None:
    state = begun(flow(), "second", ADA, ("code",), finished().phases)
    (task,) = tasks(flow(), state)
    assert (task.phase, task.number, task.approved) == ("code", 1, {"plan.x": "plan"})
    state = advanced(flow(), started(state, task), end("code"))
    assert outcome(state) == "approved"
    assert state.phases["docs"].state == "waiting"


def test_a_phase_and_all_below_it() -> None:
    assert and_below(flow(), "plan") == ("plan", "code", "docs")
    assert and_below(flow(), "code") == ("code",)


@pytest.mark.parametrize(
    ("text", "earlier", "message"),
    [
        (TEXT, False, "plan is required, but no earlier run approved it; start with --from plan"),
        (TEXT.replace("plan.md", "p.md"), True, "plan is required, but its configuration changed"),
    ],
)
def test_what_comes_before_must_be_approved(text: str, earlier: bool, message: str) -> None:
    with pytest.raises(UsageError) as error:
        begun(flow(text), "second", ADA, ("code",), finished().phases if earlier else {})
    assert message in str(error.value)


def test_a_moved_phase_is_the_same() -> None:
    state = begun(flow(f"name: other\n{TEXT}"), "second", ADA, ("code",), finished().phases)
    assert state.phases["plan"].state == "approved"


def test_a_file_of_an_earlier_run_that_changed() -> None:
    state = begun(flow(), "second", ADA, ("code",), finished().phases)
    state = started(state, tasks(flow(), state)[0])
    state = advanced(flow(), state, end("code", changed=("plan.x",)))
    assert outcome(state) == "paused"
    assert (
        "plan.x changed after plan was approved in an earlier run" in state.phases["code"].question
    )
    event = PersonDecided("approve", "code", 1, Decider("grace", False), "so", override=True)
    assert "no gate has checked code" in refusal(state, event)
    state = advanced(flow(), state, event._replace(action="retry"))
    assert [task.number for task in tasks(flow(), state)] == [2]
