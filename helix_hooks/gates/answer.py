"""Evaluate a gate by the module of its kind."""

import os
from collections.abc import Callable
from importlib import import_module

from ..config.gates import GATE_KINDS, KINDS, Gate
from ..errors import ConfigError, HelixError, UsageError
from ..phases.gate_result import GateResult
from .approver import refuse_in_hook
from .content import opened
from .judged import settings_for
from .results import failed, pending
from .work import ACTION, FLOW, HOOK, GateWork

_ANSWERS: dict[str, Callable[[Gate, GateWork], GateResult]] = {
    kind: getattr(import_module(f"{__package__}.{kind}"), kind) for kind in GATE_KINDS
}
"""The function of each kind, which has the name of its module."""


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
        return _answer(gate, work)
    except (HelixError, OSError) as error:
        if isinstance(error, ConfigError | UsageError) and work.where != FLOW:
            raise
        return failed(gate, f"the gate could not be evaluated: {error}")


def _answer(gate: Gate, work: GateWork) -> GateResult:
    outside = next(filter(os.path.isabs, work.files), "")
    if outside:
        raise UsageError(f"{outside}: it lies outside of the repository")
    if work.where == HOOK:
        with opened(work) as content:
            refuse_in_hook(gate, settings_for(work, content))
    if work.where == ACTION and "command" in KINDS[gate.kind].keys:
        where = f"`helix-hooks gate {gate.name}` runs it at a terminal or in a job without secrets"
        return pending(gate, f"the Action never runs a command that a change defines; {where}")
    return _ANSWERS[gate.kind](gate, work)
