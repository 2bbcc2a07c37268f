"""`command`: a program of the settings exits with 0. Its code runs with the rights of the user."""

import os

from ..config.gates import Gate
from ..phases.gate_result import GateResult
from ..proc.run import Limits, Stop
from ..text.sanitize import printable
from ..verify.agent_run import AgentCommand, RunEnd, run
from . import results
from .trusted import reason_not_to_run
from .work import GateWork

_MAX_SHOWN = 300


def command(gate: Gate, work: GateWork) -> GateResult:
    refused = reason_not_to_run(gate, work)
    if refused:
        return results.failed(gate, refused)
    end = end_of(gate, work, work.root)
    details = {"command": [*gate.command], "output": end.output}
    if not end.is_started:
        return results.failed(gate, end.problem, details)
    if end.problem:
        message = f"the command failed: {end.problem}{last_line(end.output)}"
        return results.rejected(gate, message, (results.error(gate, message),), details)
    return results.approved(gate, f"the command succeeded{last_line(end.output)}", details)


def end_of(gate: Gate, work: GateWork, folder: str) -> RunEnd:
    """Run the command of a gate in a folder, and return how it ended."""
    agent_command = AgentCommand(
        argv=gate.command,
        folder=folder,
        environment=work.environment,
        limits=Limits(gate.timeout),
    )
    return run(agent_command, os.devnull, os.devnull, _show_nothing, Stop())


def last_line(output: str) -> str:
    """Return the last line of an output, as in ": 2 failed"; "" if it is empty."""
    rows = output.strip().splitlines()
    if not rows:
        return ""
    return f": {printable(' '.join(rows[-1].split()), _MAX_SHOWN)}"


def _show_nothing(_line: str) -> None:
    """Ignore a line of output: the answer has it in its details."""
