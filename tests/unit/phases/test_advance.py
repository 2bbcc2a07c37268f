"""What holds for every flow, whatever its gates and people answer and in which order tasks end."""

from collections.abc import Mapping
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from helix_hooks.phases.advance import advanced, outcome, refusal, tasks
from helix_hooks.phases.flow import RESPONSE, Flow
from helix_hooks.phases.gate_result import APPROVED, REJECTED
from helix_hooks.phases.json_form import event_from, event_json, flow_from, flow_json, state_from, state_json, task_from, task_json
from helix_hooks.phases.run_state import Decider, PersonDecided, RunState
from tests.unit.phases.draws import FAILED, Step, above, end_of, flows, run, scripts

PERSON = Decider("grace", False)


def in_any_order(random: Random):
    return lambda most: random.randrange(most)


def with_people(flow: Flow, script: Mapping[int, str], random: Random, most: int) -> tuple[RunState, list[Step]]:
    """Return a run in which a person answers at random what it asks, so many times at most."""
    state, steps = run(flow, script, in_any_order(random), None)
    for _ in range(most):
        asking = [id for id, progress in state.phases.items() if progress.state in ("paused", "rejected")]
        if not asking:
            break
        id = random.choice(asking)
        action = random.choice(("approve", "reject", "retry"))
        event = PersonDecided(action, id, state.phases[id].number, PERSON, reason="so", override=random.random() < 0.5)
        after = advanced(flow, state, event)
        assert (after is state) == bool(refusal(state, event))
        state, more = run(flow, script, in_any_order(random), after)
        steps += more
    return state, steps


RANDOMS = st.randoms(use_true_random=False)


@given(flows(), scripts(), RANDOMS)
def test_a_phase_starts_only_when_all_before_it_are_approved(flow: Flow, script: Mapping[int, str], random: Random) -> None:
    _, steps = with_people(flow, script, random, 4)
    for step in steps:
        if not step.ended:
            before = {step.before.phases[id].state for id in above(flow, step.task.phase)}
            assert before <= {"approved"}


@given(flows(), scripts(), RANDOMS)
def test_only_a_gate_or_an_override_approves(flow: Flow, script: Mapping[int, str], random: Random) -> None:
    state, _ = with_people(flow, script, random, 4)
    for progress in state.phases.values():
        if progress.state == "approved":
            assert progress.stage == RESPONSE
            assert progress.result is not None
            gate = progress.result.state == APPROVED and not progress.result.failed
            assert gate or progress.result.state == "pending" or progress.overridden == "grace: so" or "so" in progress.overridden


@given(flows(), scripts(), RANDOMS)
def test_each_task_has_a_number_of_its_own(flow: Flow, script: Mapping[int, str], random: Random) -> None:
    _, steps = with_people(flow, script, random, 4)
    started = [(step.task.phase, step.task.number) for step in steps if not step.ended]
    assert len(started) == len(set(started))


@given(flows(), scripts(), RANDOMS)
def test_a_stage_runs_at_most_as_often_as_configured(flow: Flow, script: Mapping[int, str], random: Random) -> None:
    _, steps = with_people(flow, script, random, 4)
    assert all(step.task.attempt <= flow.phase(step.task.phase).max_retries + 1 for step in steps)


@given(flows(people=False), scripts((APPROVED, REJECTED, FAILED)), RANDOMS)
def test_a_run_ends_or_asks(flow: Flow, script: Mapping[int, str], random: Random) -> None:
    state, _ = run(flow, script, in_any_order(random), None)
    if outcome(state) == "paused":
        assert any(progress.question for progress in state.phases.values())
    if outcome(state) == "approved":
        assert {progress.state for progress in state.phases.values()} == {"approved"}


@given(flows(), scripts(), RANDOMS, RANDOMS)
def test_the_order_in_which_tasks_end_makes_no_difference(flow: Flow, script: Mapping[int, str], first: Random, second: Random) -> None:
    assert run(flow, script, in_any_order(first), None)[0] == run(flow, script, in_any_order(second), None)[0]


@given(flows(), scripts(), RANDOMS)
def test_the_json_form_loses_nothing(flow: Flow, script: Mapping[int, str], random: Random) -> None:
    assert flow_from(flow_json(flow)) == flow
    state, steps = with_people(flow, script, random, 2)
    for step in steps:
        assert state_from(state_json(step.after)) == step.after
        assert task_from(task_json(step.task)) == step.task
        event = end_of(flow, step.task, script)
        assert event_from(event_json(event)) == event
    assert state_from(state_json(state)) == state


@given(flows(), scripts(), RANDOMS)
def test_deciding_twice_counts_once(flow: Flow, script: Mapping[int, str], random: Random) -> None:
    state, _ = run(flow, script, in_any_order(random), None)
    for id, progress in state.phases.items():
        event = PersonDecided("approve", id, progress.number, PERSON, "so", override=True)
        after = advanced(flow, state, event)
        for task in tasks(flow, after):
            if task.phase == id:
                continue
        if after.phases[id].state == "approved":
            assert advanced(flow, after, event) is after
            assert refusal(after, event)
