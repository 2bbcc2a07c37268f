"""Start git: its executable, its environment, and what it prints."""

import os
import subprocess
from collections.abc import Iterable
from typing import NamedTuple

from ..errors import GitError
from ..proc import find

_MISSING = "git is not installed, or not on the PATH"

_NO_MONITOR = ("-c", "core.fsmonitor=false")
"""Settings with which git does not start the program that watches the files of a clone."""

_PATHSPECS = frozenset(f"GIT_{kind}_PATHSPECS" for kind in ("GLOB", "NOGLOB", "ICASE", "LITERAL"))
"""Variables with which git reads paths as patterns, or refuses to read them literally."""

_UNREPLACED = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": f"{os.devnull}/none"}
"""Variables with which git ignores the replacements of objects (`git replace`) in this clone."""


class Done(NamedTuple):
    """The exit code of git, its output and its stderr."""

    returncode: int
    stdout: bytes
    stderr: bytes


def run(
    arguments: list[str], root: str | None = None, check: bool = True, stdin: bytes | None = None
) -> Done:
    """Run git to its end. With `check`, a failure raises GitError."""
    try:
        done = subprocess.run(
            _command(arguments, root),
            env=environment(),
            input=b"" if stdin is None else stdin,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise GitError(_MISSING) from None
    if check and done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[0] if lines else f"exit code {done.returncode}"
        raise GitError(f"git {verb(arguments)} failed: {reason}")
    return Done(done.returncode, done.stdout, done.stderr)


def verb(arguments: list[str]) -> str:
    """Return the command of a call, which is after flags and settings."""
    before = ""
    for word in arguments:
        if before != "-c" and not word.startswith("-"):
            return word
        before = word
    return ""


def start(arguments: list[str], root: str) -> "subprocess.Popen[bytes]":
    """Start git with pipes for its input and output, and return at once.

    Raises:
        GitError: git is not installed.
    """
    try:
        return subprocess.Popen(
            _command(arguments, root),
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
    except FileNotFoundError:
        raise GitError(_MISSING) from None


def _command(arguments: list[str], root: str | None) -> list[str]:
    return [executable(), *(["-C", root] if root else []), *_NO_MONITOR, *arguments]


def environment() -> dict[str, str]:
    """Return the variables for git, without those that would change its answers.

    They are removed from the environment of this process too.
    """
    for name in _PATHSPECS & os.environ.keys():
        del os.environ[name]
    os.environ.update(_UNREPLACED)
    return find.environment(os.environ)


def executable() -> str:
    """Return the absolute path of git.

    Raises:
        GitError: git is not installed.
    """
    path = find.find("git", os.environ)
    if not path:
        raise GitError(_MISSING)
    return path


def names(output: bytes) -> list[str]:
    """Return the fields of an output of git, each of which ends with NUL."""
    return output.decode(errors="surrogateescape").split("\0")[:-1]


def batches(paths: list[str]) -> Iterable[list[str]]:
    """Yield paths in parts that fit on a command line."""
    batch: list[str] = []
    size = 0
    for path in paths:
        # Windows has the lowest limit, 32,767 characters with the command.
        if batch and size + len(path) > 20_000:
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += len(path) + 1
    if batch:
        yield batch
