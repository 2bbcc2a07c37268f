"""Start git: its executable, its environment, commands that are prefetched, and what they print."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..errors import GitError
from . import program

if TYPE_CHECKING:
    import subprocess

    Started = program.Process | subprocess.Popen[bytes]

_PREFETCHED: "dict[tuple[str | None, ...], Started]" = {}
"""Running commands whose output was not read yet."""

_PATHSPECS = frozenset(f"GIT_{kind}_PATHSPECS" for kind in ("GLOB", "NOGLOB", "ICASE", "LITERAL"))
"""Variables with which git reads paths as patterns, or refuses to read them literally."""

_UNREPLACED = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": f"{os.devnull}/none"}
"""Variables with which git ignores the replacements of objects (`git replace`) in this clone."""


class Done(NamedTuple):
    """The exit code of git, its output and its stderr."""

    returncode: int
    stdout: bytes
    stderr: bytes


def prefetch(root: str, *commands: list[str]) -> None:
    """Start commands whose output is needed soon, while the program is still loading."""
    for command in commands:
        _PREFETCHED[root, *command] = start(command, root)


def forget() -> None:
    """End the commands whose output was not read."""
    while _PREFETCHED:
        _, started = _PREFETCHED.popitem()
        started.kill()
        started.communicate()


def run(
    arguments: list[str], root: str | None = None, check: bool = True, stdin: bytes | None = None
) -> Done:
    """Run git to its end. With `check`, a failure raises GitError."""
    if stdin is None:
        started = _PREFETCHED.pop((root, *arguments), None) or start(arguments, root)
        output, error = started.communicate()
        done = Done(started.wait(), output, error)
    else:
        done = _fed(arguments, root, stdin)
    if check:
        _raise_failure(done, verb(arguments))
    return done


def _fed(arguments: list[str], root: str | None, stdin: bytes) -> Done:
    import subprocess

    variables = environment()
    done = subprocess.run(
        _command(arguments, root), env=variables, input=stdin, capture_output=True, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


def verb(arguments: list[str]) -> str:
    """Return the command of a call, which is after flags and settings."""
    before = ""
    for word in arguments:
        if before != "-c" and not word.startswith("-"):
            return word
        before = word
    return ""


def start(
    arguments: list[str], root: str | None, *, stdin: bool = False, stderr: bool = True
) -> "Started":
    """Start git, and return at once.

    Raises:
        GitError: git is not installed.
    """
    variables = environment()
    try:
        return program.start(_command(arguments, root), variables, stdin=stdin, stderr=stderr)
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None


def _command(arguments: list[str], root: str | None) -> list[str]:
    return [executable(), *(["-C", root] if root else []), *arguments]


def environment() -> dict[str, str]:
    """Return the variables for git, without those that would change its answers.

    They are removed from the environment of this process too.
    """
    for name in _PATHSPECS & os.environ.keys():
        del os.environ[name]
    os.environ.update(_UNREPLACED)
    return program.environment(os.environ)


def executable() -> str:
    """Return the absolute path of git.

    Raises:
        GitError: git is not installed.
    """
    path = program.find("git", os.environ)
    if not path:
        raise GitError("git is not installed, or not on the PATH")
    return path


def finish(started: "Started", command: str, check: bool = True) -> bytes:
    """Return the output of a command at its end. With `check`, a failure raises GitError."""
    output, error = started.communicate()
    if check:
        _raise_failure(Done(started.wait(), output, error), command)
    return output


def _raise_failure(done: Done, command: str) -> None:
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines()
        reason = lines[0] if lines else f"exit code {done.returncode}"
        raise GitError(f"git {command} failed: {reason}")


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
