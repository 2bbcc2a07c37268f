"""Flows, states, tasks and events as JSON values with a version, parsed strictly.

Databases keep these values for months, so later versions of the program must read version 1. A new
field must have a default and come last. Any other change needs a new version.
"""

from ..config.gates import GATE_KINDS, Gate
from ..errors import HelixError
from ..finding import LAYERS, SEVERITIES, Finding
from .flow import ACTIONS, STAGES, Budget, Flow, Phase, Rejection
from .gate_result import STATES, GateResult
from .json_values import (
    BOOLEAN,
    NUMBER,
    OBJECT,
    TEXT,
    WHOLE,
    Codec,
    Json,
    T_co,
    listed,
    mapped,
    one_of,
    optional,
    record,
)
from .run_state import (
    APPROVE,
    ASKED_AGAIN,
    CANCEL,
    KEPT,
    PAUSES,
    PHASE_STATES,
    REJECT,
    RETRY,
    Decider,
    PersonDecided,
    PhaseProgress,
    RunState,
    StageEnded,
    StageTask,
)

VERSION = 1

_TEXTS = listed(TEXT)
_HASHES = mapped(TEXT)
_STAGE = one_of(STAGES)

_FINDING = record(
    Finding,
    {
        "severity": one_of(SEVERITIES),
        "check": TEXT,
        "layer": one_of(LAYERS),
        "message": TEXT,
        "path": TEXT,
        "line": WHOLE,
        "end_line": WHOLE,
        "column": WHOLE,
        "help": TEXT,
        "evidence": TEXT,
        "end_column": WHOLE,
        "question": BOOLEAN,
        "subject": TEXT,
    },
    needed=5,
)
_RESULT = record(
    GateResult,
    {
        "gate": TEXT,
        "gate_type": TEXT,
        "state": one_of(STATES),
        "message": TEXT,
        "findings": listed(_FINDING),
        "suggestions": _TEXTS,
        "details": OBJECT,
        "cost_usd": NUMBER,
        "failed": BOOLEAN,
        "is_started": BOOLEAN,
        "is_made": BOOLEAN,
    },
    needed=4,
)
_GATE = record(
    Gate,
    {
        "name": TEXT,
        "kind": one_of(GATE_KINDS),
        "place": TEXT,
        "approver": TEXT,
        "files": _TEXTS,
        "concept": TEXT,
        "semantic": TEXT,
        "approval_type": TEXT,
        "checks": _TEXTS,
        "result": TEXT,
        "result_file": TEXT,
        "adrs": _TEXTS,
        "command": _TEXTS,
        "outputs": _TEXTS,
        "timeout": WHOLE,
        "percent": NUMBER,
        "is_default": BOOLEAN,
    },
    needed=2,
)
_REJECTION = record(
    Rejection,
    {"action": one_of(ACTIONS), "target": TEXT, "max_retries": WHOLE, "template": TEXT},
    needed=1,
)
_PHASE = record(
    Phase,
    {
        "id": TEXT,
        "type": TEXT,
        "place": TEXT,
        "depends_on": _TEXTS,
        "inputs": _TEXTS,
        "outputs": _TEXTS,
        "creator": _TEXTS,
        "prompt": TEXT,
        "prompt_file": TEXT,
        "prompt_command": _TEXTS,
        "remakes_prompts": BOOLEAN,
        "prompt_gate": optional(_GATE),
        "gate": optional(_GATE),
        "verify_agent": BOOLEAN,
        "max_retries": WHOLE,
        "allow_rewrite": BOOLEAN,
        "on_rejection": _REJECTION,
        "timeout": WHOLE,
    },
    needed=3,
)
_FLOW = record(
    Flow,
    {
        "name": TEXT,
        "path": TEXT,
        "hash": TEXT,
        "phases": listed(_PHASE),
        "budget": record(Budget, {"soft": NUMBER, "hard": NUMBER}, needed=0),
        "setup": _TEXTS,
    },
    needed=4,
)
DECIDER = record(
    Decider,
    {
        "name": TEXT,
        "verified": BOOLEAN,
        "is_sole": BOOLEAN,
        "delegate_of": TEXT,
        "is_rule": BOOLEAN,
    },
    needed=2,
)
_PROGRESS = record(
    PhaseProgress,
    {
        "state": one_of(PHASE_STATES),
        "stage": _STAGE,
        "attempt": WHOLE,
        "number": WHOLE,
        "used": WHOLE,
        "result": optional(_RESULT),
        "feedback": TEXT,
        "rejected": TEXT,
        "hashes": _HASHES,
        "question": TEXT,
        "overridden": TEXT,
        "cost_usd": NUMBER,
        "seconds": NUMBER,
        "prompt_hashes": _HASHES,
        "ready": BOOLEAN,
        "creates": BOOLEAN,
        "pause": one_of(("", *PAUSES)),
        "seen": _HASHES,
        "basis": _HASHES,
        "carried": TEXT,
        "output": TEXT,
        "repeats": BOOLEAN,
        "stale": BOOLEAN,
        "earlier": one_of(("", KEPT, ASKED_AGAIN)),
        "reopened": WHOLE,
        "definition": TEXT,
        "decided": TEXT,
    },
    needed=4,
)
_STATE = record(
    RunState,
    {
        "run": TEXT,
        "asked_by": DECIDER,
        "phases": mapped(_PROGRESS),
        "only": _TEXTS,
        "cancelled": BOOLEAN,
        "warning": TEXT,
        "question": TEXT,
        "allowed_usd": NUMBER,
        "raised": WHOLE,
        "decided": TEXT,
    },
    needed=3,
)
_TASK = record(
    StageTask,
    {
        "run": TEXT,
        "phase": TEXT,
        "stage": _STAGE,
        "attempt": WHOLE,
        "number": WHOLE,
        "creates": BOOLEAN,
        "feedback": TEXT,
        "rejected": TEXT,
        "approved": _HASHES,
    },
    needed=6,
)
_ENDED = record(
    StageEnded,
    {
        "phase": TEXT,
        "number": WHOLE,
        "result": optional(_RESULT),
        "output": TEXT,
        "hashes": _HASHES,
        "changed": _TEXTS,
        "cost_usd": NUMBER,
        "seconds": NUMBER,
    },
    needed=3,
)
_DECIDED = record(
    PersonDecided,
    {
        "action": one_of((APPROVE, REJECT, RETRY, CANCEL)),
        "phase": TEXT,
        "number": WHOLE,
        "by": DECIDER,
        "reason": TEXT,
        "override": BOOLEAN,
        "at": WHOLE,
    },
    needed=4,
)


