"""`command`: a program of the settings ends with 0. Its own code runs with the user's rights."""

import os

from ..config.gates import Gate
from ..judge.process import Limits, Stop
from ..phases.gate_result import GateResult
from ..text.sanitize import printable
from ..verify.agent_run import AgentCommand, RunEnd, run
from . import results
from .trusted import reason_not_to_run
from .work import GateWork

_SHOWN = 300


def command(gate: Gate, work: GateWork) -> GateResult:
    refused = reason_not_to_run(gate, work)
    if refused:
        return results.failed(gate, refused)
    ended = end_of(gate, work, work.root)
    details = {"command": [*gate.command], "output": ended.output}
    if not ended.is_started:
        return results.failed(gate, ended.problem, details)
    if ended.problem:
        message = f"the command failed: {ended.problem}{last_line(ended.output)}"
        return results.rejected(gate, message, (results.error(gate, message),), details)
    return results.approved(gate, f"the command succeeded{last_line(ended.output)}", details)


def end_of(gate: Gate, work: GateWork, folder: str) -> RunEnd:
    """Run the command of a gate in a folder, and return how it ended."""
    started = AgentCommand(
        argv=gate.command,
        folder=folder,
        environment=work.environment,
        limits=Limits(gate.timeout),
    )
    return run(started, os.devnull, os.devnull, _show_nothing, Stop())


def last_line(output: str) -> str:
    """Return the last line that a command printed, to be added to a message."""
    rows = output.strip().splitlines()
    return f": {printable(' '.join(rows[-1].split()), _SHOWN)}" if rows else ""


def _show_nothing(_line: str) -> None:
    """Leave the output of a command to the details of the answer."""
