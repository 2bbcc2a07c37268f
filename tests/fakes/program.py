"""The program in a process of its own, without the time that Python takes to start: a fork of a process that has imported it.

Tests in which processes are killed, or which ask what a process inherits, start PROGRAM themselves.
"""

import contextlib
import functools
import json
import os
import select
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path

PROGRAM = Path(sys.executable).parent / "helix-hooks"
_ASKING = threading.Lock()
Done = subprocess.CompletedProcess[str]


def program(
    *arguments: str, env: Mapping[str, str], cwd: Path | str = ".", timeout: float = 120
) -> Done:
    """Run the program as `subprocess.run` would, and return its code and what it said."""
    command = [str(PROGRAM), *arguments]
    if not hasattr(os, "fork"):
        return subprocess.run(
            command, cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=timeout
        )
    ends = [os.pipe() for _ in range(3)]
    try:
        _ask(command, os.path.abspath(cwd), env, [write for _, write in ends])
    finally:
        for _, write in ends:
            os.close(write)
    out, err, told = _read([read for read, _ in ends], command, timeout)
    assert told.count("\n") == 2, "the process that starts the program has ended"
    return Done(command, int(told.split()[1]), out, err)


class Begun:
    """The program while it runs, in a process of its own that can be killed."""

    def __init__(self, *arguments: str, env: Mapping[str, str], cwd: Path | str = ".") -> None:
        self._command = [str(PROGRAM), *arguments]
        self._out, self._err = (tempfile.TemporaryFile("w+") for _ in range(2))  # noqa: SIM115 -- `end` closes them
        self._told, write = os.pipe()
        try:
            descriptors = [self._out.fileno(), self._err.fileno(), write]
            _ask(self._command, os.path.abspath(cwd), env, descriptors)
        finally:
            os.close(write)
        self._lines = os.fdopen(self._told, encoding="ascii")
        self.pid = int(self._lines.readline())

    def __del__(self) -> None:
        """Leave nothing running or open after a test that failed."""
        if not self._lines.closed:
            self.kill(signal.SIGTERM)
            for file in (self._lines, self._out, self._err):
                file.close()

    def kill(self, number: int = signal.SIGKILL) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def errors(self) -> str:
        """Return what it has said on standard error so far."""
        return os.pread(self._err.fileno(), 1 << 20, 0).decode()

    def is_over(self) -> bool:
        ready, _, _ = select.select([self._lines], [], [], 0)
        return bool(ready)

    def end(self, timeout: float = 60) -> Done:
        """Wait for the end, and kill it when the time is over."""
        ready, _, _ = select.select([self._lines], [], [], timeout)
        if not ready:
            self.kill()
        with self._lines, self._out, self._err:
            code = int(self._lines.readline())
            said = [os.pread(file.fileno(), 1 << 20, 0).decode() for file in (self._out, self._err)]
        if not ready:
            raise subprocess.TimeoutExpired(self._command, timeout, *said)
        return Done(self._command, code, *said)


def _ask(
    command: list[str], folder: str, environment: Mapping[str, str], descriptors: list[int]
) -> None:
    text = json.dumps(
        {"command": command, "folder": folder, "environment": dict(environment)}
    ).encode()
    with _ASKING:
        link = _server()
        socket.send_fds(link, [b"%8d" % len(text)], descriptors)
        link.sendall(text)


@functools.cache
def _server() -> socket.socket:
    """Start the process that has imported the program; it ends with this one, when the socket is closed."""
    ours, theirs = socket.socketpair()
    with theirs:
        warm_start = str(Path(__file__).parent / "warm_start.py")
        # -P: the folder of the fakes has a `github`, which must not take the place of PyGithub.
        command = [sys.executable, "-P", warm_start, str(theirs.fileno())]
        _STARTED.append(
            subprocess.Popen(
                command,
                pass_fds=[theirs.fileno()],
                cwd=os.sep,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        )
    return ours


_STARTED: list["subprocess.Popen[bytes]"] = []


def _read(descriptors: list[int], command: list[str], timeout: float) -> tuple[str, str, str]:
    """Return what is written to each descriptor until all are closed; kill the program when the time is over."""
    found = dict.fromkeys(descriptors, b"")
    end = time.monotonic() + timeout
    with selectors.DefaultSelector() as selector, contextlib.ExitStack() as stack:
        for descriptor in descriptors:
            stack.callback(os.close, descriptor)
            selector.register(descriptor, selectors.EVENT_READ)
        while selector.get_map():
            ready = selector.select(end - time.monotonic())
            if not ready and time.monotonic() > end:
                _kill(found[descriptors[2]])
                raise subprocess.TimeoutExpired(
                    command, timeout, found[descriptors[0]], found[descriptors[1]]
                )
            for key, _ in ready:
                part = os.read(key.fd, 65536)
                found[key.fd] += part
                if not part:
                    selector.unregister(key.fd)
    out, err, told = (
        found[descriptor].decode().replace("\r\n", "\n") for descriptor in descriptors
    )
    return out, err, told


def _kill(told: bytes) -> None:
    with contextlib.suppress(ProcessLookupError, IndexError):
        os.kill(int(told.split()[0]), signal.SIGKILL)


def approve(
    *arguments: str, env: dict[str, str], timeout: float = 60
) -> "subprocess.CompletedProcess[str]":
    return program("approve", *arguments, env=env, timeout=timeout)
