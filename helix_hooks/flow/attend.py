"""The attendance of a run until it ends or waits for a person, and the work of a worker."""

import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple, NoReturn

from dbos import DBOSClient

from ..console import exit_code_of, print_message
from ..errors import HelixError
from ..phases.advance import outcome
from ..phases.flow import Flow
from ..phases.run_state import APPROVED, CANCELLED, PAUSED, REJECTED, RUNNING, RunState
from ..proc import INTERRUPT_OR_END, handled, orphans
from ..proc.guard import run_guarded
from ..text import printable
from ..verify.lock import LockedError, held
from . import segments, work
from .client import nudge, segment_of
from .database import opened, ready
from .executor import Edges, Executor
from .messages import Published, run_of
from .place import FlowPlace
from .processes import WorkProcesses
from .segments import Segment
from .storage import UnreachableError, described
from .tree_git import forget_repository
from .workers import Worker, executor_of, new_name

_LOOK = 0.25
"""Seconds between two queries for a run that another process executes."""
_CHECK = 1.0
"""Seconds between two queries of a process that executes."""
_EXECUTOR = "helix"
"""The executor name for a SQLite database, on which one process at a time works."""
EXIT_CODES = {APPROVED: 0, REJECTED: 1, CANCELLED: 1, PAUSED: 4}
_INTERRUPTED = 130
_LOST = 75
"""The exit code of the child process if a server of a database that it had used is gone."""
_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0)
"""Seconds before the next try to reach that server; the last one is repeated."""


class _StopError(BaseException):
    """The process got a signal to end."""

    def __init__(self, number: int) -> None:
        self.code = _INTERRUPTED if number == signal.SIGINT else HelixError.exit_code
        super().__init__()


class _StopRequests:
    """Signals to end the process, stored because a library may swallow the exception."""

    def __init__(self) -> None:
        self._number = 0

    def ask(self, number: int) -> NoReturn:
        """Handle a signal. Raises _StopError."""
        self._number = number
        raise _StopError(number)

    def check(self) -> None:
        """Raise _StopError if there was a signal."""
        if self._number:
            raise _StopError(self._number)


class AttendEdges(NamedTuple):
    """Functions to show a run. They are called one at a time.

    `show` gets the id of a phase and a line of its command's output, `changed` gets each new state
    of the run, and the current one at the start.
    """

    show: Callable[[str, str], None]
    changed: Callable[[Flow, RunState], None]


def attend(place: FlowPlace, run: str, edges: AttendEdges, sent: str = "") -> int:
    """Execute pending work if no other process does, and watch until the run ends or is paused.

    `sent` is the message id from `client.send`: the run continues at least until it has read that
    message. Returns the exit code: 0 approved, 1 rejected or cancelled, 4 paused, or that of an
    error, which is shown.
    """
    return _until_reached(place, run, edges, sent, _Attendance.watched)


def serve(place: FlowPlace, edges: AttendEdges, *, until_idle: bool) -> int:
    """Execute the runs of the repository until the process is stopped, and return the exit code.

    With `until_idle` it ends when no run can continue without a person.
    """
    return _until_reached(place, "", edges, "", partial(_Attendance.served, until_idle=until_idle))


def _until_reached(
    place: FlowPlace, run: str, edges: AttendEdges, sent: str, work: "Callable[[_Attendance], int]"
) -> int:
    """Do work in a child process, again for as long as the server of the database is gone.

    Only the child starts threads: a process with threads can't fork safely.
    """
    # One name for all tries: the child process before has ended, so its work is continued at once.
    name = new_name()

    def do(is_first: bool) -> int:
        stop = _StopRequests()

        def attended() -> int:
            if is_first:
                ready(place)
            try:
                return work(_Attendance(place, run, edges, stop, name, sent))
            except UnreachableError:
                return _LOST

        try:
            with handled(INTERRUPT_OR_END, stop.ask):
                return exit_code_of(attended)
        except _StopError as stopped:
            return stopped.code

    code = run_guarded(partial(do, True))
    pauses = iter(_PAUSES)
    while code == _LOST:
        pause = next(pauses, _PAUSES[-1])
        print_message(f"{described(place)} can't be reached; next try in {pause:.0f} s")
        time.sleep(pause)
        code = run_guarded(partial(do, False))
    return code


