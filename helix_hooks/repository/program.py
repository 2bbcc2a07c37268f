"""Programs: the absolute path, so that no program in the current folder runs instead, and pipes.

PATH may have relative folders, and an empty entry is the current folder. Windows looks there first,
whatever PATH says. In a checkout, a stranger's `git` may lie there.
"""

import os
import stat
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache

from ..records import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess
    from typing import IO

_ENDINGS = ".COM;.EXE;.BAT;.CMD"
"""Windows' own list of what a program may end with, where PATHEXT says nothing."""

_HAS_SPAWN = hasattr(os, "posix_spawn")
_KILL = 9
_IGNORED_BY_PYTHON = (13, 25)
"""SIGPIPE and SIGXFSZ, which programs expect to end them."""
_BLOCK = 1 << 16
"""Bytes that a pipe holds on most systems."""


def search_path(variables: Mapping[str, str]) -> str:
    """Return PATH without relative folders, or the system's own if no folder is left."""
    path = variables.get("PATH", os.defpath)
    return os.pathsep.join(_absolute(path) or _absolute(os.defpath))


def found(program: str, variables: Mapping[str, str]) -> str:
    """Return the path of a program, as named or on the PATH, and never in the current folder; "" if
    there is none.
    """
    if os.path.dirname(program):
        return program if os.path.isabs(program) and _runs(program) else ""
    return _found(
        program,
        search_path(variables),
        variables.get("PATHEXT", _ENDINGS) if os.name == "nt" else "",
    )


def environment(variables: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which child processes do not look for programs in the current folder
    either.
    """
    return {**variables, "PATH": search_path(variables)}


class Process:
    """A running program and the pipes to it, with the names that `subprocess.Popen` has for them.

    `subprocess` itself takes a hook a twelfth of its time to load.
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
        """Return all output and what the program says on stderr, after its end."""
        if self.stdin:
            self.stdin.close()
        output, *errors = _drained([pipe for pipe in (self.stdout, self.stderr) if pipe])
        self._close()
        self.wait()
        return output, b"".join(errors)

    def _close(self) -> None:
        for pipe in (self.stdin, self.stdout, self.stderr):
            if pipe:
                pipe.close()

    def wait(self) -> int:
        if self.returncode is None:
            try:
                self.returncode = os.waitstatus_to_exitcode(os.waitpid(self._id, 0)[1])
            except ChildProcessError:  # whoever started this process has it ignore SIGCHLD
                self.returncode = 0
        return self.returncode

    def kill(self) -> None:
        if self.returncode is None:
            os.kill(self._id, _KILL)


def start(
    command: list[str], variables: Mapping[str, str], *, stdin: bool = False, stderr: bool = True
) -> "Process | subprocess.Popen[bytes]":
    """Start a program with a pipe for its output, and on demand for its input and its complaints.

    Raises OSError. Where a stream of this process is closed, a pipe would take its place, and only
    `subprocess` knows how to tell them apart.
    """
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
def _found(program: str, path: str, endings: str) -> str:
    """Look a program up once, so that one that appears later in an earlier folder is never run."""
    places = (
        place
        for folder in _absolute(path)
        for place in _spelt(os.path.join(folder, program), endings)
    )
    return next(filter(_runs, places), "")


def _spelt(place: str, endings: str) -> Iterator[str]:
    """Return a path with each file ending of a program: on Windows one of a list, elsewhere
    none.
    """
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


def _drained(pipes: "list[IO[bytes]]") -> list[bytes]:
    """Read several pipes in turn to their ends: a program waits while one of them is full."""
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
