"""Verdicts and the decision, for people at a terminal and for programs."""

import json

from ..adr.check_report import CheckReport, report_on_file
from ..config.policy import Deciders, wanted
from ..decision.approve_result import ApproveResult
from ..decision.decide import Decision
from ..decision.states import APPROVED, FAILED, PENDING, REJECTED
from ..finding import Finding
from ..text.plural import counted
from ..text.sanitize import json_value, printable
from ..verdict.verdict import LIGHT, AgentContext, ApprovalResult
from . import json as check_json
from . import text as check_text
from .text import painted

_SIGNS = {APPROVED: "path", REJECTED: "error", FAILED: "error", PENDING: "warning"}
_NEXT = {
    REJECTED: "fix the findings, then run this again",
    FAILED: "nothing was approved; fix it, or run this again",
    PENDING: "a person decides, on the pull request; who may: {}",
}


def render(result: ApproveResult, color: bool, quiet: bool) -> str:
    """Return the findings, then the verdicts, then the decision, for a terminal."""
    of_judges = (
        finding for verdict in result.verdicts for finding in verdict.findings if finding.path
    )
    report = _report([*result.indicators, *of_judges], result.lines)
    blocks = [check_text.render(each, color, quiet=True) for each in (result.report, report)]
    if not quiet or result.decision.exit_code:
        blocks.append("".join(_type_lines(result, color)))
        blocks.append(_decision(result, color))
    return "\n".join(block.rstrip("\n") + "\n" for block in blocks if block.strip())


def _report(findings: list[Finding], lines: dict[str, dict[int, str]]) -> CheckReport:
    """Return findings of judges as a report of the rules, which is printed alike."""
    reports = []
    for path in dict.fromkeys(finding.path for finding in findings):
        mine = tuple(
            sorted(
                (finding for finding in findings if finding.path == path),
                key=lambda finding: finding.line,
            )
        )
        reports.append(
            report_on_file(
                path=path,
                findings=mine,
                lines=lines.get(path, {}),
            )
        )
    return CheckReport(tuple(reports))


def _type_lines(result: ApproveResult, color: bool) -> list[str]:
    lines = [
        _verdict(verdict, result.decisions[verdict.approval_type], color)
        for verdict in result.verdicts
    ]
    return [
        *lines,
        *(
            f"{verdict.approval_type}: no judge: {printable(verdict.summary)}\n"
            for verdict in result.unjudged
        ),
    ]


def _verdict(verdict: ApprovalResult, decision: Decision, color: bool) -> str:
    about = verdict.agent_context
    if verdict.failed:
        (finding,) = verdict.findings
        help = f"\n    = {printable(finding.help)}" if finding.help else ""
        tries = f" after {about.attempts} tries" if about.attempts > 1 else ""
        return (
            f"{verdict.approval_type}: {painted('no verdict', 'error', color)}{tries}: "
            f"{printable(finding.message)} [{finding.check}]{help}\n"
        )
    word = painted(verdict.result, _SIGNS[decision.state], color)
    head = (
        f"{verdict.approval_type}: {word}, {verdict.confidence:.2f} sure: "
        f"{printable(verdict.summary)}\n"
    )
    hints = "".join(f"    - {printable(text)}\n" for text in verdict.recommendations)
    asked = verdict.question_left
    person = f"    asks for a person: {printable(asked)}\n" if asked else ""
    return f"{head}{person}{hints}    {_took(verdict)}\n"


def _took(verdict: ApprovalResult) -> str:
    about = verdict.agent_context
    if about.cached:
        return (
            f"answered before by {about.model or about.agent}{_light(about)}: the same content, "
            "rubric, briefs and settings (--no-cache asks again)"
        )
    cost = "cost not stated" if about.cost_usd is None else f"${about.cost_usd:.4f}"
    tries = [f"{about.attempts} tries"] if about.attempts > 1 else []
    took = [
        f"{about.duration_seconds:.1f} s",
        counted(about.turns, "turn"),
        f"{about.tokens_used} tokens",
        cost,
        *tries,
    ]
    light = _light(about)
    return f"by {printable(about.model or about.agent)}{light}: {', '.join(took)}{_unsure(about)}"


def _light(about: AgentContext) -> str:
    return ", the light judge" if about.decided_by == LIGHT else ""


def _unsure(about: AgentContext) -> str:
    """Return why the light judge that was asked did not decide."""
    reason = printable(about.light_reason)
    return f"\n    asked since the light judge did not decide: {reason}" if reason else ""


def _decision(result: ApproveResult, color: bool) -> str:
    decision = result.decision
    state = {FAILED: "not approved"}.get(decision.state, decision.state)
    if decision.state == APPROVED and not _has_reviewed(result):
        state = "nothing to approve"
    lines = [f"decision: {painted(state, _SIGNS[decision.state], color)}"]
    lines += [
        f"    - {printable(reason.text)}"
        for reason in decision.reasons
        if decision.state == PENDING
    ]
    if decision.state in _NEXT:
        lines.append(f"    = {_NEXT[decision.state].format(_who(result.deciders))}")
    lines.append(f"    rubric and briefs: {result.rubric_from}")
    return "\n".join(lines) + "\n"


def _has_reviewed(result: ApproveResult) -> bool:
    """Return whether the change has a file that was checked or that a judge could have read."""
    return bool(result.verdicts or result.report.files) or any(
        item.files for item in result.unjudged
    )


def _who(deciders: Deciders) -> str:
    many = f", {deciders.minimum} of them" if deciders.minimum > 1 else ""
    places = "".join(f"; {item.in_words}" for item in deciders.delegates)
    return f"{printable(wanted(deciders))}{many}; nobody who wrote part of the change{places}"


def payload(result: ApproveResult) -> dict[str, object]:
    """Return the result for programs: version 1, see docs/json.md."""
    costs = [verdict.agent_context.cost_usd for verdict in result.verdicts]
    return {
        "version": 1,
        "decision": REJECTED if result.decision.state == FAILED else result.decision.state,
        "failed": result.decision.state == FAILED,
        "category": result.decision.category or None,
        "reasons": [reason.text for reason in result.decision.reasons],
        "exit_code": result.decision.exit_code,
        "who_may_decide": _may_decide(result.deciders)
        if result.decision.state == PENDING
        else None,
        "rubric_from": result.rubric_from,
        "base": result.base or None,
        "head": result.head,
        "cost_usd": None
        if None in costs
        else round(sum(cost for cost in costs if cost is not None), 6),
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


def _may_decide(deciders: Deciders) -> dict[str, object]:
    return {
        "minimum": deciders.minimum,
        "roles": list(deciders.roles),
        "users": list(deciders.users),
        "teams": list(deciders.teams),
        "delegates": [item.as_json for item in deciders.delegates],
    }


def results(result: ApproveResult) -> list[dict[str, object]]:
    """Return each verdict with the decision on it, those of judges first."""
    judged = [
        {**verdict.to_dict(), "decision": result.decisions[verdict.approval_type].state}
        for verdict in result.verdicts
    ]
    return [
        *judged,
        *({**verdict.to_dict(), "decision": verdict.result} for verdict in result.unjudged),
    ]


def rendered(value: object) -> str:
    """Return JSON without tokens; in ASCII only, so that no path and no terminal can break it."""
    return json.dumps(json_value(value), indent=2) + "\n"


def _finding(finding: Finding) -> dict[str, object]:
    return {
        **finding._asdict(),
        "location": f"{finding.path}:{finding.line}" if finding.path else "",
    }
