"""Flows, states, tasks and events as JSON values with a version, strictly read.

The form lies in databases for months: version 1 is read by all later programs.
"""

from .flow import Flow
from .run_state import PersonDecided, RunState, StageEnded, StageTask

Json = dict[str, object]


def flow_json(flow: Flow) -> Json:
    raise NotImplementedError


def flow_from(value: object) -> Flow:
    raise NotImplementedError


def state_json(state: RunState) -> Json:
    raise NotImplementedError


def state_from(value: object) -> RunState:
    raise NotImplementedError


def task_json(task: StageTask) -> Json:
    raise NotImplementedError


def task_from(value: object) -> StageTask:
    raise NotImplementedError


def event_json(event: StageEnded | PersonDecided) -> Json:
    raise NotImplementedError


def event_from(value: object) -> StageEnded | PersonDecided:
    raise NotImplementedError
