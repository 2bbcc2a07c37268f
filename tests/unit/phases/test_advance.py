"""What holds for every flow, whatever its gates and people answer and in which order tasks end."""

import json
from collections.abc import Callable
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks import codec
from helix_hooks.phases.advance import advanced, outcome, refusal, tasks
from helix_hooks.phases.flow import RESPONSE, Flow
from helix_hooks.phases.gate_result import APPROVED, PENDING, REJECTED
from helix_hooks.phases.json_form import event_from, event_json, read
from helix_hooks.phases.run_state import Decider, PersonDecided, RunState, StageEnded, StageTask
from tests import series
from tests.unit.phases.draws import FAILED, SEEDS, Step, World, above, flows, run, script_of

PERSON = Decider("grace", False)


MANY = settings(max_examples=series.examples(400), deadline=None)
RANDOMS = st.randoms(use_true_random=False)


def in_any_order(random: Random) -> Callable[[int], int]:
    return random.randrange


def with_people(flow: Flow, world: World, random: Random, most: int) -> tuple[RunState, list[Step]]:
    """Return a run in which a person answers at random what it asks, so many times at most."""
    state, steps = run(flow, world, in_any_order(random))
    for _ in range(most):
        states = {id: progress.state for id, progress in state.phases.items()}
        asking = [id for id, name in states.items() if name in ("paused", "rejected")]
        if not asking:
            break
        event = PersonDecided(
            action=random.choice(("approve", "reject", "retry")),
            phase=(id := random.choice(asking)),
            number=state.phases[id].number,
            by=PERSON,
            reason="so",
            override=random.random() < 0.5,
        )
        after = advanced(flow, state, event)
        assert (after is state) == bool(refusal(state, event))
        state, more = run(flow, world, in_any_order(random), after)
        steps += more
    return state, steps


@MANY
@given(flows(), SEEDS, RANDOMS)
def test_a_run_keeps_its_rules(flow: Flow, seed: int, random: Random) -> None:
    """A phase starts only when all before it are approved, and after nothing else but so many tries.

    Only a gate, a person it asks, or an override approves. Each task has a number of its own.
    """
    state, steps = with_people(flow, World(script_of(seed)), random, 4)
    starts = [step for step in steps if step.event is None]
    for step in starts:
        id = step.task.phase
        assert {step.before.phases[other].state for other in above(flow, id)} <= {"approved"}
        assert step.task.attempt <= flow.phase(id).max_retries + 1
    assert len({(step.task.phase, step.task.number) for step in starts}) == len(starts)
    for progress in state.phases.values():
        if progress.state == "approved":
            assert progress.stage == RESPONSE
            assert progress.result
            by_gate = progress.result.passed and not progress.result.failed
            assert by_gate or progress.result.state == PENDING or progress.overridden


@MANY
@given(flows(), SEEDS, RANDOMS)
def test_files_that_somebody_changes_are_never_built_on(
    flow: Flow, seed: int, random: Random
) -> None:
    """A run ends although files are changed again and again, and approvals agree on their files."""
    world = World(script_of(seed), tampers=lambda: random.random() < 0.4)
    state, steps = with_people(flow, world, random, 3)
    for step in steps:
        if step.event and step.event.changed:
            assert step.after.phases[step.task.phase].state != "approved"
    hashes: dict[str, str] = {}
    for progress in state.phases.values():
        if progress.state == "approved":
            common = hashes.keys() & progress.hashes.keys()
            assert all(hashes[path] == progress.hashes[path] for path in common)
            hashes |= progress.hashes
    for id, progress in state.phases.items():
        if progress.state == "approved":
            assert {state.phases[other].state for other in above(flow, id)} <= {"approved"}


@MANY
@given(flows(people=False), SEEDS, RANDOMS)
def test_a_run_ends_or_asks(flow: Flow, seed: int, random: Random) -> None:
    script = script_of(seed, (APPROVED, REJECTED, FAILED))
    state, _ = run(flow, World(script), in_any_order(random))
    if outcome(state) == "paused":
        assert any(progress.question for progress in state.phases.values())
    states = {progress.state for progress in state.phases.values()}
    assert (outcome(state) == "approved") == (states == {"approved"})


@MANY
@given(flows(), SEEDS, RANDOMS, RANDOMS)
def test_the_order_in_which_tasks_end_makes_no_difference(
    flow: Flow, seed: int, first: Random, second: Random
) -> None:
    states = [
        run(flow, World(script_of(seed)), in_any_order(random))[0] for random in (first, second)
    ]
    assert states[0] == states[1]


@MANY
@given(flows(), SEEDS, RANDOMS)
def test_the_json_form_loses_nothing(flow: Flow, seed: int, random: Random) -> None:
    assert read(stored(codec.plain(flow)), Flow) == flow
    state, steps = with_people(flow, World(script_of(seed)), random, 2)
    for step in steps:
        assert read(stored(codec.plain(step.after)), RunState) == step.after
        assert read(stored(codec.plain(step.task)), StageTask) == step.task
        if step.event:
            assert event_from(stored(event_json(step.event))) == step.event
    assert read(stored(codec.plain(state)), RunState) == state


def stored(value: object) -> object:
    """Return a value as it comes out of a database."""
    return json.loads(json.dumps(value))


@MANY
@given(flows(), SEEDS, RANDOMS)
def test_an_event_counts_once(flow: Flow, seed: int, random: Random) -> None:
    state, steps = run(flow, World(script_of(seed)), in_any_order(random))
    for step in steps:
        if not step.event:
            older = StageEnded(step.task.phase, step.task.number - 1, None, output="late")
            assert advanced(flow, step.after, older) is step.after
        else:
            assert advanced(flow, step.after, step.event) is step.after
            assert advanced(flow, state, step.event) is state
    for id, progress in state.phases.items():
        event = PersonDecided("approve", id, progress.number, PERSON, "so", override=True)
        after = advanced(flow, state, event)
        if after.phases[id].state == "approved":
            assert refusal(after, event)
            assert advanced(flow, after, event) is after


@MANY
@given(flows(), SEEDS, RANDOMS)
def test_a_cancelled_run_stays_cancelled(flow: Flow, seed: int, random: Random) -> None:
    state, steps = run(flow, World(script_of(seed)), in_any_order(random))
    middle = random.choice(steps).after if steps else state
    cancelled = advanced(flow, middle, PersonDecided("cancel", "", 0, PERSON))
    assert (outcome(cancelled), tasks(flow, cancelled)) == ("cancelled", ())
    for step in steps:
        if step.event:
            assert advanced(flow, cancelled, step.event) is cancelled
