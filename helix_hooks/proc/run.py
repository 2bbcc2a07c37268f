"""A program run under limits of time and output, with all its processes ended afterwards."""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from typing import IO, NamedTuple

from . import find

GRACE = 3.0
"""Seconds between SIGTERM and SIGKILL."""

_LINGER = 1.0
"""Seconds that a pipe may stay open after its program has ended."""

_CHUNK = 1 << 16
_KEPT_ERRORS = 20_000
"""Bytes kept from the end of standard error."""


class Limits(NamedTuple):
    """Limits of a run: `seconds`, and bytes of standard output and of standard error each."""

    seconds: float
    output: int = 64_000_000


class Ended(NamedTuple):
    """The end of a program: its exit code (negative for a signal) and the end of standard error.

    `stopped` is the reason why it was stopped: "time", "output" or "asked"; "" if it ended by
    itself.
    """

    code: int
    stopped: str
    errors: str

    @property
    def how(self) -> str:
        """The end as a phrase for messages."""
        if self.code >= 0:
            return f"ended with exit code {self.code}"
        return f"was terminated by signal {-self.code} ({signal.Signals(-self.code).name})"


class Stop:
    """A flag. Once `asked` is true, every program that was started with it is ended."""

    def __init__(self) -> None:
        self.asked = False


def _wait() -> None:
    """Do nothing while a program runs."""


def _ignore(_chunk: bytes) -> None:
    """Do nothing with a chunk of standard error; `Ended.errors` has its end."""


class Listeners(NamedTuple):
    """Functions that are called while a program runs.

    `feed` gets its standard output, `errors` its standard error. `tick` is called several times per
    second.
    """

    feed: Callable[[bytes], None]
    tick: Callable[[], None] = _wait
    errors: Callable[[bytes], None] = _ignore


def run(
    command: list[str],
    folder: str | None,
    env: dict[str, str],
    stdin: str,
    limits: Limits,
    listeners: Listeners,
    stop: Stop,
) -> Ended:
    """Run a program with the file `stdin` as its standard input.

    Raises:
        OSError: The program can't be started.
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
        stopped = watch.wait()
    finally:
        _end(process)
        watch.close()
    return Ended(process.returncode, stopped, watch.errors.decode(errors="replace"))


def output(
    command: list[str], env: Mapping[str, str], seconds: float, folder: str | None = None
) -> "subprocess.CompletedProcess[bytes] | None":
    """Return exit code and output of a program without input, and end all its processes.

    None if it did not end in time. It has no terminal, so it can ask nothing.

    Raises:
        OSError: The program can't be started.
    """
    chunks: list[bytes] = []
    listeners = Listeners(chunks.append)
    ended = run(command, folder, {**env}, os.devnull, Limits(seconds), listeners, Stop())
    if ended.stopped:
        return None
    errors = ended.errors.encode()
    return subprocess.CompletedProcess(command, ended.code, b"".join(chunks), errors)


class _Watch:
    """The two streams of a program, each read by a thread, and the limits of the program."""

    def __init__(
        self,
        process: "subprocess.Popen[bytes]",
        limits: Limits,
        listeners: Listeners,
        stop: Stop,
    ) -> None:
        self._process, self._limits, self._stop = process, limits, stop
        self._listeners = listeners
        # The limit keeps a program that prints fast from filling the memory.
        self._chunks: queue.Queue[tuple[bool, bytes]] = queue.Queue(maxsize=64)
        self._closed = False
        self.errors = b""
        self._sizes = {True: 0, False: 0}
        for stream, is_output in ((process.stdout, True), (process.stderr, False)):
            if stream:
                threading.Thread(target=self._read, args=(stream, is_output), daemon=True).start()

    def wait(self) -> str:
        """Wait for the end. Return the reason to stop the program, "" for none."""
        deadline = time.monotonic() + self._limits.seconds
        open_streams, ended_at = 2, 0.0
        while open_streams:
            if reason := self._reason_to_stop(deadline):
                return reason
            now = time.monotonic()
            if self._process.poll() is not None:
                # A child of the program may hold its pipes open forever.
                ended_at = ended_at or now
                if now - ended_at > _LINGER:
                    return ""
            try:
                is_output, chunk = self._chunks.get(timeout=max(0.0, min(0.1, deadline - now)))
            except queue.Empty:
                self._listeners.tick()
                continue
            # The thread of a stream sends an empty chunk at its end.
            open_streams -= not chunk
            if self._is_too_much(is_output, chunk):
                return "output"
        return self._wait_for_exit(deadline)

    def _reason_to_stop(self, deadline: float) -> str:
        if self._stop.asked:
            return "asked"
        if time.monotonic() >= deadline:
            return "time"
        return ""

    def _wait_for_exit(self, deadline: float) -> str:
        """Wait for the exit of a program, which may have closed its streams earlier."""
        while self._process.poll() is None:
            if reason := self._reason_to_stop(deadline):
                return reason
            time.sleep(0.005)
        return ""

    def _is_too_much(self, is_output: bool, chunk: bytes) -> bool:
        """Pass a chunk to the listeners, and return whether the stream exceeds its limit."""
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
        """Add a chunk to the queue. Return False if nobody reads the queue any more."""
        while not self._closed:
            with contextlib.suppress(queue.Full):
                self._chunks.put((is_output, chunk), timeout=0.1)
                return True
        return False

    def close(self) -> None:
        self._closed = True


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the program and its process group.

    SIGTERM comes first: the program may have children outside of its group that only it can end.
    """
    if process.poll() is None:
        _signal(process, hard=False)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    _signal(process, hard=True)
    process.wait()


def _signal(process: "subprocess.Popen[bytes]", hard: bool) -> None:
    if os.name == "nt":
        _end_on_windows(process, hard=hard)
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL if hard else signal.SIGTERM)


def _end_on_windows(process: "subprocess.Popen[bytes]", hard: bool) -> None:
    """End a program and its children; Windows has neither process groups nor SIGTERM."""
    program = find("taskkill", os.environ)
    if program:
        force = ["/F"] if hard else []
        command = [program, "/T", *force, "/PID", str(process.pid)]
        subprocess.run(command, check=False, capture_output=True)
    elif hard:
        process.kill()
