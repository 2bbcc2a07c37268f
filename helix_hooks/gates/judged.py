"""Run the judge of an approval type on the files of a gate."""

import os

from ..check.branch import named_commit
from ..check.trees import Revision
from ..config.approvals import Approvals, ApprovalType
from ..config.gates import Gate
from ..decision.decide import ApproveResult
from ..decision.states import APPROVED, FAILED, PENDING, assess
from ..errors import ConfigError, HelixError, UsageError
from ..finding import SEVERITIES, Finding
from ..judge.approvals import approvals_of
from ..judge.approve import approve
from ..judge.options import ApproveOptions, Observer, RunOptions
from ..judge.result_text import results
from ..phases.gate_result import GateResult
from ..verdict.approval_result import APPROVED as JUDGE_APPROVES
from ..verdict.approval_result import NEEDS_REVISION, SKIPPED, SPAWN, ApprovalResult
from ..verdict.earlier import OPEN, EarlierRound
from ..verdict.skip import NOTHING_CHANGED
from . import results as gate_results
from .content import Content
from .work import ACTION, FLOW, GateWork


def settings_for(work: GateWork, content: Content) -> Approvals:
    """Return the approvals that apply: those of the base if there is one, or of the content."""
    if not work.base:
        return approvals_of(content.tree)
    base = named_commit(work.root, "--base", work.base)
    tree = Revision(work.root, base, content.reader)
    return approvals_of(tree, work.config)


def judged(
    gate: Gate, type: ApprovalType, paths: tuple[str, ...], work: GateWork, content: Content
) -> GateResult:
    """Return the answer of the judge of an approval type on some files. If it fails, it rejects.

    Raises:
        UsageError: The gate has a brief that does not exist.
    """
    semantic = gate.semantic or type.run.semantic
    if work.where == FLOW and semantic == "auto":
        semantic = "true"  # a phase that changed nothing is no reason to approve
    options = ApproveOptions(
        range=work.range._replace(ignored=content.ignored(paths)),
        base_decides=work.where == ACTION,
        config=work.config,
        paths=tuple(os.path.join(work.root, path) for path in paths),
        types=(type.name,),
        checks=gate.checks,
        approver=gate.approver,
        run=RunOptions(semantic=semantic),
        # No commit has the content of that round, so the judge goes by the files.
        earlier=(EarlierRound(type.name, "", work.earlier),) if work.earlier else (),
    )
    try:
        result = approve(options, work.root, Observer(work.notify, work.progress))
    except ConfigError:
        raise
    except UsageError as error:
        # A gate has `checks`, not the option `--check` of the command line.
        raise UsageError(f"{gate.place}: {str(error).replace('--check ', '')}") from None
    except HelixError as error:
        return gate_results.failed(gate, f"the judge could not run: {error}")
    return _answer(gate, type, result, work)


def _answer(gate: Gate, type: ApprovalType, result: ApproveResult, work: GateWork) -> GateResult:
    """Return the state of the decision as the answer of a gate."""
    name = type.name
    verdicts = (*result.verdicts, *result.unjudged)
    verdict = next((item for item in verdicts if item.approval_type == name), None)
    if not verdict or verdict.summary == NOTHING_CHANGED:
        return gate_results.failed(gate, "no judge could read the files, so nothing was approved")
    details = next(item for item in results(result) if item["approval_type"] == name)
    if verdict.result == SKIPPED and result.skipped:
        message = f"{name}: nobody has reviewed the files: {verdict.summary}"
        return gate_results.pending(gate, message, details)
    message = f"{name}: {verdict.summary}"
    state, reasons = _state(gate, type, verdict, result)
    if state == APPROVED:
        answer = gate_results.approved(gate, message, details)
    elif state == PENDING:
        details = {**details, "category": result.decision.category}
        answer = gate_results.pending(gate, f"{message} ({'; '.join(reasons)})", details)
    elif state == FAILED:
        problems = "; ".join(finding.message for finding in verdict.findings)
        is_started = all(finding.check != SPAWN for finding in verdict.findings)
        answer = gate_results.failed(gate, f"{message} {problems}", details, is_started=is_started)
    else:
        answer = gate_results.rejected(gate, message, details=details)
    findings: tuple[Finding, ...] = ()
    if not answer.passed:
        of_files = [finding for file in result.report.files for finding in file.findings]
        errors = [finding for finding in of_files if finding.severity == SEVERITIES[0]]
        still = [item.finding for item in work.earlier if verdict.earlier.get(item.id) == OPEN]
        findings = tuple(dict.fromkeys((*verdict.findings, *still, *errors)))
    return answer._replace(
        findings=findings,
        suggestions=verdict.recommendations,
        cost_usd=sum(item.agent_context.cost_usd or 0 for item in result.verdicts),
    )


def _state(
    gate: Gate, type: ApprovalType, verdict: ApprovalResult, result: ApproveResult
) -> tuple[str, tuple[str, ...]]:
    """Return the state of the decision and its reasons.

    The verdict needs_revision may suffice for the gate. Then it must have no error, and must meet
    the other conditions of an approval.
    """
    reasons = result.decision.reasons
    is_sufficient = gate.result == verdict.result == NEEDS_REVISION
    if not is_sufficient or any(item.severity == SEVERITIES[0] for item in verdict.findings):
        return result.decision.state, tuple(reason.text for reason in reasons)
    questions = tuple(reason.text for reason in reasons if reason.state == PENDING)
    if questions:
        return PENDING, questions
    as_approval = verdict._replace(result=JUDGE_APPROVES)
    assessed = assess(as_approval, type.run.required_confidence, result.indicators)
    return assessed.state, assessed.reasons
