"""The text of the summary comment, of the job's summary, and of the check. Pure.

This module has the order of the sections, and the sections on claimed ADRs, protected files, votes,
the change, judges and costs. `title.py` and `next_steps.py` have the beginning of the page,
`finding_texts.py` the sections on findings.
"""

import re
from collections.abc import Iterable

from ..adr.rules.gate.gate_relaxed import gate_relaxed
from ..config.workflows import CHECK
from ..decision.commands import APPROVE, OVERRIDE, REJECT
from ..decision.decide import Decision
from ..decision.handover import (
    MOST_CHANGED,
    ClaimedAdr,
    ClaimedPromise,
    Handover,
    PlacedFinding,
)
from ..decision.states import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED, in_words
from ..decision.votes import STRANGER
from ..text import capped, code, counted, inline, listed
from ..verdict.approval_result import LIGHT, ApprovalResult
from ..verification.naming import long_name
from ..verification.result import FAILED as CLAIM_FAILED
from ..verification.result import PROMISES_NOTHING, UNAPPROVED, UNMET, UNPROVEN, VERIFIED
from .finding_texts import declining, earlier_section, findings_section, overrides_section
from .links import NOWHERE, Links
from .markdown import CUT_NOTE, folded, section
from .next_steps import asked_about, steps, why
from .title import title

_SIGNS = {
    APPROVED: "✅",
    REJECTED: "❌",
    PENDING: "⏳",
    FAILED: "❌",
    BROKEN: "❌",
    MOVED: "⚪",
    BLOCKED: "❌",
}
_MOST_NAMED = 5
"""Maximum number of files that are named on one line."""


def page(handover: Handover, decision: Decision, most: int, to: Links = NOWHERE) -> str:
    """Return the full text in Markdown, at most `most` characters."""
    handover = decision.handover or handover
    changed = _changed(handover, to)
    # A decider reads what is changed before the findings; an author the findings first.
    before, behind = (changed, "") if decision.asked else ("", changed)
    sections = [
        f"### {_SIGNS[decision.state]} {inline(title(handover, decision))}\n",
        *_upper_sections(handover, decision, to),
        before,
        findings_section(_not_among_reasons(handover.findings, decision), to),
        _verdicts(handover),
        earlier_section(handover, to),
        behind,
        overrides_section(handover, to),
        declining(handover, to),
        _graph(handover),
        _basis(handover, to),
    ]
    return _joined(sections, most)


def brief(
    handover: Handover,
    decision: Decision,
    most: int,
    to: Links = NOWHERE,
    annotated: Iterable[PlacedFinding] = (),
    is_alone: bool = False,
) -> str:
    """Return the text of the check.

    GitHub shows its title above, and the `annotated` findings below. The rest is in the summary
    comment; a check that `is_alone` has no such comment.
    """
    handover = decision.handover or handover
    below = {*annotated}
    findings = [item for item in handover.findings if item not in below]
    sections = [
        *_upper_sections(handover, decision, to),
        findings_section(_not_among_reasons(findings, decision), to),
    ]
    if is_alone:
        sections += [_verdicts(handover), _changed(handover, to), _graph(handover)]
    else:
        lines = "its line" if len(below) == 1 else "their lines"
        count = f"{counted(len(below), 'finding')} below, at {lines}. " if below else ""
        sections.append(f"{count}See {to.page('the helix comment')} for more.\n")
    sections.append(_basis(handover, NOWHERE))
    return _joined(sections, most)


def _joined(sections: list[str], most: int) -> str:
    return capped("\n".join(filter(None, sections)), CUT_NOTE, most)


def _upper_sections(handover: Handover, decision: Decision, to: Links) -> list[str]:
    """Return what a decider must know, as both texts begin with it."""
    return [
        steps(handover, decision, to),
        why(handover, decision, to),
        claimed_section(handover, to),
        _protected(handover, decision, to),
        _ignored_votes(decision),
    ]


def _not_among_reasons(
    findings: Iterable[PlacedFinding], decision: Decision
) -> list[PlacedFinding]:
    texts = asked_about(decision)
    return [item for item in findings if in_words(item.finding) not in texts]


_CLAIM_WORDS = {
    VERIFIED: ("✅", "Implemented"),
    UNPROVEN: ("⏳", "A person must look"),
    UNMET: ("❌", "Not implemented"),
    UNAPPROVED: ("⏳", "Not approved"),
    CLAIM_FAILED: ("❌", "Not verified"),
}
_NOT_BLOCKING = "⚪"
_VERBS = {"create": "create ", "modify": "change ", "delete": "delete ", "docs": "document "}
"""The words before a path; before anything else there is none."""

