"""Verdicts and the decision, as text for a terminal and as JSON."""

from collections.abc import Iterable

from ..adr.check_report import CheckReport, report_on_file
from ..config.policy import Deciders, wanted
from ..decision.approve_result import ApproveResult
from ..decision.decide import Decision
from ..decision.states import APPROVED, FAILED, PENDING, REJECTED
from ..finding import Finding
from ..text.plural import counted
from ..text.sanitize import painted, printable
from ..verdict.approval_result import LIGHT, SKIPPED, ApprovalResult
from ..verdict.skip import NOTHING_CHANGED
from . import json as check_json
from . import text as check_text

_SIGNS = {APPROVED: "path", REJECTED: "error", FAILED: "error", PENDING: "warning"}
_NEXT = {
    REJECTED: "fix the findings, then run this again",
    FAILED: "no verdict; fix the error above, then run this again",
    PENDING: "a person must decide on the pull request; allowed: {}",
}


def render(result: ApproveResult, color: bool, quiet: bool) -> str:
    """Return the findings, the verdicts and the decision, for a terminal.

    If `quiet`, an approval has only its findings.
    """
    findings = list(result.indicators)
    for verdict in result.verdicts:
        findings += [finding for finding in verdict.findings if finding.path]
    reports = (result.report, _report(findings, result.lines))
    blocks = [check_text.render(report, color, quiet=True) for report in reports]
    if not quiet or result.decision.exit_code:
        judged = [
            _verdict(verdict, result.decisions[verdict.approval_type], color)
            for verdict in result.verdicts
        ]
        unjudged = [
            f"{verdict.approval_type}: judge skipped: {printable(verdict.summary)}\n"
            for verdict in result.unjudged
        ]
        blocks.append("".join((*judged, *unjudged)))
        blocks.append(_decision(result, color))
    return "\n".join(block.rstrip("\n") + "\n" for block in blocks if block.strip())


def _report(findings: list[Finding], lines: dict[str, dict[int, str]]) -> CheckReport:
    """Return findings of judges as a check report, so that they are printed in the same way."""
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.path, []).append(finding)
    reports = []
    for path, of_file in by_path.items():
        ordered = tuple(sorted(of_file, key=lambda finding: finding.line))
        reports.append(report_on_file(path=path, findings=ordered, lines=lines.get(path, {})))
    return CheckReport(tuple(reports))


def _verdict(verdict: ApprovalResult, decision: Decision, color: bool) -> str:
    if verdict.failed:
        return _failure(verdict, color)
    word = painted(verdict.result, _SIGNS[decision.state], color)
    summary = printable(verdict.summary)
    lines = [f"{verdict.approval_type}: {word} (confidence {verdict.confidence:.2f}): {summary}"]
    if question := verdict.question_left:
        lines.append(f"    needs a person: {printable(question)}")
    lines += [f"    - {printable(text)}" for text in verdict.recommendations]
    lines.append(f"    {_took(verdict)}")
    return "".join(f"{line}\n" for line in lines)


def _failure(verdict: ApprovalResult, color: bool) -> str:
    """Return the lines on a judge without a verdict. The only finding has the reason."""
    (finding,) = verdict.findings
    head = f"{verdict.approval_type}: {painted('no verdict', 'error', color)}"
    if verdict.agent_context.attempts > 1:
        head = f"{head} after {verdict.agent_context.attempts} tries"
    line = f"{head}: {printable(finding.message)} [{finding.check}]\n"
    if not finding.help:
        return line
    return f"{line}    = {printable(finding.help)}\n"


