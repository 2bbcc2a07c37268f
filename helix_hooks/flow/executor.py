"""The execution of runs in this process, by DBOS.

All policy is in `phases`. DBOS starts each workflow, repeats interrupted ones, and records each
step. An error of the database or of the program ends this process, not the workflow: the next
process continues it.
"""

import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, NoReturn, TypeVar

from dbos import DBOS, SetWorkflowID

from .. import codec, writing
from ..errors import GitError, HelixError
from ..phases.advance import advanced, compared, outcome, started, tasks
from ..phases.flow import Flow
from ..phases.json_form import event_from, event_json, read
from ..phases.progress import approved_hashes
from ..phases.run_state import (
    APPROVED,
    CANCELLED,
    ENDED,
    RUNNING,
    RunState,
    StageEnded,
    StageTask,
)
from ..proc import orphans
from ..verify.stop import RUN
from . import tree, work
from .contents import changed
from .database import version_name
from .event_log import EventLog
from .messages import (
    EVENT,
    RUN_WORKFLOW,
    STAGE_WORKFLOW,
    TOPIC,
    Json,
    Published,
    RunRequest,
    run_of,
    task_id,
)
from .place import FLOW, FlowPlace
from .processes import Answers, StoppedError, WorkProcesses
from .serializer import JsonSerializer
from .storage import DatabaseError, explanation, url_of
from .tree_git import push

_FOREVER = 1e9
"""Seconds to wait for a message."""
_NOTICE = 0.1
"""Seconds between two queries of DBOS for messages to a run. SQLite can't notify."""
_CANCELLED_AFTER = 1.0
"""Seconds between two queries for the cancellation of a task."""
_STUCK = 30.0
"""Seconds until a step is tried again that can't read or write the files of its run."""
_Value = TypeVar("_Value")
_Start = Callable[[str, Json], None]


class Edges(NamedTuple):
    """Functions that get each new state of a run, and each line of output of a phase's command."""

    changed: Callable[[str, Flow, Published], None]
    show: Callable[[str, str, str], None]