_PATH = re.compile(r"(?<![\w/.])(?:[\w.@+-]+/)+[\w.@+-]*\w(?:::\w+)*")
_UNFOLDED_PROMISES = 5
"""Maximum number of promises that are not folded."""


def claimed_section(handover: Handover, to: Links) -> str:
    """Return the claimed ADRs with their states and the promises that are not shown, or ""."""
    parts = [_claimed_adr(item, to) for item in handover.claimed]
    if handover.claimed_left_out:
        more = counted(handover.claimed_left_out, "more ADR")
        parts.append(f"And {more}, with an equal or better result.\n")
    if handover.claims_left_out:
        names = counted(handover.claims_left_out, "further name")
        parts.append(f"Not verified: {names} in text and commits (limit: 20 names).\n")
    if not parts:
        return ""
    return "\n".join(["**Claimed as implemented**\n", *parts])


def _claimed_adr(item: ClaimedAdr, to: Links) -> str:
    """Return the state of an ADR with its counts, and its promises that are not shown or judged."""
    sign, word = _CLAIM_WORDS[item.state]
    if not item.blocks and item.state != VERIFIED:
        sign = _NOT_BLOCKING
    if item.reason:
        result = f": {inline(item.reason)}"
    elif not item.promises:
        result = f": {PROMISES_NOTHING}"
    else:
        result = f". {item.counts} of {counted(item.promises, 'promise')}"
    name = inline(long_name(item.name, item.title, item.path))
    parts = [f"{sign} **{word}:** {to.file(name, item.path)}{result}.\n"]

    count = item.missing + item.present + item.unchecked
    lines = [_promise(promise) for promise in item.first]
    if count > len(lines):
        command = inline(f"`helix-hooks verify {item.name}`")
        lines.append(f"- and {count - len(lines)} more: {command} lists all\n")
    if lines:
        parts.append("".join(lines[:_UNFOLDED_PROMISES]))
    if len(lines) > _UNFOLDED_PROMISES:
        others = "".join(lines[_UNFOLDED_PROMISES:])
        parts.append(folded(f"{count - _UNFOLDED_PROMISES} more", others))
    return "\n".join(parts)


def _promise(promise: ClaimedPromise) -> str:
    if promise.kind == "criterion":
        subject, reason = map(_with_paths, (promise.subject, promise.reason))
        return f"- {promise.state}: {subject}: {reason}\n"
    verb = _VERBS.get(promise.kind, "")
    return f"- {promise.state}: {verb}{code(promise.subject)}: {inline(promise.reason)}\n"


def _with_paths(text: str) -> str:
    """Return a text with its paths as code."""
    return inline(_PATH.sub(r"`\g<0>`", text.replace("`", "")))


def _protected(handover: Handover, decision: Decision, to: Links) -> str:
    """Return protected files, relaxed rules, and whether no judge has reviewed the change."""
    texts = asked_about(decision)
    asks_about_relaxed = any(
        item.finding.check == gate_relaxed.id and in_words(item.finding) in texts
        for item in handover.findings
    )
    if not (handover.protected or handover.loosened or handover.repair or asks_about_relaxed):
        return ""
    parts = []
    if all(judged.verdict.failed for judged in handover.judged):
        parts.append("**No judge has reviewed this change.**\n")
    if handover.repair:
        parts += [
            "Settings that the repair relaxes are not listed. Review the diff.\n",
            _list("Errors in the settings of the base branch", map(inline, handover.repair.errors)),
        ]
    # A deleted file has no hash, and a link to it would lead nowhere.
    present = {path for path, hash in handover.files if hash}
    files = [
        to.file(code(path), path) if path in present else code(path) for path in handover.protected
    ]
    if handover.protected_left_out:
        files.append(f"and {handover.protected_left_out} more")
    parts += [
        _list("Protected files that the change touches", files),
        _list("Rules, rubrics and policy: relaxed or changed", map(inline, handover.loosened)),
    ]
    return "\n".join(filter(None, parts))


def _list(heading: str, items: Iterable[str]) -> str:
    lines = [f"- {item}\n" for item in items]
    return section(heading, lines, summary=f"{heading}: {len(lines)}")


def _ignored_votes(decision: Decision) -> str:
    """Return ignored votes while a question is open, without those of STRANGER users."""
    if not decision.asked:
        return ""
    words = {APPROVE: "The approval", REJECT: "The objection", OVERRIDE: "The override"}
    lines = [
        f"- {words.get(vote.kind, 'What')} of {inline(vote.by.login)}: {inline(vote.refused)}.\n"
        for vote in decision.refused
        if vote.speaker != STRANGER
    ]
    return section("Ignored votes", lines)


