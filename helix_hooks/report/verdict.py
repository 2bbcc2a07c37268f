"""Verdicts and the decision, for people at a terminal and for programs."""

import json
from collections.abc import Callable
from typing import NamedTuple

from ..adr.examine import CheckReport, FileReport, RuleCounts
from ..config.policy import Deciders, wanted
from ..decision.judged import PENDING, Decision
from ..finding import Finding
from ..text.printable import counted, printable
from ..verdict.verdict import ApprovalResult
from . import json as check_json
from . import text as check_text
from .text import painted

_SIGNS = {"approved": "path", "rejected": "error", "failed": "error", "pending": "warning"}
_NEXT = {
    "rejected": "fix the findings, then run this again",
    "failed": "nothing was approved; fix it, or run this again",
    "pending": "a person decides, on the pull request; who may: {}",
}

LineOf = Callable[[str, int], str]


class Outcome(NamedTuple):
    """All that one call of `approve` came to.

    `verdicts` are those of judges, `stated` those of types for which none was asked, with the reason as their summary. `rubric_from` says
    whose rubric counted.
    """

    decision: Decision
    report: CheckReport
    verdicts: tuple[ApprovalResult, ...]
    decisions: dict[str, Decision]
    stated: tuple[ApprovalResult, ...]
    indicators: tuple[Finding, ...]
    rubric_from: str
    base: str
    head: str
    deciders: Deciders = Deciders()


def render(outcome: Outcome, line_of: LineOf, color: bool, quiet: bool) -> str:
    """What was found first, then who says so, then what it comes to."""
    found = [*outcome.indicators, *(finding for verdict in outcome.verdicts for finding in verdict.findings if finding.path)]
    blocks = [check_text.render(outcome.report, color, quiet=True), check_text.render(_report(found, line_of), color, quiet=True)]
    if not quiet or outcome.decision.exit_code:
        blocks.append("".join(_type_lines(outcome, color)))
        blocks.append(_decision(outcome, color))
    return "\n".join(block.rstrip("\n") + "\n" for block in blocks if block.strip())


def _report(findings: list[Finding], line_of: LineOf) -> CheckReport:
    """Findings of a judge in the shape in which those of the rules are printed."""
    reports = []
    for path in dict.fromkeys(finding.path for finding in findings):
        mine = tuple(sorted((finding for finding in findings if finding.path == path), key=lambda finding: finding.line))
        lines = {finding.line: line_of(path, finding.line) for finding in mine}
        reports.append(FileReport(path, "", "", "", "", RuleCounts(), None, mine, lines))
    return CheckReport(tuple(reports))


def _type_lines(outcome: Outcome, color: bool) -> list[str]:
    lines = [_verdict(verdict, outcome.decisions[verdict.approval_type], color) for verdict in outcome.verdicts]
    return [*lines, *(f"{verdict.approval_type}: no judge: {printable(verdict.summary)}\n" for verdict in outcome.stated)]


def _verdict(verdict: ApprovalResult, decision: Decision, color: bool) -> str:
    about = verdict.agent_context
    if verdict.failed:
        (finding,) = verdict.findings
        help = f"\n    = {printable(finding.help)}" if finding.help else ""
        tries = f" after {about.attempts} tries" if about.attempts > 1 else ""
        return f"{verdict.approval_type}: {painted('no verdict', 'error', color)}{tries}: {printable(finding.message)} [{finding.check}]{help}\n"
    result = painted(verdict.result, _SIGNS[decision.state], color)
    head = f"{verdict.approval_type}: {result}, {verdict.confidence:.2f} sure: {printable(verdict.summary)}\n"
    hints = "".join(f"    - {printable(text)}\n" for text in verdict.recommendations)
    return f"{head}{hints}    {_took(verdict)}\n"


def _took(verdict: ApprovalResult) -> str:
    about = verdict.agent_context
    if about.cached:
        return f"answered before by {about.model or about.agent}: the same content, rubric, briefs and settings (--no-cache asks again)"
    cost = "cost not stated" if about.cost_usd is None else f"${about.cost_usd:.4f}"
    tries = [f"{about.attempts} tries"] if about.attempts > 1 else []
    took = [f"{about.duration_seconds:.1f} s", counted(about.turns, "turn"), f"{about.tokens_used} tokens", cost, *tries]
    return f"by {printable(about.model or about.agent)}: {', '.join(took)}"


def _decision(outcome: Outcome, color: bool) -> str:
    decision = outcome.decision
    state = {"failed": "not approved"}.get(decision.state, decision.state)
    lines = [f"decision: {painted(state, _SIGNS[decision.state], color)}"]
    lines += [f"    - {printable(reason)}" for reason in decision.reasons if decision.state == "pending"]
    if decision.state in _NEXT:
        lines.append(f"    = {_NEXT[decision.state].format(_who(outcome.deciders))}")
    lines.append(f"    rubric and briefs: {outcome.rubric_from}")
    return "\n".join(lines) + "\n"


def _who(deciders: Deciders) -> str:
    many = f", {deciders.minimum} of them" if deciders.minimum > 1 else ""
    return f"{printable(wanted(deciders))}{many}; nobody who wrote part of the change"


def payload(outcome: Outcome) -> dict[str, object]:
    """For programs: version 1, see docs/json.md."""
    costs = [verdict.agent_context.cost_usd for verdict in outcome.verdicts]
    return {
        "version": 1,
        "decision": "rejected" if outcome.decision.state == "failed" else outcome.decision.state,
        "failed": outcome.decision.state == "failed",
        "category": outcome.decision.category or None,
        "reasons": list(outcome.decision.reasons),
        "exit_code": outcome.decision.exit_code,
        "who_may_decide": _may_decide(outcome.deciders) if outcome.decision.state == PENDING else None,
        "rubric_from": outcome.rubric_from,
        "base": outcome.base or None,
        "head": outcome.head,
        "cost_usd": None if None in costs else round(sum(cost for cost in costs if cost is not None), 6),
        "check": check_json.payload(outcome.report),
        "indicators": [_finding(finding) for finding in outcome.indicators],
        "approvals": results(outcome)[: len(outcome.verdicts)],
        "not_judged": [{"approval_type": verdict.approval_type, "result": verdict.result, "reason": verdict.summary} for verdict in outcome.stated],
    }


def _may_decide(deciders: Deciders) -> dict[str, object]:
    return {"minimum": deciders.minimum, "roles": list(deciders.roles), "users": list(deciders.users), "teams": list(deciders.teams)}


def results(outcome: Outcome) -> list[dict[str, object]]:
    """Each verdict with the decision that it came to, those of judges first."""
    judged = [{**approval_result(verdict), "decision": outcome.decisions[verdict.approval_type].state} for verdict in outcome.verdicts]
    return [*judged, *({**approval_result(verdict), "decision": verdict.result} for verdict in outcome.stated)]


def rendered(value: object) -> str:
    """ASCII only, so that no path and no terminal can break it."""
    return json.dumps(value, indent=2) + "\n"


def approval_result(verdict: ApprovalResult) -> dict[str, object]:
    """A verdict as `schemas/approval-result.json` has it."""
    return {
        **verdict._asdict(),
        "findings": [_finding(finding) for finding in verdict.findings],
        "files": [{"path": path, "hash": hash} for path, hash in verdict.files],
        "recommendations": list(verdict.recommendations),
        "agent_context": verdict.agent_context._asdict(),
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {**finding._asdict(), "location": f"{finding.path}:{finding.line}" if finding.path else ""}
