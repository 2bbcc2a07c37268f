"""The result of `approve` as text for a terminal and as JSON."""

from ..adr.check_report import CheckReport, FileReport
from ..config.policy import wanted
from ..decision.decide import ApproveResult, Decision
from ..decision.states import APPROVED, FAILED, PENDING, REJECTED
from ..finding import Finding
from ..report import json, text
from ..text import counted, painted, printable
from ..verdict.approval_result import LIGHT, SKIPPED, ApprovalResult
from ..verdict.skip import NOTHING_CHANGED

_SIGNS = {APPROVED: "path", REJECTED: "error", FAILED: "error", PENDING: "warning"}
_NEXT = {
    REJECTED: "fix the findings, then run this again",
    FAILED: "no verdict; fix the error above, then run this again",
    PENDING: "a person must decide on the pull request; allowed: {}",
}


def as_text(result: ApproveResult, color: bool, quiet: bool) -> str:
    """Return the findings, the verdicts and the decision.

    If `quiet`, an approval has only its findings.
    """
    by_path = dict[str, list[Finding]]()
    judged = (finding for verdict in result.verdicts for finding in verdict.findings)
    for finding in (*result.indicators, *judged):
        if finding.path:
            by_path.setdefault(finding.path, []).append(finding)
    files = [
        FileReport(
            path=path,
            findings=tuple(sorted(findings, key=lambda finding: finding.line)),
            lines=result.lines.get(path, {}),
        )
        for path, findings in by_path.items()
    ]
    reports = (result.report, CheckReport(tuple(files)))
    blocks = [text.render(report, color, quiet=True) for report in reports]
    if not quiet or result.decision.exit_code:
        lines: list[str] = []
        for verdict in result.verdicts:
            lines += _verdict(verdict, result.decisions[verdict.approval_type], color)
        for verdict in result.unjudged:
            lines.append(f"{verdict.approval_type}: judge skipped: {printable(verdict.summary)}")
        blocks.append("\n".join(lines))
        blocks.append("\n".join(_decision(result, color)))
    return "\n".join(block.rstrip("\n") + "\n" for block in blocks if block.strip())


def _verdict(verdict: ApprovalResult, decision: Decision, color: bool) -> list[str]:
    """Return the lines on a verdict, or on a judge without one; its only finding has the reason."""
    context = verdict.agent_context
    if verdict.failed:
        (finding,) = verdict.findings
        head = f"{verdict.approval_type}: {painted('no verdict', 'error', color)}"
        if context.attempts > 1:
            head = f"{head} after {context.attempts} tries"
        lines = [f"{head}: {printable(finding.message)} [{finding.check}]"]
        return [*lines, f"    = {printable(finding.help)}"] if finding.help else lines
    word = painted(verdict.result, _SIGNS[decision.state], color)
    summary = printable(verdict.summary)
    lines = [f"{verdict.approval_type}: {word} (confidence {verdict.confidence:.2f}): {summary}"]
    if question := verdict.question_left:
        lines.append(f"    needs a person: {printable(question)}")
    lines += [f"    - {printable(advice)}" for advice in verdict.recommendations]
    judge = context.model or context.agent
    light = ", the light judge" if context.decided_by == LIGHT else ""
    if context.cached:
        lines.append(
            f"    cached answer of {judge}{light}: same content, rubric, briefs and settings (use "
            "--no-cache to ask again)"
        )
        return lines
    parts = [
        f"{context.duration_seconds:.1f} s",
        counted(context.turns, "turn"),
        f"{context.tokens_used} tokens",
        "cost not stated" if context.cost_usd is None else f"${context.cost_usd:.4f}",
    ]
    if context.attempts > 1:
        parts.append(f"{context.attempts} tries")
    lines.append(f"    by {printable(judge)}{light}: {', '.join(parts)}")
    if reason := printable(context.light_reason):
        lines.append(f"    escalated, because the light judge did not decide: {reason}")
    return lines


def _decision(result: ApproveResult, color: bool) -> list[str]:
    decision, deciders = result.decision, result.deciders
    state = shown = decision.state
    if state == FAILED:
        shown = "not approved"
    elif result.skipped:
        shown = "not reviewed, since no judge was needed"
        if all(item.summary == NOTHING_CHANGED for item in result.unjudged):
            shown = "nothing to review"
    lines = [f"decision: {painted(shown, _SIGNS[state], color)}"]
    if state == PENDING:
        lines += [f"    - {printable(reason.text)}" for reason in decision.reasons]
    if state in _NEXT:
        who = printable(wanted(deciders))
        if deciders.minimum > 1:
            who = f"{who}, {deciders.minimum} of them"
        delegates = "".join(f"; {item.in_words}" for item in deciders.delegates)
        who = f"{who}; not the authors of the change{delegates}"
        lines.append(f"    = {_NEXT[state].format(who)}")
    return [*lines, f"    rubric and briefs: {result.rubric_from}"]


def payload(result: ApproveResult) -> dict[str, object]:
    """Return the result as a JSON value of version 1; docs/api.md describes it."""
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
    costs = [verdict.agent_context.cost_usd for verdict in result.verdicts]
    stated = [cost for cost in costs if cost is not None]
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
        "cost_usd": round(sum(stated), 6) if len(stated) == len(costs) else None,
        "check": json.payload(result.report),
        "indicators": [
            {**item._asdict(), "location": f"{item.path}:{item.line}" if item.path else ""}
            for item in result.indicators
        ],
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


def results(result: ApproveResult) -> list[dict[str, object]]:
    """Return each verdict with the decision on it, those of judges first."""
    rows = [
        {**verdict.to_dict(), "decision": result.decisions[verdict.approval_type].state}
        for verdict in result.verdicts
    ]
    return [*rows, *({**item.to_dict(), "decision": item.result} for item in result.unjudged)]