def _took(verdict: ApprovalResult) -> str:
    """Return the judge with the time and cost of its answer."""
    context = verdict.agent_context
    judge = context.model or context.agent
    light = ", the light judge" if context.decided_by == LIGHT else ""
    if context.cached:
        return (
            f"cached answer of {judge}{light}: same content, "
            "rubric, briefs and settings (use --no-cache to ask again)"
        )
    parts = [
        f"{context.duration_seconds:.1f} s",
        counted(context.turns, "turn"),
        f"{context.tokens_used} tokens",
        "cost not stated" if context.cost_usd is None else f"${context.cost_usd:.4f}",
    ]
    if context.attempts > 1:
        parts.append(f"{context.attempts} tries")
    line = f"by {printable(judge)}{light}: {', '.join(parts)}"
    if reason := printable(context.light_reason):
        line = f"{line}\n    escalated, because the light judge did not decide: {reason}"
    return line


def _decision(result: ApproveResult, color: bool) -> str:
    decision = result.decision
    state = decision.state
    lines = [f"decision: {painted(_state(result), _SIGNS[state], color)}"]
    if state == PENDING:
        lines += [f"    - {printable(reason.text)}" for reason in decision.reasons]
    if state in _NEXT:
        lines.append(f"    = {_NEXT[state].format(_who(result.deciders))}")
    lines.append(f"    rubric and briefs: {result.rubric_from}")
    return "\n".join(lines) + "\n"


def _state(result: ApproveResult) -> str:
    """Return the state of the decision as it is shown."""
    state = result.decision.state
    if state == FAILED:
        return "not approved"
    if not result.skipped:
        return state
    if all(item.summary == NOTHING_CHANGED for item in result.unjudged):
        return "nothing to review"
    return "not reviewed, since no judge was needed"


def _who(deciders: Deciders) -> str:
    text = printable(wanted(deciders))
    if deciders.minimum > 1:
        text = f"{text}, {deciders.minimum} of them"
    places = "".join(f"; {item.in_words}" for item in deciders.delegates)
    return f"{text}; not the authors of the change{places}"


def payload(result: ApproveResult) -> dict[str, object]:
    """Return the result as a JSON value of version 1; docs/json.md describes it."""
    decision, deciders = result.decision, result.deciders
    state = decision.state
    shown = REJECTED if state == FAILED else state
    who = {
        "minimum": deciders.minimum,
        "roles": list(deciders.roles),
        "users": list(deciders.users),
        "teams": list(deciders.teams),
        "delegates": [item.as_json for item in deciders.delegates],
    }
    return {
        "version": 1,
        "decision": SKIPPED if result.skipped else shown,
        "failed": state == FAILED,
        "category": decision.category or None,
        "reasons": [reason.text for reason in decision.reasons],
        "exit_code": decision.exit_code,
        "who_may_decide": who if state == PENDING else None,
        "rubric_from": result.rubric_from,
        "base": result.base or None,
        "head": result.head,
        "cost_usd": _cost(result.verdicts),
        "check": check_json.payload(result.report),
        "indicators": [_finding(finding) for finding in result.indicators],
        "approvals": results(result)[: len(result.verdicts)],
        "not_judged": [
            {
                "approval_type": verdict.approval_type,
                "result": verdict.result,
                "reason": verdict.summary,
            }
            for verdict in result.unjudged
        ],
    }


def _cost(verdicts: Iterable[ApprovalResult]) -> float | None:
    """Return the sum of the costs in US dollars; None if a judge did not state its cost."""
    total = 0.0
    for verdict in verdicts:
        cost = verdict.agent_context.cost_usd
        if cost is None:
            return None
        total += cost
    return round(total, 6)


def results(result: ApproveResult) -> list[dict[str, object]]:
    """Return each verdict with the decision on it, those of judges first."""
    rows: list[dict[str, object]] = []
    for verdict in result.verdicts:
        state = result.decisions[verdict.approval_type].state
        rows.append({**verdict.to_dict(), "decision": state})
    rows += [{**item.to_dict(), "decision": item.result} for item in result.unjudged]
    return rows


def _finding(finding: Finding) -> dict[str, object]:
    return {
        **finding._asdict(),
        "location": f"{finding.path}:{finding.line}" if finding.path else "",
    }
