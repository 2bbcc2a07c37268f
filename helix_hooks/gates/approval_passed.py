"""`approval_passed`: an approval-result.json that this run or this clone has recorded still holds.

Nobody is believed who only writes such a file: it names a result, and what counts is the record.
"""

import hashlib
import json
from typing import NamedTuple

from ..config.autonomy import asks
from ..config.gates import Gate
from ..decision.states import APPROVED
from ..judge import store
from ..phases.gate_result import GateResult
from ..repository.files import packaged
from ..text.plural import counted
from ..verdict.stored import StoredResult, read
from ..verdict.verdict import NEEDS_REVISION, RefusedError
from . import results
from .content import Content, files_of, hashes_of, matched, opened
from .judged import settings_for
from .work import GateWork

_BY_HAND = "neither this run nor this clone has recorded it, and a file alone proves nothing"

_SAME = ("approval_id", "approval_type", "timestamp", "result", "confidence", "files")
"""Fields in which a file and the record of its review agree."""


class _Record(NamedTuple):
    """A result, and whether this run has recorded it; otherwise the clone has."""

    result: StoredResult
    by_run: bool


def approval_passed(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        wrong = matched(gate, (gate.result_file,), content).findings
        if wrong:
            return results.rejected(gate, "there is no result of an approval", wrong)
        data = content.tree.content(gate.result_file)
        try:
            said = read(data, json.loads(packaged("schemas/approval-result.json") or b"{}"))
        except RefusedError as error:
            return _rejected(gate, f"it is no approval-result: {error}")
        known = _recorded(said, data, gate.result_file, work)
        if known is None:
            return _rejected(gate, _BY_HAND)
        stale = _stale(gate, known.result, content)
        if stale:
            return _rejected(gate, stale)
        if not _suffices(gate, known):
            return _rejected(gate, f"the result is {known.result.result}, so it was not approved")
        return _under_policy(gate, known, work, content)


def _under_policy(gate: Gate, known: _Record, work: GateWork, content: Content) -> GateResult:
    """Return the answer to a result that suffices.

    The clone records the verdict alone, so what the policy asks is asked here.
    """
    approvals, result = settings_for(work, content), known.result
    details = {"approval_id": result.approval_id, "approval_type": result.approval_type}
    count = counted(len(result.files), "file")
    about = f"{result.approval_type}: {result.result}, for {count} as they are"
    type = approvals.types.get(result.approval_type)
    if not known.by_run and type and asks(type.action, approvals.policy.autonomy):
        why = f"with autonomy: {approvals.policy.autonomy} a person decides as well"
        return results.pending(gate, f"{about}; {why}", details)
    return results.approved(gate, about, details)


def _rejected(gate: Gate, message: str) -> GateResult:
    finding = results.error(gate, message, gate.result_file)
    return results.rejected(gate, f"{gate.result_file}: {message}", (finding,))


def _recorded(said: StoredResult, data: bytes, path: str, work: GateWork) -> _Record | None:
    """Return the result as it was recorded; None where it was not."""
    if work.records.get(path) == hashlib.sha256(data).hexdigest():
        return _Record(said, by_run=True)
    for entry in store.records(store.folder(work.root)):
        if entry and all(entry.get(key) == getattr(said, key) for key in _SAME):
            decision = str(entry.get("decision"))
            return _Record(said._replace(decision=decision, has_errors=True), by_run=False)
    return None


def _stale(gate: Gate, result: StoredResult, content: Content) -> str:
    """Return why a result is not about the present files of a gate; "" if it is."""
    if gate.approval_type and result.approval_type != gate.approval_type:
        return f"it is of the type {result.approval_type}, not {gate.approval_type}"
    if not result.files:
        return "it names no file, so nothing was approved"
    now = hashes_of(tuple(result.files), content)
    changed = [path for path, hash in result.files.items() if hash not in now[path]]
    if changed:
        return f"{changed[0]} was changed since; approve it again"
    files = files_of(gate, content)
    if files.findings:
        return files.findings[0].message
    others = [path for path in files.paths if path not in result.files]
    return f"{others[0]} is not among the files that were approved" if others else ""


def _suffices(gate: Gate, known: _Record) -> bool:
    """Return whether a result is enough.

    The clone's record holds no findings, so that needs_revision is never enough there.
    """
    result = known.result
    if result.result == APPROVED:
        is_undecided = known.by_run and not (result.decision or result.needs_person)
        return result.decision == APPROVED or is_undecided
    is_enough = gate.result == NEEDS_REVISION == result.result
    return is_enough and not (result.has_errors or result.needs_person)
