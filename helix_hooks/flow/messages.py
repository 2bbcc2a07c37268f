"""Values in the database about a run: its request, its published state, and messages to it.

Workflows execute a run one after the other: RUN.1, RUN.2 and so on. The next one starts when an
ended run is retried, after an upgrade, and when an error of the database ended the last one. The
tasks of RUN.2 are the workflows RUN.2/PHASE/NUMBER.
"""

from collections.abc import Mapping
from typing import NamedTuple

from ..errors import HelixError
from ..phases.flow import Flow
from ..phases.json_form import read
from ..phases.run_state import RunState, StageTask

RUN_WORKFLOW, STAGE_WORKFLOW = "helix_run", "helix_stage"
TOPIC, EVENT = "events", "run"
"""The topic of messages to a run, and the key under which it publishes its state."""

_REMEMBERED = 50
"""Maximum ids of read messages that a run publishes."""

Json = Mapping[str, object]


class RunRequest(NamedTuple):
    """The input of a workflow of a run.

    `asked` is the task of the run, `root` the work tree of the user who began it, `policy` are the
    hashes of the settings for gates, `begun` is when it was asked for, in seconds since 1970. It
    starts from the commit `base`, and `file` is the text of the flow's file. The rest comes from
    the workflow before: `running` are its unfinished tasks, `carried` its unread messages,
    `sequence` is the number of the last line of the event log, `commit` the last commit of the run,
    `commits` the last one of each phase. With `waits` a run that has ended first waits for a
    message.
    """

    root: str
    asked: str
    flow: Flow
    state: RunState
    running: tuple[StageTask, ...] = ()
    carried: tuple[Json, ...] = ()
    sequence: int = 0
    waits: bool = False
    policy: Mapping[str, str] = {}
    begun: float = 0
    base: str = ""
    commit: str = ""
    commit_number: int = 0
    commits: Mapping[str, str] = {}
    file: str = ""


class Published(NamedTuple):
    """The published values of a run: state, running tasks, ids of read messages (`seen`).

    `commit` is the last commit of the run, with its number, `commits` the last one of each phase.
    """

    state: RunState
    running: tuple[StageTask, ...] = ()
    seen: tuple[str, ...] = ()
    sequence: int = 0
    commit: str = ""
    commit_number: int = 0
    commits: Mapping[str, str] = {}

    def with_head(self, phase: str, head: Json) -> "Published":
        """Return the values with the commit of a task that has ended."""
        commit, count = str(head.get("commit", "")), number(head.get("number"))
        after = self._replace(commits={**self.commits, phase: commit})
        # Of two tasks at the same time, the one that ended later may be read first.
        if count > self.commit_number:
            after = after._replace(commit=commit, commit_number=count)
        return after

    def having_seen(self, message: Json) -> "Published":
        id = message.get("id")
        if not isinstance(id, str):
            return self
        return self._replace(seen=(*self.seen, id)[-_REMEMBERED:])


def published_from(value: object) -> Published:
    """Return the published values of a run from their JSON form. Raises HelixError."""
    return read(value, Published)


def request_from(value: object) -> RunRequest:
    """Return a request from its JSON form. Raises HelixError."""
    return read(value, RunRequest)


def mapping(value: object) -> Json:
    """Return a JSON object. Raises HelixError for anything else."""
    if not isinstance(value, dict):
        raise HelixError("the flow database has a value that helix-hooks did not write")
    return value


def texts(value: object) -> dict[str, str]:
    """Return a JSON object of strings, an empty one for any other value."""
    if not isinstance(value, dict):
        return {}
    return {str(key): str(text) for key, text in value.items()}


def items(value: object) -> list[object]:
    """Return a JSON list, an empty one for any other value."""
    return value if isinstance(value, list) else []


def number(value: object) -> int:
    """Return a JSON integer, 0 for any other value."""
    return value if isinstance(value, int) else 0


def workflow_id(run: str, segment: int) -> str:
    return f"{run}.{segment}"


def task_id(workflow: str, task: StageTask) -> str:
    return f"{workflow}/{task.phase}/{task.number}"


def run_of(workflow: str) -> tuple[str, int]:
    """Return the run of a workflow or task, and the number of the workflow in the run."""
    run, _, segment = workflow.partition("/")[0].rpartition(".")
    return run, int(segment) if segment.isdigit() else 0