def flow_json(flow: Flow) -> Json:
    return _written("flow", _FLOW, flow)


def flow_from(value: object) -> Flow:
    """Return a flow. Raises HelixError for any value that `flow_json` does not write."""
    return _read("flow", _FLOW, value)


def state_json(state: RunState) -> Json:
    return _written("state", _STATE, state)


def state_from(value: object) -> RunState:
    """Return the state of a run. Raises HelixError for any value not from `state_json`."""
    return _read("state", _STATE, value)


def task_json(task: StageTask) -> Json:
    return _written("task", _TASK, task)


def task_from(value: object) -> StageTask:
    """Return a task. Raises HelixError for any value that `task_json` does not write."""
    return _read("task", _TASK, value)


def event_json(event: StageEnded | PersonDecided) -> Json:
    if isinstance(event, StageEnded):
        return _written("stage_ended", _ENDED, event)
    return _written("person_decided", _DECIDED, event)


def event_from(value: object) -> StageEnded | PersonDecided:
    """Return an event. Raises HelixError for any value that `event_json` does not write."""
    if isinstance(value, dict) and value.get("kind") == "stage_ended":
        return _read("stage_ended", _ENDED, value)
    return _read("person_decided", _DECIDED, value)


def _written(kind: str, codec: Codec[object], value: object) -> Json:
    fields = codec.write(value)
    if not isinstance(fields, dict):
        fields = {}
    return {"version": VERSION, "kind": kind, **fields}


def _read(kind: str, codec: Codec[T_co], value: object) -> T_co:
    """Return a document of a kind. Raises HelixError."""
    if not isinstance(value, dict):
        raise HelixError(f"the {kind} is not an object")
    # In Python True == 1, so a version `true` must be excluded.
    if value.get("version") != VERSION or isinstance(value["version"], bool):
        raise HelixError(
            f"the version of the {kind} is {value.get('version')!r}; this program reads {VERSION}"
        )
    if value.get("kind") != kind:
        raise HelixError(f"expected the kind {kind!r}, got {value.get('kind')!r}")
    fields = {key: item for key, item in value.items() if key not in ("version", "kind")}
    return codec.read(fields, kind)
