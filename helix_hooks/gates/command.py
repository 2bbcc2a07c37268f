"""`command`: a program of the settings exits with 0. Its code runs with the rights of the user.

The base must have the same command. The file of a flow is trusted, since the person who started the
flow chose it.
"""

import os

from ..check.trees import GitTree, Revision
from ..check.work_tree import WorkTree
from ..config.gates import Gate
from ..errors import ConfigError
from ..git import history
from ..judge.approvals import approvals_of
from ..paths import APPROVALS_FILE
from ..phases.gate_result import GateResult
from ..proc.run import Limits, Stop
from ..text import printable
from ..verify.agent_run import AgentCommand, RunEnd, run
from ..verify.base import base_of
from . import results
from .work import FLOW, GateWork

_MAX_SHOWN = 300


def command(gate: Gate, work: GateWork) -> GateResult:
    refused = reason_not_to_run(gate, work)
    if refused:
        return results.failed(gate, refused)
    end = end_of(gate, work, work.root)
    details = {"command": [*gate.command], "output": end.output}
    if not end.is_started:
        return results.failed(gate, end.problem, details, is_started=False)
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


def reason_not_to_run(gate: Gate, work: GateWork) -> str:
    """Return why the command of a gate does not run; "" if it runs."""
    if work.where == FLOW:
        return ""
    path = gate.place.rpartition(":")[0]
    last = history.commit(work.root, work.head or "HEAD")
    base = base_of(work.root, work.base, last)
    if not base:
        return f"{gate.place}: no commit yet; gates run only commands of the base"
    reader = Revision(work.root, base.commit)
    try:
        is_same = _is_same(gate, path, reader, work)
    except ConfigError:
        is_same = False
    finally:
        reader.close()
    if is_same:
        return ""
    return (
        f"{gate.place}: the command was not run: it differs from {path} at {base.name}; "
        "commands from a change never run; merge it first, or set --base"
    )


def _is_same(gate: Gate, path: str, at_base: GitTree, work: GateWork) -> bool:
    """Return whether the base has the same gate; for a file of a flow, the same file."""
    if path == APPROVALS_FILE:
        at = approvals_of(at_base).gates.get(gate.name)
        # `place` is a line, which changes with every edit above it.
        return at is not None and at._replace(place="") == gate._replace(place="")
    before = at_base.read(path)
    # With `--base` the gate was read from there.
    if work.base or before is None:
        return before is not None
    return before == WorkTree(work.root, None).read(path)
