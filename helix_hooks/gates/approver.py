"""Who approves at a gate, and the answers without a judge."""

from ..config.agents import MANUAL, SKIP
from ..config.approvals import ApprovalType
from ..config.gates import Gate
from ..phases.gate_result import GateResult
from .results import approved, pending

_LISTED = 5


def approver_of(gate: Gate, type: ApprovalType | None) -> str:
    """Return "skip", "manual" or the name of an agent.

    A type that a person approves is never approved by anybody else, whatever the gate says.
    """
    of_type = type.run.agent if type else ""
    return of_type if of_type == MANUAL else gate.approver or of_type


def answered_without_judge(gate: Gate, approver: str, paths: tuple[str, ...]) -> GateResult:
    """Return the answer where the rules have found nothing and no judge is asked."""
    details = {"approver": approver, "files": [*paths]}
    if approver == SKIP:
        message = "approved by the rules alone: approver: skip asks no judge and no person"
        return approved(gate, message, {**details, "skipped": True})
    more = f" and {len(paths) - _LISTED} more" if len(paths) > _LISTED else ""
    return pending(gate, f"a person decides on {', '.join(paths[:_LISTED])}{more}", details)