def _changed(handover: Handover, to: Links) -> str:
    """Return the changed ADRs, and the other changed files that the gate watches."""
    lines = []
    for item in handover.changed:
        name = " ".join(filter(None, (item.name, item.title))) or item.path
        status = inline(item.status or "no status")
        if item.supersedes:
            status += inline(f", supersedes {', '.join(item.supersedes)}")
        lines.append(f"- {to.file(inline(name), item.path)}: {status}\n")
    others = handover.adrs - len(lines)
    if lines and others > 0:
        verb = "is" if others == 1 else "are"
        # Of more than these, the hand-over does not say which ones were changed.
        how = "changed or affected" if len(lines) >= MOST_CHANGED else "affected"
        lines.append(f"- Impact: {counted(others, 'more ADR')} {verb} {how}\n")
    files = _other_files(handover, to)
    if files:
        lines.append(f"- {files}\n")
    return section("Changes", lines)


def _other_files(handover: Handover, to: Links) -> str:
    """Return the other changed files that the gate watches; protected ones have their own list."""
    have_a_line = {*handover.protected, *(item.path for item in handover.changed)}
    files = [(path, hash) for path, hash in handover.files if path not in have_a_line]
    names = [
        to.file(code(path), path) if hash else f"{code(path)} (deleted)"
        for path, hash in files[:_MOST_NAMED]
    ]
    left = len(files) - len(names) + handover.files_left_out
    more = f" and {left} more" if names and left else ""
    return f"{', '.join(names)}{more}"


def _verdicts(handover: Handover) -> str:
    lines = [_verdict(judged.verdict) for judged in handover.judged]
    lines += [
        f"- {code(name)}: no judge. {inline(reason)}\n" for name, _, reason in handover.unjudged
    ]
    return section("Judges", lines)


def _verdict(verdict: ApprovalResult) -> str:
    """Return a verdict in one line, with its advice below."""
    answer, summary = "no verdict", ""
    # The reasons above explain why a judge failed.
    if not verdict.failed:
        answer = f"{verdict.result.replace('_', ' ')}, confidence {verdict.confidence:.2f}"
        summary = f" {inline(verdict.summary)}" if verdict.summary else ""
    lines = [f"- {code(verdict.approval_type)}: **{answer}**.{summary}\n"]
    if verdict.question_left:
        lines.append(f"  - Asks for a person: {inline(verdict.question_left)}\n")
    lines += [f"  - Advice: {inline(text)}\n" for text in verdict.recommendations]
    return "".join(lines)


def _graph(handover: Handover) -> str:
    """Return the graph of the decisions."""
    # The text comes from an earlier job. Anything else than one block of Mermaid is omitted.
    if not re.fullmatch(r"```mermaid\n(?:[^`\n]*\n)*```", handover.graph):
        return ""
    return folded("How these decisions are related", f"{handover.graph}\n")


def _basis(handover: Handover, to: Links) -> str:
    """Return the commits, settings, models and costs in small print."""
    target, paths = handover.target, handover.files_read
    subject = f"{counted(handover.adrs, 'ADR')} at" if handover.adrs else "At"
    parts = [f"{subject} {target.head[:7]}, using the settings at {target.base[:7]}."]
    parts += [
        f"{code(judged.verdict.approval_type)}: {inline(_took(judged.verdict))}."
        for judged in handover.judged
    ]
    if target.check != CHECK:
        branch, check = code(target.base_ref), code(target.check)
        parts.append(f"{branch} is neither the default branch nor protected: the check is {check}.")
    if paths:
        parts.append(f"Judged: {listed([*map(code, paths)], _MOST_NAMED)}.")
    spent, limit = handover.carried.spent, handover.policy.soft_budget
    if spent:
        text = f"Spent on this pull request: {_dollars(spent)}"
        if limit is not None and spent > limit:
            text += f", above the soft limit of {_dollars(limit)}"
        parts.append(f"{inline(text)}.")
    parts += [f"Not checked: {inline(text)}." for text in handover.skipped]
    if to.server:
        parts.append(f"See {to.checks('the check')}.")
    return f"<sub>{' '.join(parts)}</sub>\n"


def _took(verdict: ApprovalResult) -> str:
    """Return the model of a verdict, with its turns, time and cost."""
    context = verdict.agent_context
    light = ", the light judge" if context.decided_by == LIGHT else ""
    if context.cached:
        return f"answered before{light}"
    cost = "cost not stated" if context.cost_usd is None else _dollars(context.cost_usd)
    return (
        f"{context.model or context.agent}{light}, {counted(context.turns, 'turn')}, "
        f"{context.duration_seconds:.0f} s, {cost}"
    )


def _dollars(amount: float) -> str:
    """Return an amount with two digits behind the point, and with four if it is below a cent."""
    digits = 2 if amount >= 0.01 else 4
    return f"${amount:.{digits}f}"
