"""Evaluate a gate. This module has the only registry of kinds."""

import os
from collections.abc import Callable

from ..config import gates
from ..config.gates import Gate
from ..errors import ConfigError, HelixError, UsageError
from ..phases.gate_result import GateResult
from .adr_complete import adr_complete
from .approval import approval
from .approval_passed import approval_passed
from .command import command
from .content import opened
from .docs_compiled import docs_compiled
from .docstrings_complete import docstrings_complete
from .files_exist import files_exist
from .hook import refuse_in_hook
from .judged import settings_for
from .results import failed, pending
from .syntax import syntax
from .verified import verified
from .work import ACTION, FLOW, HOOK, GateWork

_KINDS: dict[str, Callable[[Gate, GateWork], GateResult]] = {
    gates.ADR_COMPLETE: adr_complete,
    gates.APPROVAL: approval,
    gates.APPROVAL_PASSED: approval_passed,
    gates.VERIFIED: verified,
    gates.FILES_EXIST: files_exist,
    gates.SYNTAX: syntax,
    gates.DOCS_COMPILED: docs_compiled,
    gates.DOCSTRINGS_COMPLETE: docstrings_complete,
    gates.COMMAND: command,
}
_RUNS_A_COMMAND = (gates.COMMAND, gates.DOCS_COMPILED)


def answer(gate: Gate, work: GateWork) -> GateResult:
    """Return the answer of a gate on the content of `work`.

    Only one gate at a time may run in a process: a review changes the environment while it reads
    the working tree. Outside a flow, ConfigError and UsageError are raised: nothing was evaluated.

    Raises:
        ConfigError: The settings are invalid.
        UsageError: The call is invalid.
    """
    if work.files:
        gate = gate._replace(files=work.files)
    try:
        return _asked(gate, work)
    except (ConfigError, UsageError) as error:
        if work.where != FLOW:
            raise
        return failed(gate, f"the gate could not be evaluated: {error}")
    except (HelixError, OSError) as error:
        return failed(gate, f"the gate could not be evaluated: {error}")


def _asked(gate: Gate, work: GateWork) -> GateResult:
    outside = next(filter(os.path.isabs, work.files), "")
    if outside:
        raise UsageError(f"{outside}: it lies outside of the repository")
    if work.where == HOOK:
        with opened(work) as content:
            refuse_in_hook(gate, settings_for(work, content))
    if work.where == ACTION and gate.kind in _RUNS_A_COMMAND:
        where = f"`helix-hooks gate {gate.name}` runs it at a terminal or in a job without secrets"
        return pending(gate, f"the Action never runs a command that a change defines; {where}")
    return _KINDS[gate.kind](gate, work)
