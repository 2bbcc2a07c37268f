"""`approval`: a judge with a rubric, a person, or the rules alone approve some files."""

from ..config.agents import NO_AGENTS
from ..config.approvals import ApprovalType
from ..config.gates import Gate
from ..errors import UsageError
from ..judge.result import unjudged
from ..phases.gate_result import GateResult
from ..verdict.approval_result import SKIPPED, ReviewedFile
from . import results
from .approver import answered_without_judge, approver_of
from .content import Content, files_of, hashes_of, opened, unread
from .judged import judged, settings_for
from .rules import errors_in
from .work import GateWork


def approval(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        files = files_of(gate, content)
        if files.findings:
            return results.rejected(gate, unread(files), files.findings)
        if not files.paths:
            return results.rejected(gate, "no files to approve; add `files` to the gate")
        type = _type(gate, work, content)
        approver = approver_of(gate, type)
        if type and approver not in NO_AGENTS:
            return judged(gate, type, files.paths, work, content)
        if type and type.reviews_adrs:
            errors = errors_in(gate, files.paths, work, content)
            if errors:
                return results.rejected(gate, "the rules have findings", errors)
        answer = answered_without_judge(gate, approver, files.paths)
        if not answer.passed:
            return answer
        return _as_approval_result(answer, gate, content)


def _type(gate: Gate, work: GateWork, content: Content) -> ApprovalType | None:
    if not gate.approval_type:
        return None
    types = settings_for(work, content).types
    if gate.approval_type not in types:
        there = ", ".join(types)
        message = f"there is no approval type {gate.approval_type!r}; there are {there}"
        raise UsageError(f"{gate.place}: {message}")
    return types[gate.approval_type]


def _as_approval_result(answer: GateResult, gate: Gate, content: Content) -> GateResult:
    """Add the fields of an approval-result, with the hashes of the approved files."""
    paths = files_of(gate, content).paths
    hashes = hashes_of(paths, content)
    result = unjudged(gate.approval_type or gate.approver, SKIPPED, answer.message)
    files = tuple(ReviewedFile(path, hashes[path][0]) for path in paths)
    fields = {**result._replace(files=files).to_dict(), "decision": SKIPPED}
    return answer._replace(details={**fields, **answer.details, "files": fields["files"]})
