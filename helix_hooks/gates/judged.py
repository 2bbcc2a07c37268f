"""Ask the judge of an approval type about the files of a gate."""

import os
from typing import NamedTuple

from ..change.approvals import approvals_of
from ..change.skip import NOTHING_CHANGED
from ..config.approvals import Approvals, ApprovalType
from ..config.gates import Gate
from ..decision.approve_result import ApproveResult
from ..decision.assess import assess
from ..decision.states import APPROVED, FAILED, PENDING
from ..errors import ConfigError, HelixError, UsageError
from ..finding import SEVERITIES
from ..judge.approve import approve
from ..judge.options import ApproveOptions, Observer, RunOptions
from ..phases.gate_result import GateResult
from ..report.verdict import results
from ..repository.branch import named_commit
from ..repository.files import StagedTree
from ..repository.revisions import Revision
from ..verdict.verdict import APPROVED as JUDGE_APPROVES
from ..verdict.verdict import NEEDS_REVISION, ApprovalResult
from . import results as answers
from .content import Content
from .work import ACTION, FLOW, GateWork


class JudgedGate(NamedTuple):
    """A gate whose approver is an agent, with its approval type and its files."""

    gate: Gate
    type: ApprovalType
    paths: tuple[str, ...]


def settings_for(work: GateWork, content: Content) -> Approvals:
    """Return the approvals that count: of the base if there is one, else of the content."""
    if not work.base:
        return approvals_of(content.tree)
    base = named_commit(work.root, "--base", work.base)
    tree = StagedTree(Revision(work.root, base, content.reader), work.root)
    return approvals_of(tree, work.config)


def judged(asked: JudgedGate, work: GateWork, content: Content) -> GateResult:
    """Return the answer of the judge as that of the gate. A judge that failed rejects."""
    options = _options(asked, work, content.ignored(asked.paths))
    try:
        result = approve(options, work.root, Observer(work.notify, work.progress))
    except ConfigError:
        raise
    except UsageError as error:
        raise UsageError(f"{asked.gate.place}: {str(error).replace('--check ', '')}") from None
    except HelixError as error:
        return answers.failed(asked.gate, f"no judge could be asked: {error}")
    return _answer(asked, result)


def _options(asked: JudgedGate, work: GateWork, ignored: tuple[str, ...]) -> ApproveOptions:
    gate = asked.gate
    semantic = gate.semantic or asked.type.run.semantic
    if work.where == FLOW and semantic == "auto":
        semantic = "true"  # a phase that changed nothing is no reason to approve
    return ApproveOptions(
        range=work.range._replace(ignored=ignored),
        base_decides=work.where == ACTION,
        config=work.config,
        paths=tuple(os.path.join(work.root, path) for path in asked.paths),
        types=(asked.type.name,),
        checks=gate.checks,
        approver=gate.approver,
        run=RunOptions(semantic=semantic),
    )


def _answer(asked: JudgedGate, result: ApproveResult) -> GateResult:
    gate, name = asked.gate, asked.type.name
    found = [item for item in (*result.verdicts, *result.unjudged) if item.approval_type == name]
    if not found or found[0].summary == NOTHING_CHANGED:
        return answers.failed(gate, "no judge could read the files, so nothing was approved")
    verdict = found[0]
    details = next(item for item in results(result) if item["approval_type"] == name)
    state, reasons = _state(asked, verdict, result)
    cost = sum(item.agent_context.cost_usd or 0 for item in result.verdicts)
    about = f"{name}: {verdict.summary}"
    if state == FAILED:
        problems = "; ".join(finding.message for finding in verdict.findings)
        made = answers.failed(gate, f"{about} {problems}", details)
    elif state == APPROVED:
        details = details if result.verdicts else {**details, "skipped": True}
        made = answers.approved(gate, about, details)
    elif state == PENDING:
        asking = {**details, "category": result.decision.category}
        made = answers.pending(gate, f"{about} ({'; '.join(reasons)})", asking)
    else:
        made = answers.rejected(gate, about, details=details)
    of_rules = (finding for file in result.report.files for finding in file.findings)
    errors = (finding for finding in of_rules if finding.severity == SEVERITIES[0])
    return made._replace(
        findings=() if made.passed else tuple(dict.fromkeys((*verdict.findings, *errors))),
        suggestions=verdict.recommendations,
        cost_usd=cost,
    )


def _state(
    asked: JudgedGate, verdict: ApprovalResult, result: ApproveResult
) -> tuple[str, tuple[str, ...]]:
    """Return the state of the decision and its reasons, where needs_revision may suffice.

    It does without an error, and where the same verdict would have been approved otherwise.
    """
    texts = tuple(reason.text for reason in result.decision.reasons)
    is_enough = asked.gate.result == NEEDS_REVISION and verdict.result == NEEDS_REVISION
    if not is_enough or any(item.severity == SEVERITIES[0] for item in verdict.findings):
        return result.decision.state, texts
    asking = tuple(item.text for item in result.decision.reasons if item.state == PENDING)
    if asking:
        return PENDING, asking
    floor = asked.type.run.required_confidence
    assessed = assess(verdict._replace(result=JUDGE_APPROVES), floor, result.indicators)
    return assessed.state, assessed.reasons
