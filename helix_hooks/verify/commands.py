"""Run the commands of the settings, whose success is evidence.

They run the work's own code with the rights of the user, so no job with a secret or a write token
runs them.
"""

import os
from collections.abc import Mapping

from ..config.verify import VerifyCommand, VerifySettings
from ..judge.process import Limits, Stop
from ..text.sanitize import printable
from ..verification.evidence import CommandFact
from .agent_run import AgentCommand, run

_SHOWN = 300


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
    started = AgentCommand(
        argv=command.argv, folder=root, environment=os.environ, limits=Limits(seconds)
    )
    ended = run(started, os.devnull, os.devnull, _show_nothing, Stop())
    if not ended.is_started:
        reason = f"`{command.text}` was not run: {ended.problem}"
        return CommandFact(passed=False, reason=reason, is_broken=True)
    if ended.problem:
        reason = f"`{command.text}` failed: {ended.problem}{_last_line(ended.output)}"
        return CommandFact(passed=False, reason=reason)
    return CommandFact(passed=True)


def _show_nothing(_line: str) -> None:
    """Leave the output of a command out."""


def _last_line(output: str) -> str:
    """Return the last line that a command printed, to be added to a message."""
    rows = output.strip().splitlines()
    return f": {printable(' '.join(rows[-1].split()), _SHOWN)}" if rows else ""
