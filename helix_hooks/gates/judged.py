"""Run the judge of an approval type on the files of a gate."""

import os
from collections.abc import Iterator
from typing import NamedTuple

from ..change.approvals import approvals_of
from ..check.branch import named_commit
from ..check.trees import Revision
from ..config.approvals import Approvals, ApprovalType
from ..config.gates import Gate
from ..decision.approve_result import ApproveResult
from ..decision.assess import assess
from ..decision.states import APPROVED, FAILED, PENDING
from ..errors import ConfigError, HelixError, UsageError
from ..finding import SEVERITIES, Finding
from ..judge.approve import approve
from ..judge.options import ApproveOptions, Observer, RunOptions
from ..phases.gate_result import GateResult
from ..report.verdict import results
from ..verdict.approval_result import APPROVED as JUDGE_APPROVES
from ..verdict.approval_result import NEEDS_REVISION, SKIPPED, ApprovalResult
from ..verdict.skip import NOTHING_CHANGED
from . import results as gate_results
from .content import Content
from .work import ACTION, FLOW, GateWork


class JudgedGate(NamedTuple):
    """A gate whose approver is an agent, with its approval type and its files."""

    gate: Gate
    type: ApprovalType
    paths: tuple[str, ...]


def settings_for(work: GateWork, content: Content) -> Approvals:
    """Return the approvals that apply: those of the base if there is one, or of the content."""
    if not work.base:
        return approvals_of(content.tree)
    base = named_commit(work.root, "--base", work.base)
    tree = Revision(work.root, base, content.reader)
    return approvals_of(tree, work.config)


def judged(judged_gate: JudgedGate, work: GateWork, content: Content) -> GateResult:
    """Return the answer of the judge as that of the gate. If the judge fails, it rejects.

    Raises:
        UsageError: The gate has a brief that does not exist.
    """
    gate = judged_gate.gate
    options = _options(judged_gate, work, content.ignored(judged_gate.paths))
    try:
        result = approve(options, work.root, Observer(work.notify, work.progress))
    except ConfigError:
        raise
    except UsageError as error:
        # A gate has `checks`, not the option `--check` of the command line.
        raise UsageError(f"{gate.place}: {str(error).replace('--check ', '')}") from None
    except HelixError as error:
        return gate_results.failed(gate, f"the judge could not run: {error}")
    return _answer(judged_gate, result)


def _options(judged_gate: JudgedGate, work: GateWork, ignored: tuple[str, ...]) -> ApproveOptions:
    gate, type = judged_gate.gate, judged_gate.type
    semantic = gate.semantic or type.run.semantic
    if work.where == FLOW and semantic == "auto":
        semantic = "true"  # a phase that changed nothing is no reason to approve
    return ApproveOptions(
        range=work.range._replace(ignored=ignored),
        base_decides=work.where == ACTION,
        config=work.config,
        paths=tuple(os.path.join(work.root, path) for path in judged_gate.paths),
        types=(type.name,),
        checks=gate.checks,
        approver=gate.approver,
        run=RunOptions(semantic=semantic),
    )


def _answer(judged_gate: JudgedGate, result: ApproveResult) -> GateResult:
    gate, name = judged_gate.gate, judged_gate.type.name
    all_results = (*result.verdicts, *result.unjudged)
    verdict = next((item for item in all_results if item.approval_type == name), None)
    if not verdict or verdict.summary == NOTHING_CHANGED:
        return gate_results.failed(gate, "no judge could read the files, so nothing was approved")
    if verdict.result == SKIPPED and result.skipped:
        message = f"{name}: nobody has reviewed the files: {verdict.summary}"
        return gate_results.pending(gate, message, _details(name, result))
    answer = _gate_result(judged_gate, verdict, result)
    findings: tuple[Finding, ...] = ()
    if not answer.passed:
        findings = tuple(dict.fromkeys((*verdict.findings, *_errors(result))))
    return answer._replace(
        findings=findings,
        suggestions=verdict.recommendations,
        cost_usd=sum(item.agent_context.cost_usd or 0 for item in result.verdicts),
    )


def _details(name: str, result: ApproveResult) -> dict[str, object]:
    return next(item for item in results(result) if item["approval_type"] == name)


def _gate_result(
    judged_gate: JudgedGate, verdict: ApprovalResult, result: ApproveResult
) -> GateResult:
    """Return the state of the decision as an answer of the gate, without its findings."""
    gate, name = judged_gate.gate, judged_gate.type.name
    details = _details(name, result)
    message = f"{name}: {verdict.summary}"
    state, reasons = _state(judged_gate, verdict, result)
    if state == FAILED:
        problems = "; ".join(finding.message for finding in verdict.findings)
        return gate_results.failed(gate, f"{message} {problems}", details)
    if state == APPROVED:
        return gate_results.approved(gate, message, details)
    if state == PENDING:
        details = {**details, "category": result.decision.category}
        return gate_results.pending(gate, f"{message} ({'; '.join(reasons)})", details)
    return gate_results.rejected(gate, message, details=details)


def _errors(result: ApproveResult) -> Iterator[Finding]:
    """Yield the errors of the rules."""
    for file in result.report.files:
        yield from (item for item in file.findings if item.severity == SEVERITIES[0])


def _state(
    judged_gate: JudgedGate, verdict: ApprovalResult, result: ApproveResult
) -> tuple[str, tuple[str, ...]]:
    """Return the state of the decision and its reasons.

    The verdict needs_revision may suffice for the gate. Then it must have no error, and must meet
    the other conditions of an approval.
    """
    reasons = result.decision.reasons
    is_allowed = judged_gate.gate.result == NEEDS_REVISION
    is_sufficient = is_allowed and verdict.result == NEEDS_REVISION
    if not is_sufficient or any(item.severity == SEVERITIES[0] for item in verdict.findings):
        return result.decision.state, tuple(reason.text for reason in reasons)
    questions = tuple(reason.text for reason in reasons if reason.state == PENDING)
    if questions:
        return PENDING, questions
    confidence = judged_gate.type.run.required_confidence
    as_approval = verdict._replace(result=JUDGE_APPROVES)
    assessed = assess(as_approval, confidence, result.indicators)
    return assessed.state, assessed.reasons
