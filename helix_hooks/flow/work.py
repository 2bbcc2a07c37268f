"""The steps of a task in a process of its own: create the content, then run its gate."""

import os
import sys
from collections.abc import Callable, Iterator

from .. import codec
from ..config.approvals import APPROVAL_PHASE
from ..errors import HelixError
from ..phases.gate_result import REJECTED, GateResult
from ..phases.json_form import event_json, read
from ..phases.run_state import StageEnded, StageTask
from ..text import printable
from . import asking, creating, tree
from .contents import changed
from .messages import Json, Made, RunRequest, Step

CREATE, ASK, COMPARE, SETUP = "create", "ask", "compare", "setup"


def request_of(run: RunRequest, task: StageTask) -> Json:
    """Return the request for the steps of a task, without the step and the path of the tree."""
    flow = run.flow
    recorded: list[str] = []
    for phase in flow.phases:
        if phase.type == APPROVAL_PHASE:
            recorded += phase.outputs
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


def work(request: Json, show: Callable[[str], None]) -> Iterator[Json]:
    """Do the steps of a task, and yield the answer of each, also after an error."""
    if request["do"] == SETUP:
        run, root, log = request["run"], request["root"], request["log"]
        yield {"problem": creating.set_up(run, request["setup"], root, log, show)}
        return
    step = read(request, Step)
    if step.do == CREATE:
        answer = _answered(_create_content, step, show)
        yield answer
        if "made" not in answer:
            return
        step = step._replace(do=ASK, made=read(answer["made"], Made))
    yield _answered(_ask_gate, step, show)


def _answered(
    do: Callable[[Step, Callable[[str], None]], Json], step: Step, show: Callable[[str], None]
) -> Json:
    is_started = True
    try:
        return do(step, show)
    except HelixError as error:
        is_started = not isinstance(error, creating.NotStartedError)
        reason = str(error)
    except OSError as error:
        reason = f"{error.filename or step.root}: {error.strerror or 'it failed'}"
    except Exception as error:
        if os.environ.get("HELIX_HOOKS_DEBUG"):
            sys.excepthook(type(error), error, error.__traceback__)
            raise
        reason = f"internal error: {type(error).__name__}: {error}"
    return {"event": failed(step.task, reason, is_made=step.do == ASK, is_started=is_started)}


def _create_content(step: Step, show: Callable[[str], None]) -> Json:
    """Create the content, unless approved files changed."""
    task = step.task
    differs = changed(step.root, task.approved)
    if differs:
        ended = StageEnded(phase=task.phase, number=task.number, result=None, changed=differs)
        return {"event": event_json(ended)}
    made = creating.made(step, show)
    if made.stopped:
        return {"stopped": True}
    return {"made": codec.plain(made)}


def _ask_gate(step: Step, show: Callable[[str], None]) -> Json:
    """Ask the gate of a task about the content."""
    tree.restore_link(step.root)
    return {"event": event_json(asking.ended(step, show))}


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


def failed(task: StageTask, reason: str, *, is_made: bool, is_started: bool = True) -> Json:
    """Return the event of a task whose step failed."""
    result = failure(task, reason, is_made=is_made, is_started=is_started)
    return event_json(StageEnded(phase=task.phase, number=task.number, result=result))
