"""One step of a task, in a process of its own: content is created, or its gate is asked."""

import os
import sys
from collections.abc import Callable, Mapping

from ..errors import HelixError
from ..phases.flow import Flow, Phase
from ..phases.gate_result import REJECTED, GateResult
from ..phases.json_form import event_json, flow_from, flow_json, task_from, task_json
from ..phases.run_state import StageEnded, StageTask
from ..text.sanitize import printable
from . import asking, creating
from .contents import changed
from .messages import Json, items, mapping

CREATE, ASK, COMPARE = "create", "ask", "compare"


def request_of(
    do: str, root: str, asked: str, flow: Flow, task: StageTask, made: Json | None = None
) -> dict[str, object]:
    """Return the request for a step; `made` is the answer of the step before."""
    recorded = [path for phase in flow.phases if phase.type == "approval" for path in phase.outputs]
    return {
        "do": do,
        "root": root,
        "asked": asked,
        "flow": flow_json(flow._replace(phases=(flow.phase(task.phase),))),
        "task": task_json(task),
        "recorded": recorded,
        "made": dict(made or {}),
    }


def work(request: Json, show: Callable[[str], None]) -> dict[str, object]:
    """Do a step and return its answer; an error is part of it."""
    task = task_from(request.get("task"))
    flow = flow_from(request.get("flow"))
    root = str(request.get("root"))
    phase = flow.phase(task.phase)
    try:
        if request.get("do") == CREATE:
            return _created(root, phase, task, str(request.get("asked")), show)
        made = creating.made_from(mapping(request.get("made")))
        recorded = tuple(map(str, items(request.get("recorded"))))
        ended = asking.ended(root, phase, task, made, recorded, show)
    except HelixError as error:
        ended = _failed(task, str(error))
    except OSError as error:
        ended = _failed(task, f"{error.filename or root}: {error.strerror or 'it failed'}")
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
            raise
        ended = _failed(task, f"internal error: {type(error).__name__}: {error}")
    return {"event": event_json(ended)}


def _created(
    root: str, phase: Phase, task: StageTask, asked: str, show: Callable[[str], None]
) -> dict[str, object]:
    """Create content if the approved files are still as they were."""
    differs = changed(root, task.approved)
    if differs:
        return {"event": event_json(StageEnded(task.phase, task.number, None, changed=differs))}
    made = creating.made(root, phase, task, asked, show)
    if made.stopped:
        return {"stopped": True}
    return {"made": made._asdict()}


def killed(task: StageTask, reason: str) -> Mapping[str, object]:
    """Return the event of a step whose process did not answer."""
    return event_json(_failed(task, reason))


def _failed(task: StageTask, reason: str) -> StageEnded:
    result = GateResult(
        gate=task.phase,
        gate_type="",
        state=REJECTED,
        message=printable(reason, 500),
        failed=True,
    )
    return StageEnded(task.phase, task.number, result)
