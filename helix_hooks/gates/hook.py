"""The gates that a hook runs: those that start no program and need no judge or person."""

from ..config.agents import SKIP
from ..config.approvals import ADR, Approvals
from ..config.gates import ADR_COMPLETE, APPROVAL, DOCSTRINGS_COMPLETE, FILES_EXIST, SYNTAX, Gate
from ..errors import UsageError
from .approver import approver_of

_ALWAYS = (FILES_EXIST, SYNTAX, DOCSTRINGS_COMPLETE)


def refuse_in_hook(gate: Gate, approvals: Approvals) -> None:
    """Refuse a gate that a hook does not run.

    Raises:
        UsageError: The gate needs a judge, a person or a program.
    """
    if gate.kind in _ALWAYS or not asks_somebody(gate, approvals):
        return
    way_out = f"`helix-hooks gate {gate.name}` evaluates it at a terminal"
    if gate.kind == ADR_COMPLETE:
        way_out = f"write `semantic: false` at {gate.place}, or: {way_out}"
    raise UsageError(
        f"{gate.place}: a hook does not run the gate {gate.name!r}, because it asks a judge or a "
        f"person, or starts a program; it runs {', '.join(_ALWAYS)}, and adr_complete with "
        f"semantic: false; {way_out}"
    )


def asks_a_judge(gate: Gate, approvals: Approvals) -> bool:
    """Return whether a gate runs a judge."""
    if gate.kind not in (ADR_COMPLETE, APPROVAL) or not asks_somebody(gate, approvals):
        return False
    name = gate.approval_type
    if not name and gate.kind == ADR_COMPLETE:
        name = ADR
    return approver_of(gate, approvals.types.get(name)) in approvals.agents


def asks_somebody(gate: Gate, approvals: Approvals) -> bool:
    """Return whether a gate needs a judge, a person or a program."""
    if gate.kind != ADR_COMPLETE:
        return gate.kind not in _ALWAYS
    type = approvals.types[ADR]
    approver = approver_of(gate, type)
    if approver == SKIP:
        return False
    # `semantic: false` turns a judge off, not a person.
    is_read = (gate.semantic or type.run.semantic) != "false"
    return is_read or approver not in approvals.agents
