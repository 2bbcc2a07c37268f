"""The steps of a task in a process of its own: create the content, then run its gate."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping

from .. import codec
from ..config.approvals import APPROVAL_PHASE
from ..errors import HelixError
from ..phases.flow import Flow, Phase
from ..phases.gate_result import REJECTED, GateResult
from ..phases.json_form import event_json, read
from ..phases.run_state import StageEnded, StageTask
from ..text import printable
from . import asking, creating, tree
from .contents import changed
from .messages import Json, RunRequest, items, mapping, texts

CREATE, ASK, COMPARE, SETUP = "create", "ask", "compare", "setup"


def request_of(run: RunRequest, task: StageTask) -> dict[str, object]:
    """Return the request for the steps of a task, without the step and the path of the tree."""
    flow = run.flow
    recorded: list[str] = []
    for phase in flow.phases:
        if phase.type == APPROVAL_PHASE:
            recorded += asking.results_of(phase)
    return {
        "asked": run.asked,
        "flow": codec.plain(flow._replace(phases=(flow.phase(task.phase),)), short=True),
        "task": codec.plain(task, short=True),
        "recorded": recorded,
        "policy": dict(run.policy),
        "base": run.base,
        "begun": int(run.begun),
        "setup": list(run.flow.setup),
    }


def work(request: Json, show: Callable[[str], None]) -> Iterator[dict[str, object]]:
    """Do the steps of a task, and yield the answer of each, also after an error."""
    do = request.get("do")
    if do == SETUP:
        yield {"problem": creating.set_up(request, show)}
        return
    answer: dict[str, object] = {"made": request.get("made")}
    if do == CREATE:
        answer = _answered(_create_content, request, show, is_made=False)
        yield answer
    if "made" in answer:
        asked = {**request, "made": answer["made"]}
        yield _answered(_ask_gate, asked, show, is_made=True)


_Step = Callable[[Json, StageTask, Callable[[str], None]], dict[str, object]]


def _answered(
    step: _Step, request: Json, show: Callable[[str], None], *, is_made: bool
) -> dict[str, object]:
    task = read(request.get("task"), StageTask)
    try:
        return step(request, task, show)
    except HelixError as error:
        is_started = not isinstance(error, creating.NotStartedError)
        ended = _failed(task, str(error), is_made=is_made, is_started=is_started)
    except OSError as error:
        reason = f"{error.filename or request.get('root')}: {error.strerror or 'it failed'}"
        ended = _failed(task, reason, is_made=is_made)
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
            raise
        reason = f"internal error: {type(error).__name__}: {error}"
        ended = _failed(task, reason, is_made=is_made)
    return {"event": event_json(ended)}


def _create_content(
    request: Json, task: StageTask, show: Callable[[str], None]
) -> dict[str, object]:
    """Create the content, unless approved files changed."""
    root = str(request.get("root"))
    differs = changed(root, task.approved)
    if differs:
        ended = StageEnded(phase=task.phase, number=task.number, result=None, changed=differs)
        return {"event": event_json(ended)}
    made = creating.made(root, _phase(request, task), task, str(request.get("asked")), show)
    if made.stopped:
        return {"stopped": True}
    written = None if made.written is None else list(made.written)
    return {"made": {**made._asdict(), "written": written}}


def _ask_gate(request: Json, task: StageTask, show: Callable[[str], None]) -> dict[str, object]:
    """Ask the gate of a task about the content."""
    made = creating.made_from(mapping(request.get("made")))
    recorded = tuple(map(str, items(request.get("recorded"))))
    rules = asking.Rules(recorded, texts(request.get("policy")))
    root = str(request.get("root"))
    tree.restore_link(root)
    ended = asking.ended(root, _phase(request, task), task, made, rules, show)
    return {"event": event_json(ended)}


def _phase(request: Json, task: StageTask) -> Phase:
    return read(request.get("flow"), Flow).phase(task.phase)


def killed(task: StageTask, request: Json, reason: str) -> Mapping[str, object]:
    """Return the event of a step whose process did not answer."""
    return event_json(_failed(task, reason, is_made=request.get("do") != CREATE))


def failure(task: StageTask, reason: str, *, is_made: bool, is_started: bool = True) -> GateResult:
    """Return the answer of a gate that could not be asked, or had nothing to look at."""
    return GateResult(
        gate=task.phase,
        gate_type="",
        state=REJECTED,
        message=printable(reason, 500),
        failed=True,
        is_started=is_started,
        is_made=is_made,
    )


def _failed(task: StageTask, reason: str, *, is_made: bool, is_started: bool = True) -> StageEnded:
    result = failure(task, reason, is_made=is_made, is_started=is_started)
    return StageEnded(phase=task.phase, number=task.number, result=result)
