"""One run of a command that does the work: under limits, its output shown and logged."""

import codecs
import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .. import writing
from ..judge import orphans, process
from ..judge.process import Limits, Listeners, Stop
from ..repository.program import find
from .stop import INSIDE

_TAIL = 16_000
"""Characters that are kept of the end of the output."""
_LONGEST_LINE = 2_000


class RunEnd(NamedTuple):
    """The end of a run: why it failed, "" if it did not, and the end of what it printed.

    `is_started` is False for a program that could not be started.
    """

    problem: str
    output: str
    is_started: bool = True


class AgentCommand(NamedTuple):
    """A program with its arguments, the folder it runs in, its environment and its limits."""

    argv: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    limits: Limits


def run(
    command: AgentCommand, stdin: str, log: str, show: Callable[[str], None], stop: Stop
) -> RunEnd:
    """Run a command with the file `stdin` as its standard input, and nothing of it afterwards.

    Each line that it prints goes to `show`, all bytes go to the file `log`. Raises OSError if that
    can't be written.
    """
    program = _program(command)
    if not program:
        return RunEnd(
            f"there is no program {command.argv[0]}, so it could not be started", "", False
        )
    output = _Output(show, log)
    listeners = Listeners(output.feed, errors=output.feed)
    spared = orphans.children()
    try:
        ended = process.run(
            [program, *command.argv[1:]],
            command.folder,
            {**command.environment, INSIDE: "1"},
            stdin,
            command.limits,
            listeners,
            stop,
        )
    except OSError as error:
        if error.filename == log:
            raise
        return RunEnd(
            f"{command.argv[0]} could not be started: {error.strerror}", output.tail, False
        )
    finally:
        orphans.end_all(spared)
        output.close()
    return RunEnd(_problem(ended, command.limits), output.tail)


def _program(command: AgentCommand) -> str:
    """Return the path of the program; one with a slash is looked for in the folder."""
    name = command.argv[0]
    if os.path.dirname(name):
        return find(os.path.join(command.folder, name), command.environment)
    return find(name, command.environment)


def _problem(ended: process.Ended, limits: Limits) -> str:
    if ended.stopped == "time":
        return f"it was stopped after {limits.seconds:.0f} seconds"
    if ended.stopped == "output":
        return f"it was stopped since it printed more than {limits.output // 1_000_000} MB"
    return f"it {ended.how}" if ended.code else ""


class _Output:
    """What a command prints, on both streams: lines to show, a log, and the end of it."""

    def __init__(self, show: Callable[[str], None], log: str) -> None:
        self._show, self._log = show, log
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._line = ""
        self.tail = ""

    def feed(self, chunk: bytes) -> None:
        writing.append(self._log, chunk, mode=0o600)
        text = self._decoder.decode(chunk)
        self.tail = (self.tail + text)[-_TAIL:]
        *lines, self._line = (self._line + text).split("\n")
        for line in lines:
            self._show(line.rstrip("\r")[:_LONGEST_LINE])
        if len(self._line) > _LONGEST_LINE:
            self.close()

    def close(self) -> None:
        """Show the last line, which no line end follows."""
        if self._line:
            self._show(self._line[:_LONGEST_LINE])
        self._line = ""
