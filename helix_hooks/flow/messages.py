"""Values in the database about a run: its request, its published state, and messages to it.

Workflows execute a run one after the other: RUN.1, RUN.2 and so on. The next one starts when an
ended run is retried, after an upgrade, and when an error of the database ended the last one. The
tasks of RUN.2 are the workflows RUN.2/PHASE/NUMBER.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..phases.flow import Flow, Phase
from ..phases.run_state import RunState, StageTask

RUN_WORKFLOW, STAGE_WORKFLOW = "helix_run", "helix_stage"
TOPIC, EVENT = "events", "run"
"""The topic of messages to a run, and the key under which it publishes its state."""

_REMEMBERED = 50
"""Maximum ids of read messages that a run publishes."""

Json = Mapping[str, Any]
"""A JSON object that this program has written."""


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
        commit, number = head["commit"], head["number"]
        after = self._replace(commits={**self.commits, phase: commit})
        # Of two tasks at the same time, the one that ended later may be read first.
        if number > self.commit_number:
            after = after._replace(commit=commit, commit_number=number)
        return after

    def having_seen(self, message: Json) -> "Published":
        if "id" not in message:
            return self
        return self._replace(seen=(*self.seen, message["id"])[-_REMEMBERED:])


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

    @property
    def published(self) -> Published:
        """The values with which the workflow starts."""
        return Published(
            state=self.state,
            running=self.running,
            sequence=self.sequence,
            commit=self.commit,
            commit_number=self.commit_number,
            commits=self.commits,
        )


class Made(NamedTuple):
    """The end of a command: the reason of a failure ("" for none), the end of its output, its cost.

    `stopped`: a signal stopped this process. Without `is_started` the program can't be started.
    `written` are the outputs that were written in this attempt, None if no command ran.
    """

    problem: str = ""
    output: str = ""
    cost_usd: float = 0.0
    stopped: bool = False
    is_started: bool = True
    written: tuple[str, ...] | None = None


class Step(NamedTuple):
    """A step of a task for its process: `do` is "create" or "ask", `root` the work tree of the run.

    `flow` has only the phase of the task, `asked` is the task of the run. `recorded` are the paths
    of the run's approval results, `policy` the hashes of the settings for gates. `made` is the end
    of the step before, None if there was none.
    """

    do: str
    root: str
    task: StageTask
    flow: Flow
    asked: str
    recorded: tuple[str, ...]
    policy: Mapping[str, str]
    made: Made | None = None

    @property
    def phase(self) -> Phase:
        return self.flow.phase(self.task.phase)


def workflow_id(run: str, segment: int) -> str:
    return f"{run}.{segment}"


def task_id(workflow: str, task: StageTask) -> str:
    return f"{workflow}/{task.phase}/{task.number}"


def run_of(workflow: str) -> tuple[str, int]:
    """Return the run of a workflow or task, and the number of the workflow in the run."""
    run, _, segment = workflow.partition("/")[0].rpartition(".")
    return run, int(segment) if segment.isdigit() else 0