class Executor:
    """The workflows, and the state of those that run in this process.

    `failure` is an error that ends this process. `stuck` has the error of each run whose files
    can't be read or written. `working` are the workflow ids of the tasks with a step that runs.
    """

    def __init__(
        self,
        place: FlowPlace,
        processes: WorkProcesses,
        edges: Edges,
        last_commit: Callable[[str], tuple[str, int]],
        is_ours: Callable[[], bool],
    ) -> None:
        """Functions about the database: the last commit of a run with its number, and whether the
        runs of this process are still its own.
        """
        self.place, self.edges = place, edges
        self._processes = processes
        self._last_commit, self._is_ours = last_commit, is_ours
        self._locks: dict[str, threading.Lock] = {}
        self._trees: set[str] = set()
        self.failure: HelixError | None = None
        self.stuck: dict[str, HelixError] = {}
        self.is_stopping = False
        self.working: set[str] = set()

    def launch(self, executor: str, queues: Sequence[str]) -> None:
        """Start DBOS, which resumes the work of an executor with this name. Raises HelixError."""
        DBOS(
            config={
                "name": self.place.name,
                "system_database_url": url_of(self.place),
                "application_version": version_name(self.place),
                "executor_id": executor,
                "serializer": JsonSerializer(),
                "log_level": "CRITICAL",
                "enable_otlp": False,
                "notification_listener_polling_interval_sec": _NOTICE,
            }
        )

        @DBOS.workflow(name=STAGE_WORKFLOW, max_recovery_attempts=None)
        def stage(value: Json) -> None:
            self._work_or_wait("", lambda: self._do_stage(value))

        def start(id: str, value: Json) -> None:
            with SetWorkflowID(id):
                DBOS.start_workflow(stage, value)

        @DBOS.workflow(name=RUN_WORKFLOW, max_recovery_attempts=None)
        def run(value: Json) -> str:
            id = run_of(str(DBOS.workflow_id))[0]
            return self._work_or_wait(id, lambda: self._of_run(id, value, start).executed())

        DBOS.listen_queues([self.place.name, *queues])
        DBOS.launch()

    def check(self) -> None:
        """Raise HelixError if this process can't continue."""
        if self.failure:
            raise self.failure
        self._processes.check()

    def stop(self) -> tuple[str, ...]:
        """End all work, and return the tasks that another process must recover."""
        self.is_stopping = True
        interrupted = tuple(sorted(self.working))
        self._processes.close()
        return interrupted

    def _of_run(self, run: str, value: Json, start: _Start) -> "_Run":
        request = read(value, RunRequest)
        if outcome(request.state) not in ENDED:
            try:
                self._prepare_tree(run, request.base)
            except (HelixError, OSError) as error:
                # Told, but no end of this workflow: the run can still be cancelled.
                self.stuck[run] = explanation(self.place, error)
        return _Run(self, request, start)

    def _prepare_tree(
        self,
        run: str,
        base: str,
        setup: Sequence[str] = (),
        is_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Make and set up the work tree of a run, once in this process. Raises HelixError.

        Nothing of the run executes before, so nobody else writes to the tree.
        """
        with self._locks.setdefault(run, threading.Lock()):
            if run not in self._trees:
                # What a killed process has left could still write to the tree.
                orphans.end_marked(f"{RUN}={run}")
                tree.ready(self.place, run, base, *self._last_commit(run))
                self._trees.add(run)
            if setup:
                self._set_up(run, setup, is_stopped)

    def _set_up(self, run: str, command: Sequence[str], is_stopped: Callable[[], bool]) -> None:
        """Run the command that prepares a new work tree, unless it was. Raises HelixError."""
        folder, path = self.place.run_folder(run), self.place.tree(run)
        is_done = os.path.join(folder, tree.SET_UP)
        if os.path.exists(is_done):
            return
        log = os.path.join(folder, "setup.log")
        wanted = {"do": work.SETUP, "root": path, "setup": command, "log": log, "run": run}
        try:
            show = partial(self.edges.show, run, work.SETUP)
            answer = next(self._processes.run(wanted, show, is_stopped))
        except StoppedError as error:
            self._wait_if_stopping()
            answer = {"problem": str(error)}
        if answer["problem"]:
            raise HelixError(
                f"setup failed: {answer['problem']} ({log}); repair it, then "
                f"`helix-hooks flow resume {run}`"
            )
        tree.mark_set_up(self.place, run)

    # Workflows, in threads of DBOS.

    def _work_or_wait(self, run: str, work: Callable[[], _Value]) -> _Value:
        """Do the work of a workflow. `run` is the id of its run, "" for a part of one.

        DBOS would record an error as the result. So the thread waits forever instead, and the next
        process continues the workflow. An error with the files of a run stops only that run.
        """
        try:
            return work()
        except Exception as error:  # noqa: BLE001 -- it ends the process, with a line
            if os.environ.get("HELIX_HOOKS_DEBUG"):
                sys.excepthook(type(error), error, error.__traceback__)
            explained = explanation(self.place, error)
            if _is_of_files(run, error):
                self.stuck[run] = explained
            else:
                self.failure = self.failure or explained
            _wait_forever()

    def do_step(self, run: str, name: str, step: Callable[[], _Value]) -> _Value:
        """Do a step of a run whose answer DBOS records, but never an error."""

        def guarded() -> _Value:
            return self._work_or_wait(run, step)

        return DBOS.run_step({"name": name}, guarded)

    def _retried(self, run: str, do: Callable[[], None], is_cancelled: Callable[[], bool]) -> None:
        """Do something with the files of a run, again as long as it fails: it may be repaired."""
        while not is_cancelled():
            try:
                do()
            except (HelixError, OSError) as error:
                if not _is_of_files(run, error):
                    raise
                self.stuck[run] = explanation(self.place, error)
            else:
                return
            time.sleep(_STUCK)
            self.stuck.pop(run, None)
        _wait_forever()

    def _do_stage(self, value: Json) -> None:
        workflow, request = value["workflow"], value["request"]
        task = read(request["task"], StageTask)
        id = task_id(workflow, task)
        answer: Json = {}
        seconds = 0.0
        processes: list[Answers] = []
        for do in (work.CREATE, work.ASK) if task.creates else (work.ASK,):
            step = {
                **request,
                "do": do,
                "root": self.place.tree(task.run),
                "made": answer.get("made"),
                "tree": answer.get("tree", ""),
            }
            answer = self.do_step(task.run, do, partial(self._step, id, task, step, processes))
            seconds += answer["seconds"]
            if "event" in answer:
                break
        for answers in processes:
            answers.close()
        event = {**answer["event"], "seconds": round(seconds, 3)}
        DBOS.send(workflow, {"event": event, "head": answer.get("head")}, TOPIC)

    def _step(self, id: str, task: StageTask, request: Json, processes: list[Answers]) -> Json:
        """Return the answer of a step from the process of the task, which is started if needed.

        At the end of the task its files are committed, before its end is recorded.
        """
        is_cancelled = _Cancelled(id)
        base, setup = request["base"], request["setup"]
        prepare = partial(self._prepare_tree, task.run, base, setup, is_cancelled)
        self._retried(task.run, prepare, is_cancelled)
        begun, is_made = time.monotonic(), request["do"] == work.ASK
        identity = tree.identity_of(self.place, task.run)
        self.working.add(id)
        try:
            # The process that has created the content continues with the gate.
            if not processes:
                # Content that was created in another work tree, on another machine, is not here.
                is_elsewhere = request["tree"] not in ("", identity)
                do = work.CREATE if is_elsewhere else request["do"]
                show = partial(self.edges.show, task.run, task.phase)
                processes.append(self._processes.run({**request, "do": do}, show, is_cancelled))
            answer = next(processes[0])
            if "made" in answer and request["do"] == work.ASK:
                answer = next(processes[0])
        except StoppedError as error:
            self._wait_if_stopping()
            answer = {"event": work.failed(task, str(error), is_made=is_made)}
        finally:
            self.working.discard(id)
        if answer.get("stopped"):
            self._wait_if_stopping()
            answer = {"event": work.failed(task, "it was stopped by a signal", is_made=is_made)}
        if "event" in answer:
            answer = self._committed(task, request, answer, is_cancelled)
        return {**answer, "tree": identity, "seconds": time.monotonic() - begun}

    def _committed(
        self,
        task: StageTask,
        request: Json,
        answer: Json,
        is_cancelled: Callable[[], bool],
    ) -> Json:
        """Return the end of a task with the commit of its files. Raises HelixError.

        A task whose files git can't commit has failed, so that a person can decide.
        """
        event = read(answer["event"], StageEnded)
        state = event.result.state if event.result else "approved files had changed"
        unchanged = {
            path: hash for path, hash in task.approved.items() if path not in event.changed
        }
        with self._locks.setdefault(task.run, threading.Lock()):
            try:
                head = tree.committed(
                    self.place,
                    task.run,
                    f"{task.phase} {task.number}",
                    state,
                    request["begun"],
                    event.hashes,
                    unchanged,
                )
            except GitError as error:
                # With its cost and its output: only the answer of the gate is another one.
                result = work.failure(task, str(error), is_made=True)._replace(is_stored=False)
                return {"event": event_json(event._replace(result=result))}
            share = partial(push, self.place, task.run, head.commit, head.parent, self._is_ours)
            self._retried(task.run, share, is_cancelled)
        return {**answer, "head": {"commit": head.commit, "number": head.number}}

    def _wait_if_stopping(self) -> None:
        """Never return if this process is stopping: a step without an answer is done again."""
        # A signal may have reached the step before this process.
        for _ in range(10):
            if self.is_stopping:
                _wait_forever()
            time.sleep(0.1)


def _is_of_files(run: str, error: Exception) -> bool:
    """Return whether an error is one with the files of a run, and not with the database."""
    return (
        bool(run)
        and isinstance(error, HelixError | OSError)
        and not isinstance(error, DatabaseError)
    )


def _wait_forever() -> NoReturn:
    while True:
        time.sleep(3600)


class _Cancelled:
    """A function that returns whether a task was cancelled, with at most one query per second."""

    def __init__(self, id: str) -> None:
        self._id, self._next = id, time.monotonic() + _CANCELLED_AFTER

    def __call__(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + _CANCELLED_AFTER
        status = DBOS.get_workflow_status(self._id)
        return status is not None and status.status == "CANCELLED"


class _Run:
    """One workflow of a run: a loop over events. DBOS records each event when it is read."""

    def __init__(self, executor: Executor, request: RunRequest, start: _Start) -> None:
        self._executor, self._request, self._begin = executor, request, start
        self._flow, self._state = request.flow, request.state
        self._workflow = str(DBOS.workflow_id)
        self._run = run_of(self._workflow)[0]
        folder = executor.place.made_run_folder(self._run)
        file = os.path.join(folder, FLOW)
        if not os.path.exists(file):
            writing.replace(file, request.file.encode())
        self._log = EventLog(folder, self._run, request.sequence)
        self._running: dict[str, StageTask] = {task.phase: task for task in request.running}
        self._shown: RunState | None = request.state if request.sequence else None
        self._known = request.published

    def executed(self) -> str:
        """Execute the run until it ends, and return its outcome."""
        for task in self._request.running:
            self._start(task)
        for message in self._request.carried:
            self._take(message)
        waits = self._request.waits
        while True:
            self._start_ready()
            if outcome(self._state) in ENDED and not self._running and not waits:
                return outcome(self._state)
            message = DBOS.recv(TOPIC, timeout_seconds=_FOREVER)
            if message is not None:
                waits = False
                self._take(message)

    def _start_ready(self) -> None:
        """Start all tasks that can start, and end those of a cancelled run."""
        # Compare before publishing: a process that sees an approved run ends with code 0.
        if outcome(self._state) == APPROVED:
            self._reopen_changed()
        ready = tasks(self._flow, self._state)
        for task in ready:
            self._state = started(self._state, task)
            self._running[task.phase] = task
        if outcome(self._state) == CANCELLED:
            for task in self._running.values():
                DBOS.cancel_workflow(task_id(self._workflow, task))
            self._running.clear()
        # Publish first: a workflow that follows this one must know all tasks that run.
        self._publish()
        for task in ready:
            self._start(task)

    def _reopen_changed(self) -> None:
        """Reopen the phases whose approved files changed."""
        approved = approved_hashes(self._state.phases.values())
        # Recorded, since a replay must see the same files.
        compare = partial(changed, self._executor.place.tree(self._run), approved)
        paths = self._executor.do_step(self._run, work.COMPARE, lambda: list(compare()))
        self._state = compared(self._flow, self._state, paths)

    def _take(self, message: Json) -> None:
        self._known = self._known.having_seen(message)
        if "event" not in message:
            return
        event = event_from(message["event"])
        self._state = advanced(self._flow, self._state, event)
        if isinstance(event, StageEnded) and message.get("head"):
            self._known = self._known.with_head(event.phase, message["head"])
        running = self._running.get(event.phase)
        if running and self._state.phases[event.phase].state != RUNNING:
            del self._running[event.phase]

    def _start(self, task: StageTask) -> None:
        value = {"workflow": self._workflow, "request": work.request_of(self._request, task)}
        self._begin(task_id(self._workflow, task), value)

    def _publish(self) -> None:
        """Publish the state, and write the events that led to it."""
        self._log.add(self._shown, self._state, round(time.time(), 3))
        self._shown = self._state
        self._known = self._known._replace(
            state=self._state,
            running=tuple(self._running.values()),
            sequence=self._log.sequence,
        )
        DBOS.set_event(EVENT, codec.plain(self._known, short=True))
        self._executor.edges.changed(self._run, self._flow, self._known)
