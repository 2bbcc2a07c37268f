"""Start git: its executable, its environment, commands that are prefetched, and what they print."""

import os
import subprocess
from collections.abc import Iterable

from ..errors import GitError
from . import program

_PREFETCHED: "dict[tuple[str | None, ...], subprocess.Popen[bytes]]" = {}
"""Commands that run already, whose output nobody has asked for yet."""

_PATHSPECS = frozenset(f"GIT_{kind}_PATHSPECS" for kind in ("GLOB", "NOGLOB", "ICASE", "LITERAL"))
"""Variables by which git would take paths for patterns, or refuse to take them literally."""

_UNREPLACED = {"GIT_NO_REPLACE_OBJECTS": "1", "GIT_GRAFT_FILE": f"{os.devnull}/none"}
"""Variables by which git reads the objects that a commit names, not those with which this clone
replaces them.
"""


def prefetch(root: str, *commands: list[str]) -> None:
    """Start commands whose output is needed soon, while the program goes on loading."""
    for command in commands:
        _PREFETCHED[root, *command] = start(command, root)


def forget() -> None:
    """End the commands whose output nobody has asked for."""
    while _PREFETCHED:
        _, process = _PREFETCHED.popitem()
        process.kill()
        process.communicate()


def run(
    arguments: list[str], root: str | None = None, check: bool = True, stdin: bytes | None = None
) -> "subprocess.CompletedProcess[bytes]":
    """Run git to its end. With `check`, a failure raises GitError."""
    process = _PREFETCHED.pop((root, *arguments), None) or start(
        arguments, root, None if stdin is None else subprocess.PIPE
    )
    output, error = _end(process, verb(arguments), check, stdin)
    return subprocess.CompletedProcess(arguments, process.returncode, output, error)


def verb(arguments: list[str]) -> str:
    """Return the command of a call, which stands behind flags and settings."""
    words = (
        word
        for before, word in zip(["", *arguments], arguments, strict=False)
        if before != "-c" and not word.startswith("-")
    )
    return next(words, "")


def start(
    arguments: list[str],
    root: str | None,
    stdin: int | None = None,
    stderr: int | None = subprocess.PIPE,
) -> "subprocess.Popen[bytes]":
    variables = environment()
    try:
        return subprocess.Popen(
            [executable(), *arguments],
            cwd=root,
            env=variables,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    except FileNotFoundError:
        raise GitError("git is not installed, or not on the PATH") from None


def environment() -> dict[str, str]:
    """Return the variables that git is started with, after removing those that would change what
    its answers mean.
    """
    for name in _PATHSPECS & os.environ.keys():
        del os.environ[name]
    os.environ.update(_UNREPLACED)
    return program.environment(os.environ)


def executable() -> str:
    """Return the absolute path of git. Raises GitError if there is none."""
    path = program.found("git", os.environ)
    if not path:
        raise GitError("git is not installed, or not on the PATH")
    return path


def finish(process: "subprocess.Popen[bytes]", command: str, check: bool = True) -> bytes:
    return _end(process, command, check, None)[0]


def _end(
    process: "subprocess.Popen[bytes]", command: str, check: bool, stdin: bytes | None
) -> tuple[bytes, bytes]:
    """Return the output of a process and what it said on stderr."""
    output, error = process.communicate(stdin)
    if check and process.returncode:
        reason = error.decode(errors="replace").strip().splitlines()
        raise GitError(
            f"git {command} failed: {reason[0] if reason else f'exit code {process.returncode}'}"
        )
    return output, error or b""


def names(output: bytes) -> list[str]:
    """Return the fields of an output of git that ends each with NUL."""
    return output.decode(errors="surrogateescape").split("\0")[:-1]


def batches(paths: list[str]) -> Iterable[list[str]]:
    """Yield paths in parts that fit on a command line; Windows has the lowest limit, 32,767
    characters.
    """
    batch: list[str] = []
    size = 0
    for path in paths:
        if batch and size + len(path) > 20_000:
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += len(path) + 1
    if batch:
        yield batch
