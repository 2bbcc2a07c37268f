"""Run the commands of the settings, whose success is evidence.

They run the work's own code with the rights of the user, so no job with a secret or a write token
runs them.
"""

import os
from collections.abc import Mapping

from ..config.verify import VerifyCommand, VerifySettings
from ..judge.process import Limits, Listeners, Stop, run
from ..repository import program
from ..text.sanitize import printable
from ..verification.evidence import CommandFact

INSIDE = "HELIX_HOOKS_VERIFYING"
"""The variable by which a program knows that a verification has started it."""

_SHOWN = 300
_KEPT = 20_000


def run_commands(settings: VerifySettings, root: str) -> Mapping[str, CommandFact]:
    """Run each command in the work tree, one after the other; return the results by its text."""
    return {command.text: _result(command, settings.timeout, root) for command in settings.commands}


def not_run(settings: VerifySettings, reason: str) -> Mapping[str, CommandFact]:
    """Return the facts of commands that were not run."""
    return {
        command.text: CommandFact(passed=False, reason=reason, ran=False)
        for command in settings.commands
    }


def _result(command: VerifyCommand, seconds: int, root: str) -> CommandFact:
    """Return the result of a command. One that can't be started is a failure of the run."""
    found = executable(command.argv[0], root, os.environ)
    if not found:
        reason = f"there is no program {command.argv[0]!r} to run `{command.text}`"
        return CommandFact(passed=False, reason=reason, is_broken=True)
    kept = bytearray()

    def keep(chunk: bytes) -> None:
        kept.extend(chunk)
        del kept[:-_KEPT]

    environment = {**os.environ, INSIDE: "1"}
    try:
        ended = run(
            [found, *command.argv[1:]],
            root,
            environment,
            os.devnull,
            Limits(seconds),
            Listeners(keep),
            Stop(),
        )
    except OSError as error:
        reason = f"`{command.text}` could not be started: {error.strerror}"
        return CommandFact(passed=False, reason=reason, is_broken=True)
    if ended.stopped == "time":
        return CommandFact(passed=False, reason=f"`{command.text}` took over {seconds} s")
    if ended.stopped:
        return CommandFact(passed=False, reason=f"`{command.text}` printed too much")
    if ended.code:
        last = _last_line(bytes(kept).decode(errors="replace"), ended.errors)
        return CommandFact(passed=False, reason=f"`{command.text}` {ended.how}{last}")
    return CommandFact(passed=True)


def executable(name: str, root: str, environment: Mapping[str, str]) -> str:
    """Return the path of a program on the PATH, or of one that is named by its path."""
    place = os.path.join(root, name) if os.path.dirname(name) else name
    return program.found(place, environment)


def _last_line(output: str, errors: str) -> str:
    """Return the last line that a command printed, to be added to a message."""
    rows = (output.strip() or errors.strip()).splitlines()
    return f": {printable(' '.join(rows[-1].split()), _SHOWN)}" if rows else ""
