"""One run of a command that does the work: limited, with its output shown and logged."""

import codecs
import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .. import writing
from ..proc import find, orphans
from ..proc import run as process
from ..proc.run import Limits, Listeners, Stop
from .stop import INSIDE

_TAIL = 16_000
"""Characters kept from the end of the output."""
_LONGEST_LINE = 2_000
"""Maximum characters of a line to show."""


class RunEnd(NamedTuple):
    """The end of a run: the reason for a failure ("" for none), and the end of its output.

    `is_started` is False for a program that could not be started.
    """

    problem: str
    output: str
    is_started: bool = True


class AgentCommand(NamedTuple):
    """A program with its arguments, working folder, environment and limits."""

    argv: tuple[str, ...]
    folder: str
    environment: Mapping[str, str]
    limits: Limits


def run(
    command: AgentCommand, stdin: str, log: str, show: Callable[[str], None], stop: Stop
) -> RunEnd:
    """Run a command with the file `stdin` as its standard input, and end all its processes.

    `show` gets each line of its output, the file `log` gets all bytes.

    Raises:
        OSError: The log can't be written.
    """
    program = program_of(command)
    if not program:
        return RunEnd(no_program(command.argv[0]), "", False)
    output = _Output(show, log)
    listeners = Listeners(output.feed, errors=output.feed)
    # Processes of the caller, which must survive the command.
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


def no_program(name: str) -> str:
    """Return the message on a program that does not exist."""
    return f"there is no program {name}, so it could not be started"


def program_of(command: AgentCommand) -> str:
    """Return the path of the program, "" for none. A path is relative to the folder."""
    name = command.argv[0]
    if os.path.dirname(name):
        return find(os.path.join(command.folder, name), command.environment)
    return find(name, command.environment)


def _problem(ended: process.Ended, limits: Limits) -> str:
    if ended.stopped == "time":
        return f"it was stopped after {limits.seconds:.0f} seconds"
    if ended.stopped == "output":
        return f"it was stopped because it printed more than {limits.output // 1_000_000} MB"
    return f"it {ended.how}" if ended.code else ""


class _Output:
    """The output of a command on both streams: lines to show, a log, and its end."""

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
        """Show the last line, which has no line end."""
        if self._line:
            self._show(self._line[:_LONGEST_LINE])
        self._line = ""
