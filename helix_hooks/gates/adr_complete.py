"""`adr_complete`: Layers 1 to 3 on some ADRs, then the judge if the gate has one."""

from ..adr.names import place
from ..check.settings import settings_of
from ..config.agents import MANUAL, SKIP
from ..config.approvals import ADR, ApprovalType
from ..config.gates import Gate
from ..finding import Finding
from ..phases.gate_result import GateResult
from ..text.plural import counted
from . import results
from .approver import answered_without_judge, approver_of
from .content import Content, Files, files_of, is_pattern, matched, opened, unread
from .judged import JudgedGate, judged, settings_for
from .rules import errors_in
from .work import GateWork


def adr_complete(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        files = _adrs(gate, content)
        if files.findings:
            return results.rejected(gate, unread(files), files.findings)
        if gate.concept and len(files.paths) != 1:
            count = counted(len(files.paths), "ADR")
            wrong = f"`concept` requires exactly one ADR, got {count}"
            return results.rejected(gate, wrong)
        errors = errors_in(gate, files.paths, work, content)
        if errors:
            message = f"{counted(len(errors), 'error')} in {counted(len(files.paths), 'ADR')}"
            return results.rejected(gate, message, errors, {"files": [*files.paths]})
        type = settings_for(work, content).types[ADR]
        return _approved(gate, type, files.paths, work, content)


def _approved(
    gate: Gate, type: ApprovalType, paths: tuple[str, ...], work: GateWork, content: Content
) -> GateResult:
    approver = approver_of(gate, type)
    if approver in (SKIP, MANUAL):
        return answered_without_judge(gate, approver, paths)
    if (gate.semantic or type.run.semantic) == "false":
        message = f"{counted(len(paths), 'ADR')} complete by the rules"
        return results.approved(gate, message, {"files": [*paths]})
    return judged(JudgedGate(gate, type, paths), work, content)


def _adrs(gate: Gate, content: Content) -> Files:
    """Return the ADRs of a gate, without the templates, guides and concepts among its files."""
    files = files_of(gate, content)
    settings = settings_of(content.tree)
    adrs = []
    for path in files.paths:
        # A file that the gate names without a pattern counts in any case.
        is_named = path in gate.files and not is_pattern(path)
        if is_named or not (place.is_aside(path) or settings.leaves_out(path)):
            adrs.append(path)
    findings = files.findings
    if not adrs and not findings:
        findings = (_no_adr(gate, files.paths),)
    if gate.concept:
        findings += matched(gate, (gate.concept,), content).findings
    return Files(tuple(adrs), findings)


def _no_adr(gate: Gate, paths: tuple[str, ...]) -> Finding:
    only = ", ".join(paths[:3])
    message = f"no ADR is among the files, only templates, guides or concepts: {only}"
    return results.error(gate, message, paths[0] if paths else "")
