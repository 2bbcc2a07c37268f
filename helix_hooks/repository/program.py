"""Programs: find them by their absolute path, and start them with pipes.

PATH may have relative folders, and an empty entry is the current folder. Windows searches the
current folder first, regardless of PATH. In a checkout, it may have a malicious `git`.
"""

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from typing import IO

_ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""The extensions of programs on Windows, if PATHEXT is not set."""

_HAS_SPAWN = hasattr(os, "posix_spawn")
_KILL = 9
_IGNORED_BY_PYTHON = (13, 25)
"""SIGPIPE and SIGXFSZ: Python ignores them, but other programs expect to be ended by them."""
_BLOCK = 1 << 16
"""The capacity of a pipe on most systems, in bytes."""


def search_path(variables: Mapping[str, str]) -> str:
    """Return PATH without relative folders, or the default of the system if no folder remains."""
    path = variables.get("PATH", os.defpath)
    return os.pathsep.join(_absolute(path) or _absolute(os.defpath))


def find(program: str, variables: Mapping[str, str]) -> str:
    """Return the path of a program on the PATH, or as named if absolute; "" if there is none.

    The current folder is never searched.
    """
    if os.path.dirname(program):
        if os.path.isabs(program) and _runs(program):
            return program
        return ""
    endings = ""
    if os.name == "nt":
        endings = variables.get("PATHEXT", _ENDINGS)
    return _find_on_path(program, search_path(variables), endings)


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which child processes do not search the current folder either."""
    return {**variables, "PATH": search_path(variables)}


class Process:
    """A running program and its pipes, with the attributes of `subprocess.Popen`.

    Loading `subprocess` would take a twelfth of the time of a hook.
    """

    def __init__(
        self, command: list[str], variables: Mapping[str, str], *, stdin: bool, stderr: bool
    ) -> None:
        self.returncode: int | None = None
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[bytes] | None = None
        self.stderr: IO[bytes] | None = None
        theirs: list[tuple[int, int]] = []
        if stdin:
            end, own = os.pipe()
            theirs.append((end, 0))
            self.stdin = os.fdopen(own, "wb")
        own, end = os.pipe()
        theirs.append((end, 1))
        self.stdout = os.fdopen(own, "rb")
        if stderr:
            own, end = os.pipe()
            theirs.append((end, 2))
            self.stderr = os.fdopen(own, "rb")
        actions = [(os.POSIX_SPAWN_DUP2, end, number) for end, number in theirs]
        try:
            self._id = os.posix_spawn(
                command[0],
                command,
                variables,
                file_actions=actions,
                setsigdef=_IGNORED_BY_PYTHON,
            )
        except OSError:
            self._close()
            raise
        finally:
            for end, _ in theirs:
                os.close(end)

    def communicate(self) -> tuple[bytes, bytes]:
        """Wait for the end of the program. Return all of its output and of its stderr."""
        if self.stdin:
            self.stdin.close()
        output, *errors = _drain([pipe for pipe in (self.stdout, self.stderr) if pipe])
        self._close()
        self.wait()
        return output, b"".join(errors)

    def _close(self) -> None:
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe:
                pipe.close()

    def wait(self) -> int:
        """Wait for the end of the program, and return its exit code."""
        if self.returncode is None:
            try:
                self.returncode = os.waitstatus_to_exitcode(os.waitpid(self._id, 0)[1])
            except ChildProcessError:
                # This process inherited SIGCHLD ignored. The system drops the exit code then.
                self.returncode = 0
        return self.returncode

    def kill(self) -> None:
        """End the program at once, unless it has ended."""
        if self.returncode is None:
            os.kill(self._id, _KILL)


def start(
    command: list[str], variables: Mapping[str, str], *, stdin: bool = False, stderr: bool = True
) -> "Process | subprocess.Popen[bytes]":
    """Start a program with a pipe for its output, and on demand for its input and its stderr.

    Raises OSError.
    """
    # If a stream of this process is closed, a pipe may get its number. `subprocess` handles that.
    if _HAS_SPAWN and None not in (sys.stdin, sys.stdout, sys.stderr):
        return Process(command, variables, stdin=stdin, stderr=stderr)
    import subprocess

    return subprocess.Popen(
        command,
        env=variables,
        stdin=subprocess.PIPE if stdin else None,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if stderr else None,
    )


def _absolute(path: str) -> list[str]:
    return [folder for folder in path.split(os.pathsep) if os.path.isabs(folder)]


@lru_cache(maxsize=64)
def _find_on_path(program: str, path: str, endings: str) -> str:
    """Find a program once: one that appears later in an earlier folder is never run."""
    for folder in _absolute(path):
        for place in _spelt(os.path.join(folder, program), endings):
            if _runs(place):
                return place
    return ""


def _spelt(place: str, endings: str) -> Iterator[str]:
    """Yield a path with each extension of a program; the path itself if there are none."""
    listed = [ending for ending in endings.lower().split(";") if ending]
    if not listed or place.lower().endswith(tuple(listed)):
        yield place
        return
    for ending in listed:
        yield place + ending


def _runs(place: str) -> bool:
    try:
        return stat.S_ISREG(os.stat(place).st_mode) and os.access(place, os.X_OK)
    except (OSError, ValueError):
        return False


def _drain(pipes: "list[IO[bytes]]") -> list[bytes]:
    """Read several pipes in turn to their ends: a program waits if one of them is full."""
    import select

    parts: dict[int, list[bytes]] = {pipe.fileno(): [] for pipe in pipes}
    ready = select.poll()
    for number in parts:
        ready.register(number, select.POLLIN | select.POLLHUP)
    left = len(parts)
    while left:
        for number, _ in ready.poll():
            if part := os.read(number, _BLOCK):
                parts[number].append(part)
            else:
                ready.unregister(number)
                left -= 1
    return [b"".join(part) for part in parts.values()]
