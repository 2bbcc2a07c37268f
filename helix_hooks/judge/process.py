"""A program run under limits: time, output, and nothing left behind."""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from typing import IO, NamedTuple

from ..repository.program import find

GRACE = 3.0
"""Seconds between asking a program to end and ending it."""

_LINGER = 1.0
"""Seconds that a pipe may stay open after its program has ended."""

_CHUNK = 1 << 16
_KEPT_ERRORS = 20_000
"""Bytes that are kept of the end of standard error."""


class Limits(NamedTuple):
    """Limits of a run: `seconds`, and bytes of standard output and of standard error each."""

    seconds: float
    output: int = 64_000_000


class Ended(NamedTuple):
    """The end of a program: its exit code (below 0: a signal) and the end of standard error.

    `stopped` is "" if it ended on its own, else time, output or asked.
    """

    code: int
    stopped: str
    errors: str

    @property
    def how(self) -> str:
        """The end in words."""
        if self.code >= 0:
            return f"ended with exit code {self.code}"
        return f"was ended by signal {-self.code} ({signal.Signals(-self.code).name})"


class Stop:
    """Set from outside, it ends every program that was started with it."""

    def __init__(self) -> None:
        self.asked = False


def _wait() -> None:
    """Do nothing while a program runs."""


def _ignore(_chunk: bytes) -> None:
    """Leave standard error to the end."""


class Listeners(NamedTuple):
    """Functions that are called while a program runs.

    `feed` gets what it prints, `errors` what it prints on standard error; `tick` is called a few
    times a second.
    """

    feed: Callable[[bytes], None]
    tick: Callable[[], None] = _wait
    errors: Callable[[bytes], None] = _ignore


def run(
    command: list[str],
    folder: str,
    env: dict[str, str],
    stdin: str,
    limits: Limits,
    listeners: Listeners,
    stop: Stop,
) -> Ended:
    """Run a program with the file `stdin` as its standard input.

    Raises OSError if the program can't be started.
    """
    with open(stdin, "rb") as standard_input:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=env,
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=os.name != "nt",
        )
    watch = _Watch(process, limits, listeners, stop)
    try:
        stopped = watch.over()
    finally:
        _end(process)
        watch.close()
    return Ended(process.returncode, stopped, watch.errors.decode(errors="replace"))


class _Watch:
    """The two streams of a program, read by a thread each, and the reasons to stop it."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        limits: Limits,
        listeners: Listeners,
        stop: Stop,
    ) -> None:
        self._process, self._limits, self._stop = process, limits, stop
        self._listeners = listeners
        self._chunks: queue.Queue[tuple[bool, bytes]] = queue.Queue(maxsize=64)
        self._closed = False
        self.errors = b""
        self._sizes = {True: 0, False: 0}
        for stream, is_output in ((process.stdout, True), (process.stderr, False)):
            if stream:
                threading.Thread(target=self._read, args=(stream, is_output), daemon=True).start()

    def over(self) -> str:
        """Wait for the end; returns what the program has to be stopped for, "" for nothing."""
        deadline = time.monotonic() + self._limits.seconds
        open_streams, ended_at = 2, 0.0
        while open_streams:
            now = time.monotonic()
            if self._stop.asked:
                return "asked"
            if now >= deadline:
                return "time"
            if self._process.poll() is not None:
                ended_at = ended_at or now
                if now - ended_at > _LINGER:
                    return ""
            try:
                is_output, chunk = self._chunks.get(timeout=min(0.1, deadline - now))
            except queue.Empty:
                self._listeners.tick()
                continue
            open_streams -= not chunk
            if self._too_much(is_output, chunk):
                return "output"
        return self._exit(deadline)

    def _exit(self, deadline: float) -> str:
        """Wait for the end of a program, which may have closed its streams before."""
        while self._process.poll() is None:
            if self._stop.asked or time.monotonic() >= deadline:
                return "asked" if self._stop.asked else "time"
            time.sleep(0.005)
        return ""

    def _too_much(self, is_output: bool, chunk: bytes) -> bool:
        self._sizes[is_output] += len(chunk)
        if self._sizes[is_output] > self._limits.output:
            return True
        if is_output:
            self._listeners.feed(chunk)
        else:
            self._listeners.errors(chunk)
            self.errors = (self.errors + chunk)[-_KEPT_ERRORS:]
        return False

    def _read(self, stream: IO[bytes], is_output: bool) -> None:
        with stream, contextlib.suppress(OSError, ValueError):
            while chunk := os.read(stream.fileno(), _CHUNK):
                if not self._put(is_output, chunk):
                    return
        self._put(is_output, b"")

    def _put(self, is_output: bool, chunk: bytes) -> bool:
        while not self._closed:
            with contextlib.suppress(queue.Full):
                self._chunks.put((is_output, chunk), timeout=0.1)
                return True
        return False

    def close(self) -> None:
        self._closed = True


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the program and all that it started in its group.

    It is asked first, since it may have children elsewhere that only it can end.
    """
    if process.poll() is None:
        _signal(process, hard=False)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    _signal(process, hard=True)
    process.wait()


def _signal(process: "subprocess.Popen[bytes]", hard: bool) -> None:
    if os.name == "nt":
        force = ["/F"] if hard else []
        ender = find("taskkill", os.environ)
        if ender:
            command = [ender, "/T", *force, "/PID", str(process.pid)]
            subprocess.run(command, check=False, capture_output=True)
        elif hard:
            process.kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)
