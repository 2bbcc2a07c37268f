"""One step of a task in a process of its own: create the content, or run its gate."""

import os
import sys
from collections.abc import Callable, Mapping

from ..config.approvals import APPROVAL_PHASE
from ..errors import HelixError
from ..phases.flow import Phase
from ..phases.gate_result import REJECTED, GateResult
from ..phases.json_form import event_json, flow_from, flow_json, task_from, task_json
from ..phases.run_state import StageEnded, StageTask
from ..text import printable
from . import asking, creating
from .contents import changed
from .messages import Json, RunRequest, items, mapping, texts

CREATE, ASK, COMPARE, COMMIT, SETUP = "create", "ask", "compare", "commit", "setup"


def request_of(run: RunRequest, task: StageTask) -> dict[str, object]:
    """Return the request for the steps of a task, without the step and the path of the tree."""
    flow = run.flow
    recorded: list[str] = []
    for phase in flow.phases:
        if phase.type == APPROVAL_PHASE:
            recorded += asking.results_of(phase)
    return {
        "asked": run.asked,
        "flow": flow_json(flow._replace(phases=(flow.phase(task.phase),))),
        "task": task_json(task),
        "recorded": recorded,
        "policy": dict(run.policy),
        "base": run.base,
        "setup": list(run.flow.setup),
    }


def work(request: Json, show: Callable[[str], None]) -> dict[str, object]:
    """Do a step and return its answer, also after an error."""
    if request.get("do") == SETUP:
        return {"problem": creating.set_up(request, show)}
    task = task_from(request.get("task"))
    flow = flow_from(request.get("flow"))
    root = str(request.get("root"))
    phase, creates = flow.phase(task.phase), request.get("do") == CREATE
    try:
        if creates:
            return _create_content(root, phase, task, str(request.get("asked")), show)
        made = creating.made_from(mapping(request.get("made")))
        recorded = tuple(map(str, items(request.get("recorded"))))
        rules = asking.Rules(recorded, texts(request.get("policy")))
        ended = asking.ended(root, phase, task, made, rules, show)
    except HelixError as error:
        is_started = not isinstance(error, creating.NotStartedError)
        ended = _failed(task, str(error), is_made=not creates, is_started=is_started)
    except OSError as error:
        reason = f"{error.filename or root}: {error.strerror or 'it failed'}"
        ended = _failed(task, reason, is_made=not creates)
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
            raise
        reason = f"internal error: {type(error).__name__}: {error}"
        ended = _failed(task, reason, is_made=not creates)
    return {"event": event_json(ended)}


def _create_content(
    root: str, phase: Phase, task: StageTask, asked: str, show: Callable[[str], None]
) -> dict[str, object]:
    """Create the content, unless approved files changed."""
    differs = changed(root, task.approved)
    if differs:
        ended = StageEnded(phase=task.phase, number=task.number, result=None, changed=differs)
        return {"event": event_json(ended)}
    made = creating.made(root, phase, task, asked, show)
    if made.stopped:
        return {"stopped": True}
    return {"made": made._asdict()}


def killed(task: StageTask, request: Json, reason: str) -> Mapping[str, object]:
    """Return the event of a step whose process did not answer."""
    return event_json(_failed(task, reason, is_made=request.get("do") != CREATE))


def _failed(task: StageTask, reason: str, *, is_made: bool, is_started: bool = True) -> StageEnded:
    result = GateResult(
        gate=task.phase,
        gate_type="",
        state=REJECTED,
        message=printable(reason, 500),
        failed=True,
        is_started=is_started,
        is_made=is_made,
    )
    return StageEnded(phase=task.phase, number=task.number, result=result)
