"""`adr_complete`: Layers 1 to 3 on some ADRs, then the judge if the gate has one."""

from ..adr import place
from ..check.branch import named_commit
from ..check.settings import settings_of
from ..check.trees import NOTHING, Revision, Tree
from ..config.agents import NO_AGENTS
from ..config.approvals import ADR
from ..config.gates import Gate
from ..git import history
from ..paths import is_pattern
from ..phases.gate_result import GateResult
from ..text import counted
from . import results
from .approver import answered_without_judge, approver_of
from .content import Content, Files, files_of, matched, opened, unread
from .judged import judged, settings_for
from .rules import errors_in
from .work import GateWork


def adr_complete(gate: Gate, work: GateWork) -> GateResult:
    with opened(work) as content:
        without = ""
        if gate.concept and _has_no_concept(gate, work, content):
            without = f", without {gate.concept}, which does not exist"
            gate = gate._replace(concept="")
        paths, findings = _adrs(gate, content)
        if findings:
            return results.rejected(gate, unread(Files(paths, findings)), findings)
        adrs = counted(len(paths), "ADR")
        if gate.concept and len(paths) != 1:
            return results.rejected(gate, f"`concept` requires exactly one ADR, got {adrs}")
        details = {"files": [*paths]}
        errors = errors_in(gate, paths, work, content)
        if errors:
            message = f"{counted(len(errors), 'error')} in {adrs}"
            return results.rejected(gate, message, errors, details)
        type = settings_for(work, content).types[ADR]
        approver = approver_of(gate, type)
        if approver in NO_AGENTS:
            return answered_without_judge(gate, approver, paths)
        if (gate.semantic or type.run.semantic) == "false":
            return results.approved(gate, f"{adrs} complete by the rules{without}", details)
        return judged(gate, type, paths, work, content)


def _has_no_concept(gate: Gate, work: GateWork, content: Content) -> bool:
    """Return whether there is no concept, which is optional. A change may not remove it.

    Without a base the last commit counts.
    """
    trees: list[Tree] = [content.tree]
    before = history.commit(work.root, "HEAD")
    if work.base:
        before = named_commit(work.root, "--base", work.base)
    if before:
        trees.append(Revision(work.root, before, content.reader))
    return all(tree.place(gate.concept).kind == NOTHING for tree in trees)


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
        only = ", ".join(files.paths[:3])
        message = f"no ADR is among the files, only templates, guides or concepts: {only}"
        findings = (results.error(gate, message, next(iter(files.paths), "")),)
    if gate.concept:
        findings += matched(gate, (gate.concept,), content).findings
    return Files(tuple(adrs), findings)
