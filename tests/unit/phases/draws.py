"""Random flows, and a run of one with scripted answers."""

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from hypothesis import strategies as st

from helix_hooks.config.approvals import APPROVAL_PHASE
from helix_hooks.config.gates import APPROVAL, FILES_EXIST, Gate
from helix_hooks.phases.advance import advanced, begun, outcome, started, tasks
from helix_hooks.phases.flow import (
    ACTIONS,
    ESCALATE,
    FAIL,
    PROMPT,
    RETRY_PHASE,
    Flow,
    Phase,
    Rejection,
)
from helix_hooks.phases.gate_result import APPROVED, PENDING, REJECTED, GateResult
from helix_hooks.phases.graph import order_of
from helix_hooks.phases.run_state import Decider, RunState, StageEnded, StageTask

ASKER = Decider("ada", False)
FAILED = "failed"
ANSWERS = (APPROVED, REJECTED, PENDING, FAILED)


class Step(NamedTuple):
    """The states before and after a task started, or ended with an event."""

    before: RunState
    after: RunState
    task: StageTask
    event: StageEnded | None


@st.composite
def flows(draw: st.DrawFn, people: bool = True) -> Flow:
    """Flows of up to six phases; without `people` a command creates everything."""
    phases: list[Phase] = []
    above: dict[str, set[str]] = {}
    for number in range(draw(st.integers(2, 6))):
        id = f"p{number}"
        before = st.lists(st.sampled_from([*above]), min_size=number % 2, max_size=3, unique=True)
        depends_on = draw(before) if above else []
        above[id] = {*depends_on}.union(*(above[other] for other in depends_on))
        targets = [other.id for other in phases if other.id in above[id] and other.creator]
        makes = draw(st.booleans()) or not depends_on
        usual = (RETRY_PHASE, RETRY_PHASE, RETRY_PHASE, *ACTIONS)
        action = draw(st.sampled_from(usual if targets else (FAIL, ESCALATE)))
        prompt = makes and draw(st.integers(0, 3)) == 0
        seen = tuple(path for other in phases if other.id in depends_on for path in other.outputs)
        phase = Phase(
            id=id,
            type="maker" if makes else APPROVAL_PHASE,
            place=f"phases.yaml:{number + 1}",
            depends_on=tuple(depends_on),
            outputs=(f"{id}.md",) if makes else (),
            creator=("make",) if makes and not (people and draw(st.integers(0, 3)) == 0) else (),
            prompt="write" if prompt else "",
            prompt_gate=Gate(id, APPROVAL, approval_type="plan") if prompt else None,
            remakes_prompts=prompt and draw(st.booleans()),
            gate=Gate(id, FILES_EXIST, files=(f"{id}.md",) if makes else seen),
            max_retries=draw(st.integers(0, 2)) if makes else 0,
            on_rejection=Rejection(
                action=action,
                target=draw(st.sampled_from(targets)) if action == RETRY_PHASE else "",
                max_retries=draw(st.integers(1, 2)),
            ),
        )
        phases.append(phase)
    return Flow("random", "phases.yaml", "0" * 64, tuple(phases))


Script = Callable[[StageTask], str]
"""What a gate answers to a task."""

SEEDS = st.integers(0, 10_000)


def script_of(seed: int, answers: Sequence[str] = ANSWERS) -> Script:
    """Return random answers, of which each depends on the task alone."""
    weights = [{APPROVED: 12, REJECTED: 7}.get(answer, 1) for answer in answers]

    def answer(task: StageTask) -> str:
        random = Random(f"{seed} {task.phase} {task.number}")
        return random.choices(answers, weights)[0]

    return answer


def result_of(task: StageTask, script: Script) -> GateResult:
    state = script(task)
    if state == FAILED:
        return GateResult(task.phase, "", REJECTED, "no answer", failed=True)
    return GateResult(task.phase, "", state, f"task {task.number} is {state}")


class World:
    """The files of a repository, which tasks write and somebody else may change."""

    def __init__(self, script: Script, tampers: Callable[[], bool] = lambda: False) -> None:
        self.script, self.tampers, self.changes = script, tampers, 0
        self.files: dict[str, str] = {}

    def begin(self, task: StageTask) -> tuple[str, ...]:
        """Return the approved files that are not as they were approved."""
        if self.files and self.tampers():
            self.changes += 1
            path = [*self.files][self.changes % len(self.files)]
            self.files[path] = f"changed {self.changes}"
        return tuple(path for path, hash in task.approved.items() if self.files.get(path) != hash)

    def end(self, flow: Flow, task: StageTask, changed: tuple[str, ...]) -> StageEnded:
        """Return the end of a task, which writes its files unless it found others changed."""
        if changed:
            return StageEnded(task.phase, task.number, None, changed=changed)
        phase = flow.phase(task.phase)
        if task.stage == PROMPT:
            files = {f"{phase.id}.prompt.md": f"prompt {task.number}"}
        else:
            made = task.creates or phase.made_by_person
            files = dict.fromkeys(phase.outputs, f"{phase.id} {task.number}") if made else {}
        self.files |= files
        seen = phase.gate.files if phase.gate and task.stage != PROMPT else files
        return StageEnded(
            phase=task.phase,
            number=task.number,
            result=result_of(task, self.script),
            output=f"output of task {task.number}",
            hashes={path: self.files[path] for path in seen},
            cost_usd=0.25,
            seconds=1.0,
        )


def run(
    flow: Flow, world: World, choose: Callable[[int], int], state: RunState | None = None
) -> tuple[RunState, list[Step]]:
    """Return the state in which a run ends or pauses, and its steps.

    `choose` picks one of so many events that may come next: a task that starts, or one that ends.
    """
    state = state or begun(flow, "run", ASKER)
    running: list[tuple[StageTask, tuple[str, ...]]] = []
    steps: list[Step] = []
    while outcome(state) == "running":
        startable = tasks(flow, state)
        number = choose(len(startable) + len(running))
        before = state
        if number < len(startable):
            task = startable[number]
            running.append((task, world.begin(task)))
            state = started(state, task)
            steps.append(Step(before, state, task, None))
        else:
            task, changed = running.pop(number - len(startable))
            event = world.end(flow, task, changed)
            state = advanced(flow, state, event)
            steps.append(Step(before, state, task, event))
        assert len(steps) < 3000, "the flow never ends"
    assert not running
    return state, steps


def above(flow: Flow, id: str) -> frozenset[str]:
    return order_of(flow).above[id]
