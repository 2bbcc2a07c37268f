"""`approval_passed`: an approval-result.json that this run or this clone recorded is still valid.

The file alone proves nothing, since anyone can write it: it must match a recorded result.
"""

import hashlib
import json
from typing import NamedTuple

from ..check.files import packaged
from ..config.gates import Gate
from ..config.policy import asks
from ..decision.states import APPROVED
from ..judge import store
from ..phases.gate_result import GateResult
from ..text import counted
from ..verdict.approval_result import NEEDS_REVISION
from ..verdict.stored import StoredResult, read
from ..verdict.verdict import RefusedError
from . import results
from .content import Content, Files, files_of, hashes_of, matched, opened
from .judged import settings_for
from .work import GateWork

_BY_HAND = "no approval is recorded in this run or clone, and the file alone is not proof"

_SAME = ("approval_id", "approval_type", "timestamp", "result", "confidence", "files")
"""Fields that must be equal in a file and in the record of its review."""


class _Record(NamedTuple):
    """A result, and whether this run recorded it. Otherwise the clone did."""

    result: StoredResult
    by_run: bool


def approval_passed(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        wrong = matched(gate, (gate.result_file,), content).findings
        if wrong:
            return results.rejected(gate, "no approval result; run the approval first", wrong)
        data = content.tree.content(gate.result_file)
        try:
            stored = read(data, json.loads(packaged("schemas/approval-result.json") or b"{}"))
        except RefusedError as error:
            return _rejected(gate, f"it is no approval-result: {error}")
        record = _recorded(stored, data, gate.result_file, work)
        if record is None:
            return _rejected(gate, _BY_HAND)
        stale = _stale(gate, record.result, content)
        if stale:
            return _rejected(gate, stale)
        if not _suffices(gate, record):
            return _rejected(gate, f"the result is {record.result.result}, so it was not approved")
        return _under_policy(gate, record, work, content)


def _under_policy(gate: Gate, record: _Record, work: GateWork, content: Content) -> GateResult:
    """Return the answer to a sufficient result.

    The clone records only the verdict, so the policy is applied here.
    """
    approvals, result = settings_for(work, content), record.result
    details = {"approval_id": result.approval_id, "approval_type": result.approval_type}
    count = counted(len(result.files), "file")
    message = f"{result.approval_type}: {result.result}, for {count} as they are"
    type = approvals.types.get(result.approval_type)
    if not record.by_run and type and asks(type.action, approvals.policy.autonomy):
        why = f"with autonomy: {approvals.policy.autonomy} a person must approve too"
        return results.pending(gate, f"{message}; {why}", details)
    return results.approved(gate, message, details)


def _rejected(gate: Gate, message: str) -> GateResult:
    finding = results.error(gate, message, gate.result_file)
    return results.rejected(gate, f"{gate.result_file}: {message}", (finding,))


def _recorded(stored: StoredResult, data: bytes, path: str, work: GateWork) -> _Record | None:
    """Return the record of a result; None if it was not recorded."""
    if work.records.get(path) == hashlib.sha256(data).hexdigest():
        return _Record(stored, by_run=True)
    for entry in store.records(store.folder(work.root)):
        if entry and all(entry.get(key) == getattr(stored, key) for key in _SAME):
            decision = str(entry.get("decision"))
            # The clone records no findings, so a result is treated as if it had errors.
            return _Record(stored._replace(decision=decision, has_errors=True), by_run=False)
    return None


def _stale(gate: Gate, result: StoredResult, content: Content) -> str:
    """Return why a result is not about the current files of a gate; "" if it is."""
    if gate.approval_type and result.approval_type != gate.approval_type:
        return f"it is of the type {result.approval_type}, not {gate.approval_type}"
    if not result.files:
        return "it names no file, so nothing was approved"
    current = hashes_of(tuple(result.files), content)
    for path, hash in result.files.items():
        if hash not in current[path]:
            return f"{path} was changed since; approve it again"
    return _not_approved(files_of(gate, content), result)


def _not_approved(files: Files, result: StoredResult) -> str:
    """Return which current file of a gate a result does not name; "" if it names all."""
    if files.findings:
        return files.findings[0].message
    for path in files.paths:
        if path not in result.files:
            return f"{path} is not among the files that were approved"
    return ""


def _suffices(gate: Gate, record: _Record) -> bool:
    """Return whether a result is sufficient for a gate."""
    result = record.result
    if result.result == APPROVED:
        # A run records a result before it is decided, if it needs no decision.
        is_undecided = record.by_run and not (result.decision or result.needs_person)
        return result.decision == APPROVED or is_undecided
    if gate.result != NEEDS_REVISION or result.result != NEEDS_REVISION:
        return False
    return not (result.has_errors or result.needs_person)
