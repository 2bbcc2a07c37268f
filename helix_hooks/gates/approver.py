"""The answers of gates by persons and by the rules alone, and the gates that need more."""

from ..config.agents import MANUAL, SKIP
from ..config.approvals import ADR, Approvals, ApprovalType
from ..config.gates import ADR_COMPLETE, APPROVAL, KINDS, Gate
from ..errors import UsageError
from ..phases.gate_result import GateResult
from .results import approved, pending

_MAX_LISTED = 5


def approver_of(gate: Gate, type: ApprovalType | None) -> str:
    """Return "skip", "manual" or the name of an agent.

    A gate cannot replace the approver "manual" of its approval type.
    """
    of_type = type.run.agent if type else ""
    if of_type == MANUAL:
        return MANUAL
    return gate.approver or of_type


def answered_without_judge(gate: Gate, approver: str, paths: tuple[str, ...]) -> GateResult:
    """Return the answer if the rules found nothing and there is no judge."""
    details = {"approver": approver, "files": [*paths]}
    if approver == SKIP:
        message = "approved by the rules alone: approver: skip uses no judge and no person"
        return approved(gate, message, {**details, "skipped": True})
    listed = ", ".join(paths[:_MAX_LISTED])
    if len(paths) > _MAX_LISTED:
        listed += f" and {len(paths) - _MAX_LISTED} more"
    return pending(gate, f"a person decides on {listed}", details)


def refuse_in_hook(gate: Gate, approvals: Approvals) -> None:
    """Refuse a gate that a hook does not run.

    Raises:
        UsageError: The gate needs a judge, a person or a program.
    """
    if not _asks_somebody(gate, approvals):
        return
    way_out = f"`helix-hooks gate {gate.name}` evaluates it at a terminal"
    if gate.kind == ADR_COMPLETE:
        way_out = f"write `semantic: false` at {gate.place}, or: {way_out}"
    allowed = ", ".join(name for name, kind in KINDS.items() if kind.runs_in_hooks)
    raise UsageError(
        f"{gate.place}: a hook does not run the gate {gate.name!r}, because it asks a judge or a "
        f"person, or starts a program; it runs {allowed}, and adr_complete with "
        f"semantic: false; {way_out}"
    )


def asks_a_judge(gate: Gate, approvals: Approvals) -> bool:
    """Return whether a gate runs a judge."""
    if gate.kind not in (ADR_COMPLETE, APPROVAL) or not _asks_somebody(gate, approvals):
        return False
    name = ADR if gate.kind == ADR_COMPLETE else gate.approval_type
    return approver_of(gate, approvals.types.get(name)) in approvals.agents


def _asks_somebody(gate: Gate, approvals: Approvals) -> bool:
    """Return whether a gate needs a judge, a person or a program."""
    if gate.kind != ADR_COMPLETE:
        return not KINDS[gate.kind].runs_in_hooks
    type = approvals.types[ADR]
    approver = approver_of(gate, type)
    if approver == SKIP:
        return False
    # `semantic: false` turns a judge off, not a person.
    is_read = (gate.semantic or type.run.semantic) != "false"
    return is_read or approver not in approvals.agents
