"""Flows, states, tasks and events as JSON: nothing is lost, nothing else is read.

`version_1.json` lies here as it lies in databases: it is never changed, and every program reads it.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from helix_hooks import codec
from helix_hooks.config.gates import Gate
from helix_hooks.errors import HelixError
from helix_hooks.finding import Finding
from helix_hooks.flow.messages import Published, RunRequest
from helix_hooks.phases.flow import Budget, Flow, Phase, Rejection
from helix_hooks.phases.gate_result import GateResult
from helix_hooks.phases.json_form import event_from, event_json, read
from helix_hooks.phases.run_state import (
    Decider,
    PersonDecided,
    PhaseProgress,
    RunState,
    StageEnded,
    StageTask,
)

DEFAULTS = Path(__file__).parent / "defaults.json"
KINDS = (
    Budget, Decider, Finding, Flow, Gate, GateResult, Phase, PhaseProgress, Published, Rejection,
    RunRequest, RunState, StageTask,
)  # fmt: skip
FROZEN = json.loads((Path(__file__).parent / "version_1.json").read_text(encoding="utf-8"))

GATE = Gate(
    name="adr",
    kind="approval",
    place="phases.yaml:4",
    approver="claude",
    files=("a.md", "b/*.md"),
    concept="concept.md",
    semantic="true",
    approval_type="adr",
    checks=("completeness",),
    result="needs_revision",
    result_file="r.json",
    adrs=("ADR-014",),
    command=("make", "docs"),
    outputs=("docs/*.md",),
    timeout=60,
    percent=99.5,
)
FINDING = Finding(
    severity="warning",
    check="completeness",
    layer="agent",
    message="no owner",
    path="a.md",
    line=3,
    end_line=4,
    column=2,
    help="name one",
    evidence="Owner:",
)
RESULT = GateResult(
    gate="adr",
    gate_type="approval",
    state="rejected",
    message="no owner",
    findings=(FINDING,),
    suggestions=("name the owner",),
    details={"confidence": 0.5, "files": ["a.md", None, {"deep": True}]},
    cost_usd=0.25,
    failed=True,
)
PHASE = Phase(
    id="a",
    type="consultant",
    place="phases.yaml:3",
    depends_on=("b",),
    inputs=("in.md",),
    outputs=("a.md",),
    creator=("claude", "-p"),
    prompt="Do {{task}}",
    prompt_file="p.md",
    prompt_command=("make-prompt",),
    remakes_prompts=True,
    prompt_gate=GATE,
    gate=GATE._replace(approver="manual"),
    verify_agent=True,
    max_retries=2,
    allow_rewrite=True,
    on_rejection=Rejection("retry_phase", "b", 1, "{{blocking_issues}}"),
    timeout=60,
)
FLOW = Flow(
    name="all",
    path="phases.yaml",
    hash="f" * 64,
    phases=(PHASE, Phase("b", "writer", "phases.yaml:9")),
    budget=Budget(1.5, 2.5),
)
PROGRESS = PhaseProgress(
    state="paused",
    stage="response",
    attempt=2,
    number=5,
    used=1,
    result=RESULT,
    feedback="no owner",
    rejected="printed",
    hashes={"a.md": "1" * 64},
    question="what now?",
    overridden="grace: so",
    cost_usd=0.75,
    seconds=12.5,
    prompt_hashes={"p.md": "2" * 64},
    ready=True,
    creates=False,
    pause="review",
    seen={"a.md": "3" * 64},
    basis={"b.md": "4" * 64},  # as before flow version 4
    carried="from c",
    output="the end",
    repeats=True,
    stale=True,
    earlier="asked-again",
    reopened=2,
    definition="5" * 64,
)
STATE = RunState(
    run="r1",
    asked_by=Decider("ada", True, True),
    phases={"a": PROGRESS, "b": PhaseProgress(basis={})},
    only=("a",),
    cancelled=True,
    warning="soft",
    question="more?",
    allowed_usd=2.5,
    raised=1,
)
TASK = StageTask(
    run="r1",
    phase="a",
    stage="prompt",
    attempt=2,
    number=5,
    creates=False,
    feedback="no owner",
    rejected="printed",
    approved={"b.md": "4" * 64},
)
ENDED = StageEnded(
    phase="a",
    number=5,
    result=RESULT,
    output="the end",
    hashes={"a.md": "1" * 64},
    changed=("b.md",),
    cost_usd=0.25,
    seconds=1.5,
)
DECIDED = PersonDecided(
    action="approve",
    phase="a",
    number=5,
    by=Decider("grace", True, True),
    reason="so",
    override=True,
)
CASES: Mapping[str, tuple[object, Callable[[object], object], Callable[[], dict[str, object]]]] = {
    "flow": (FLOW, lambda value: read(value, Flow), lambda: codec.plain(FLOW)),
    "state": (STATE, lambda value: read(value, RunState), lambda: codec.plain(STATE)),
    "task": (TASK, lambda value: read(value, StageTask), lambda: codec.plain(TASK)),
    "stage_ended": (ENDED, event_from, lambda: event_json(ENDED)),
    "person_decided": (DECIDED, event_from, lambda: event_json(DECIDED)),
}
RECORDS = (
    Flow, Phase, Gate, Rejection, Budget, RunState, PhaseProgress, Decider, GateResult, Finding,
    StageTask, StageEnded, PersonDecided,
)  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_frozen_file_is_read(name: str) -> None:
    value, read, _ = CASES[name]
    assert read(FROZEN[name]) == value


@pytest.mark.parametrize("name", CASES)
def test_what_is_written_is_read(name: str) -> None:
    value, read, written = CASES[name]
    assert read(json.loads(json.dumps(written()))) == value


def test_every_field_is_written() -> None:
    found = {keys for _, _, written in CASES.values() for keys in objects(written())}
    for record in RECORDS:
        fields = frozenset(record._fields)
        assert {fields, fields | {"kind"}} & found, record.__name__


def objects(value: object) -> Iterator[frozenset[str]]:
    if isinstance(value, dict):
        yield frozenset(value)
        for item in value.values():
            yield from objects(item)
    elif isinstance(value, list):
        for item in value:
            yield from objects(item)


def test_no_default_has_changed() -> None:
    """A field at its default is not stored: another default would change what is stored."""
    for name, defaults in json.loads(DEFAULTS.read_text(encoding="utf-8")).items():
        (kind,) = (kind for kind in KINDS if kind.__name__ == name)
        now = codec.plain(kind._field_defaults)
        assert now | defaults == now, f"{name}: give a new field a new name instead"


def test_fields_that_are_younger_than_a_document_have_defaults() -> None:
    short = {
        "version": 1,
        "kind": "state",
        "run": "r1",
        "asked_by": {"name": "ada", "verified": False},
        "phases": {"a": {"state": "waiting", "stage": "prompt", "attempt": 1, "number": 0}},
    }
    assert read(short, RunState) == RunState("r1", Decider("ada", False), {"a": PhaseProgress()})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("run", None),
        ("only", "a"),
        ("only", [1]),
        ("cancelled", "no"),
        ("raised", -1),
        ("raised", True),
        ("allowed_usd", float("nan")),
        ("allowed_usd", -1),
        ("phases", []),
        ("phases.a.state", "green"),
        ("phases.a.number", "5"),
        ("phases.a.pause", "perhaps"),
        ("phases.a.earlier", "perhaps"),
        ("phases.a.hashes", {"a": 1}),
        ("phases.a.result.state", "none"),
        ("phases.a.result.failed", 0),
        ("phases.a.result.findings", [{}]),
        ("asked_by", {}),
    ],
)
def test_anything_else_is_refused(path: str, value: object) -> None:
    document = json.loads(json.dumps(codec.plain(STATE)))
    place = document
    *above, last = path.split(".")
    for step in above:
        place = place[step]
    place[last] = value
    with pytest.raises(
        HelixError, match=r"RunState in the database: .*\$\." + above[0] if above else last
    ):
        read(document, RunState)


@pytest.mark.parametrize(
    "value", [None, {}, [], {"kind": "flow"}, {"kind": "person_decided", "action": "green"}]
)
def test_what_is_no_event_is_refused(value: object) -> None:
    with pytest.raises(HelixError):
        event_from(value)
