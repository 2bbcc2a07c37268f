"""Run the commands of the settings as evidence.

They execute the code under verification with the rights of the user. Jobs with a secret or a write
token must not run them.
"""

import os
from collections.abc import Mapping

from ..config.verify import VerifyCommand, VerifySettings
from ..proc.run import Limits, Stop
from ..text.sanitize import printable
from ..verification.evidence import CommandFact
from .agent_run import AgentCommand, run

_SHOWN = 300
"""Maximum characters of a line in a message."""


def run_commands(settings: VerifySettings, root: str) -> Mapping[str, CommandFact]:
    """Run the commands one after the other in the work tree. Return the facts by command text."""
    return {command.text: _result(command, settings.timeout, root) for command in settings.commands}


def not_run(settings: VerifySettings, reason: str) -> Mapping[str, CommandFact]:
    """Return the facts of commands that were not run."""
    return {
        command.text: CommandFact(passed=False, reason=reason, ran=False)
        for command in settings.commands
    }


def _result(command: VerifyCommand, seconds: int, root: str) -> CommandFact:
    """Run a command and return its fact. `is_broken` if it can't be started."""
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
    """Show nothing of a command's output."""


def _last_line(output: str) -> str:
    """Return the last line of a command's output as the end of a message; "" if there is none."""
    rows = output.strip().splitlines()
    if not rows:
        return ""
    return f": {printable(' '.join(rows[-1].split()), _SHOWN)}"
