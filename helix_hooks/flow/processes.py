"""A separate process for each piece of work, so that parallel work does not end other processes.

Agents and judges leave processes behind. The process that started them ends all its new
descendants, which must not include those of other work. Also, only a main thread can handle
signals. The processes are forked by one process without threads and without a database connection.
"""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping

from ..errors import HelixError
from ..proc import INTERRUPT_OR_END, orphans
from ..proc import run as process

Show = Callable[[str], None]
Answers = Generator[Mapping[str, object], None, None]
Work = Callable[[Mapping[str, object], Show], Iterator[Mapping[str, object]]]
"""Work gets a request and a function that shows a line, and yields answers, as JSON values."""

_GRACE = process.GRACE + 2
"""Seconds between SIGTERM and SIGKILL for the processes of work."""
_LOOK = 0.5
"""Seconds between two questions whether to stop a piece of work."""
_CHUNK = 1 << 16
_ENDING = 20
"""Times 10 ms to wait for the end of the forking process."""
_GONE = "the worker process was terminated; nothing is lost, run `helix-hooks flow resume`"


class StoppedError(HelixError):
    """The work was stopped before its end."""


class WorkProcesses:
    """Runs pieces of work, each in a process. Create it before any thread starts."""

    def __init__(self, work: Work, prepare: Callable[[], None]) -> None:
        self._work, self._lock = work, threading.Lock()
        self._control: socket.socket | None = None
        if not hasattr(os, "fork"):  # Windows: one piece of work at a time, in this process
            return
        self._control, theirs = socket.socketpair()
        _flush()
        self._forker = os.fork()
        if not self._forker:
            self._control.close()
            _exit_after(lambda: _fork_all(theirs, work, prepare))
        theirs.close()

    def run(
        self, request: Mapping[str, object], show: Show, is_stopped: Callable[[], bool]
    ) -> Answers:
        """Yield the answers of a piece of work, which continues meanwhile.

        Raises:
            StoppedError: The work was stopped, or its process was killed.
            HelixError: The process that forks is dead.
        """
        if not self._control:
            with self._lock:
                yield from self._work(request, show)
            return
        ours, theirs = socket.socketpair()
        with ours:
            try:
                with self._lock, theirs:
                    socket.send_fds(self._control, [b"+"], [theirs.fileno()])
                ours.sendall(json.dumps(request).encode() + b"\n")
            except OSError:
                raise HelixError(_GONE) from None
            try:
                yield from _answers(ours, show, is_stopped)
            except StoppedError:
                for _ in range(_ENDING):  # a process that is killed takes a moment to end
                    self.check()
                    time.sleep(0.01)
                raise

    def check(self) -> None:
        """Raise HelixError if the process that forks is dead.

        Work may then be lost without a trace: it may not have started.
        """
        if not self._control:
            return
        with contextlib.suppress(ChildProcessError):
            ended, status = os.waitpid(self._forker, os.WNOHANG | os.WUNTRACED)
            if ended and os.WIFSTOPPED(status):
                # Stopped by SIGSTOP, with which an agent could hold up all work.
                os.kill(ended, signal.SIGCONT)
                return
            if not ended:
                return
        raise HelixError(_GONE)

    def close(self) -> None:
        """End all work that still runs by SIGTERM, then by SIGKILL."""
        if not self._control:
            return
        self._control.close()
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self._forker, 0)


def _answers(ours: socket.socket, show: Show, is_stopped: Callable[[], bool]) -> Answers:
    """Pass on the lines to show, and yield the answers. Raises StoppedError."""
    asked = False
    rest = b""
    ours.settimeout(_LOOK)
    while True:
        if not asked and is_stopped():
            asked = True
            # The process sees the end of its input, and stops.
            with contextlib.suppress(OSError):
                ours.shutdown(socket.SHUT_WR)
        try:
            chunk = ours.recv(_CHUNK)
        except TimeoutError:
            continue
        except OSError:
            chunk = b""
        if not chunk:
            raise StoppedError("it was stopped" if asked else "its process was killed")
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "answer" in message:
                yield message["answer"]
            else:
                show(message["line"])


# The process that forks.


def _fork_all(control: socket.socket, work: Work, prepare: Callable[[], None]) -> None:
    """Fork a process for each request until the requests end, and end their orphans."""
    for number in INTERRUPT_OR_END:
        signal.signal(number, signal.SIG_IGN)  # the end of the requests ends this process
    # SIGCHLD writes to a pipe, so that `select` returns when a child ends.
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
    orphans.adopt()
    prepare()
    working: set[int] = set()
    while True:
        ready, _, _ = select.select([control.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, _CHUNK)
            _reap(working)
        if control.fileno() not in ready:
            continue
        data, handles, _, _ = socket.recv_fds(control, 1, 1)
        if not data:
            break
        working.add(_fork(handles[0], control, work))
    _end(working, woken)


def _end(working: set[int], woken: int) -> None:
    """End all processes of work with their descendants."""
    for pid in working:
        os.kill(pid, signal.SIGTERM)  # not reaped yet, so the number is still its own
    end = time.monotonic() + _GRACE
    while working and time.monotonic() < end:
        select.select([woken], [], [], 0.1)
        _reap(working)
    orphans.end_all(set())


def _fork(handle: int, control: socket.socket, work: Work) -> int:
    """Fork a process for a piece of work, and return its id."""
    child = os.fork()
    if child:
        os.close(handle)
        return child
    control.close()
    signal.set_wakeup_fd(-1)
    for number in (*INTERRUPT_OR_END, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C at a terminal reaches all; one stops all
    return _exit_after(lambda: _do(socket.socket(fileno=handle), work))


def _reap(working: set[int]) -> None:
    """Remove the processes that have ended, and end their orphans.

    A process that got SIGSTOP continues, so that it keeps its time limits.
    """
    with contextlib.suppress(ChildProcessError):
        while True:
            ended, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            if not ended:
                break
            if os.WIFSTOPPED(status):
                os.kill(ended, signal.SIGCONT)
            else:
                working.discard(ended)
    orphans.end_all_but(working)


def _exit_after(work: Callable[[], None]) -> int:
    """Do the work, then exit the process, also after an error."""
    try:
        work()
        _flush()
    finally:
        os._exit(0)


# One piece of work.


def _do(connection: socket.socket, work: Work) -> None:
    orphans.adopt()
    lines = _lines(connection)
    request: dict[str, object] = json.loads(next(lines))
    threading.Thread(target=_end_with, args=(lines,), daemon=True).start()
    lock = threading.Lock()

    def send(message: Mapping[str, object]) -> None:
        with lock, contextlib.suppress(OSError):
            connection.sendall(json.dumps(message).encode() + b"\n")

    for answer in work(request, lambda line: send({"line": line})):
        orphans.end_all(set())
        send({"answer": answer})


def _lines(connection: socket.socket) -> Iterator[bytes]:
    rest = b""
    with contextlib.suppress(OSError):
        while chunk := connection.recv(_CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            yield from lines


def _end_with(lines: Iterator[bytes]) -> None:
    """Wait until the other side closes the connection, then stop this process by SIGTERM."""
    for _ in lines:
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
