"""The approver at a gate, and the answers without a judge."""

from ..config.agents import MANUAL, SKIP
from ..config.approvals import ApprovalType
from ..config.gates import Gate
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