class _View:
    """The published states of this process's runs, passed on one at a time."""

    def __init__(self, run: str, edges: AttendEdges) -> None:
        self._run, self._edges = run, edges
        self.floor = 0
        self.latest: Published | None = None
        self.condition = threading.Condition()

    def changed(self, run: str, flow: Flow, published: Published) -> None:
        """Pass on a new state."""
        if run != self._run:
            return
        with self.condition:
            # After a kill DBOS replays the workflow, which publishes its old states again.
            if published.sequence < self.floor:
                return
            is_new = self.latest is None or published.state != self.latest.state
            self.latest = published
            if is_new:
                self._edges.changed(flow, published.state)
            self.condition.notify_all()

    def show(self, run: str, phase: str, line: str) -> None:
        """Pass on a line of output. That of another run is marked."""
        if self._run and run != self._run:
            phase = f"{run}/{phase}"
        with self.condition:
            self._edges.show(phase, line)

    def tell(self, line: str) -> None:
        with self.condition:
            print_message(line)


class _Attendance:
    """A process that watches one run, or serves all of them, and executes if it can."""

    def __init__(
        self,
        place: FlowPlace,
        run: str,
        edges: AttendEdges,
        stop: _StopRequests,
        name: str,
        sent: str,
    ) -> None:
        self._place, self._run, self._sent = place, run, sent
        self._stop, self._name = stop, name
        self._view = _View(run, edges)
        self._continued: set[str] = set()
        self._nudges: dict[str, str] = {}
        self._stuck: Mapping[str, HelixError] = {}
        self._told = ""
        self._told_stuck: set[str] = set()

    def watched(self) -> int:
        """Watch the run and return its exit code. Raises HelixError."""
        with opened(self._place) as client:
            segment = segment_of(client, self._place, self._run)
            waits = segment.is_alive and segment.outcome != RUNNING
            # The run may have unread messages: wait until it has read one of our own.
            if waits and not self._sent:
                self._sent = nudge(client, segment.workflow)
            code = self._code_of(segment)
            if code is not None:
                self._see(segment)
                return code
        while True:
            self._stop.check()
            code = self._once()
            if code is not None:
                return code

    def served(self, until_idle: bool) -> int:
        """Execute until no work is left, or forever. Raises HelixError."""
        while True:
            try:
                return self._execute_until(partial(self._is_idle, until_idle))
            except LockedError:
                if until_idle:
                    with opened(self._place) as client:
                        if self._is_idle(until_idle, client) == 0:
                            return 0
                self._tell("another process executes the runs of this repository; waiting for it")
                time.sleep(_CHECK)

    def _once(self) -> int | None:
        """Execute, or watch for a second. Return the exit code of a run that ended or paused."""
        try:
            return self._execute_until(self._show_state)
        except LockedError:
            with opened(self._place) as client:
                for _ in range(4):
                    code = self._show_state(client)
                    if code is not None:
                        return code
                    time.sleep(_LOOK)
        return None

    def _show_state(self, client: DBOSClient) -> int | None:
        """Show the current state of the run, and return its exit code if it ended or paused."""
        segment = segment_of(client, self._place, self._run)
        self._see(segment)
        return self._code_of(segment)

    def _is_idle(self, until_idle: bool, client: DBOSClient) -> int | None:
        """Return an exit code if no run can continue without a person: 0, or that of an error."""
        if not until_idle:
            return None
        alive = segments.every(client, self._place, unfinished=True)
        # No need to wait for a run whose files can't be read or written.
        left = [item for item in alive if item.run not in self._stuck]
        # A list, so that every run gets its message in this round.
        waiting = [self._has_read_all(client, item) for item in left]
        if not all(waiting):
            return None
        if not self._stuck:
            return 0
        self._tell_stuck()
        return HelixError.exit_code

    def _has_read_all(self, client: DBOSClient, segment: Segment) -> bool:
        """Return whether a run waits for a person and has read all messages.

        A paused run may have an unread answer from before the start of this process.
        """
        if segment.published is None or segment.outcome == RUNNING:
            return False
        if segment.is_alive and segment.workflow not in self._nudges:
            self._nudges[segment.workflow] = nudge(client, segment.workflow)
        sent = self._nudges.get(segment.workflow, "")
        return not sent or sent in segment.current.seen

    def _see(self, segment: Segment) -> None:
        self._view.changed(segment.run, segment.request.flow, segment.current)

    def _code_of(self, segment: Segment) -> int | None:
        """Return the exit code of a run that has ended or is paused, otherwise None."""
        if segment.needs_next or (segment.is_alive and segment.published is None):
            return None
        if segment.is_alive and self._sent and self._sent not in segment.current.seen:
            return None
        return EXIT_CODES.get(segment.outcome)

    # The process that executes.

    def _execute_until(self, look: Callable[[DBOSClient], int | None]) -> int:
        """Execute until `look` returns an exit code. Raises LockedError if another process does."""
        with ExitStack() as stack:
            if not self._place.is_shared:
                stack.enter_context(held(self._place.lock, 0, "another process executes the runs"))
            forget_repository()
            orphans.adopt()
            # Before DBOS starts threads, which must not exist when a process forks.
            processes = WorkProcesses(work.work, _prepare)
            stack.callback(processes.close)
            client = stack.enter_context(opened(self._place))
            worker = None
            if self._place.is_shared:
                worker = Worker(self._place, client, self._name)
                stack.callback(worker.stop)
                # First of all: others may take over once the row is gone.
                stack.callback(processes.close)
            self._continue(client, worker)
            edges = Edges(self._view.changed, self._view.show)
            executor = Executor(
                self._place,
                processes,
                edges,
                partial(_last_commit, client, self._place),
                worker.renew if worker else lambda: True,
            )
            self._stuck = executor.stuck
            if self._run:
                segment = segment_of(client, self._place, self._run)
                self._view.floor = segment.current.sequence
            try:
                if worker:
                    executor.launch(worker.name, [worker.queue])
                else:
                    executor.launch(_EXECUTOR, [])
                return self._wait_for_code(executor, worker, client, look)
            except _StopError:
                self._tell_remaining(executor.stop())
                raise
            finally:
                executor.is_stopping = True

    def _wait_for_code(
        self,
        executor: Executor,
        worker: Worker | None,
        client: DBOSClient,
        look: Callable[[DBOSClient], int | None],
    ) -> int:
        """Execute until there is an exit code and no step runs, and return the code."""
        next_look = 0.0
        seen = self._view.latest
        while True:
            self._stop.check()
            code = self._published_code()
            if code is None and time.monotonic() >= next_look:
                if worker:
                    worker.check()
                    worker.take_over()
                self._continue(client, worker)
                # A run that has published here is executed by this process.
                if self._view.latest is seen:
                    code = look(client)
                seen = self._view.latest
                next_look = time.monotonic() + _CHECK
            executor.check()
            if self._run in executor.stuck:
                raise executor.stuck[self._run]
            self._tell_stuck()
            others = sorted(executor.working)
            if code is not None and not others:
                return code
            if code is not None:
                self._tell(f"waiting for steps of other runs: {', '.join(map(_step, others))}")
            with self._view.condition:
                self._view.condition.wait(_LOOK if code is None else _CHECK)

    def _tell_stuck(self) -> None:
        """Tell once that a run of another process can't continue."""
        for run, error in tuple(self._stuck.items()):
            if run not in self._told_stuck:
                self._told_stuck.add(run)
                self._view.tell(f"{run}: {error}")
        self._told_stuck &= self._stuck.keys()

    def _published_code(self) -> int | None:
        """Return the exit code by the last state from this process, None if the run continues."""
        latest = self._view.latest
        if latest is None or (self._sent and self._sent not in latest.seen):
            return None
        if latest.running:
            return None
        return EXIT_CODES.get(outcome(latest.state))

    def _continue(self, client: DBOSClient, worker: Worker | None) -> None:
        """Start a new workflow for each run whose last one can't continue, once for each run."""
        for item in segments.interrupted(client, self._place):
            if item.run in self._continued:
                continue
            # A living process may still execute the last workflow.
            executor = executor_of(self._place, item) if worker else None
            if executor and executor.is_alive:
                continue
            self._continued.add(item.run)
            segments.start_next(client, self._place, item, waits=False)

    def _tell_remaining(self, tasks: tuple[str, ...]) -> None:
        """Tell how to continue, and the tasks that start again then."""
        command = "helix-hooks worker"
        if self._run:
            command = f"helix-hooks flow resume {self._run}"
        line = f"stopped; nothing is lost, `{command}` continues"
        if tasks:
            line += f" ({', '.join(map(_step, tasks))} starts again then)"
        self._view.tell(line)

    def _tell(self, line: str) -> None:
        if line != self._told:
            self._told = line
            self._view.tell(line)


def _last_commit(client: DBOSClient, place: FlowPlace, run: str) -> tuple[str, int]:
    known = segment_of(client, place, run).current
    return known.commit, known.commit_number


def _step(workflow: str) -> str:
    """Return the name of a task's workflow for messages: RUN/PHASE/NUMBER."""
    return printable(f"{run_of(workflow)[0]}/{'/'.join(workflow.split('/')[1:])}", 200)


def _prepare() -> None:
    """Import the modules of the work once, before the forks."""
    from ..gates import answer  # noqa: F401 -- forked processes find it imported
