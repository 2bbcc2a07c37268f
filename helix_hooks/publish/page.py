"""The page of a run. Pure.

The comment of the gate and the job's summary have all of it; the check has what GitHub does not
show beside it. The order: next steps, reasons, protected files and relaxed rules, changes,
findings, verdicts. No table: on a phone it would scroll sideways.
"""

import re
from collections.abc import Iterable
from itertools import groupby

from ..adr.old_findings import NOTE
from ..adr.rules.gate.gate_relaxed import GATE_RELAXED
from ..decision.assess import in_words
from ..decision.commands import APPROVE, OVERRIDE, REJECT, written
from ..decision.counting import STRANGER, CountedVote
from ..decision.decide import Decision
from ..decision.handover import SETTINGS_BROKEN, ChangedAdr, Handover, PlacedFinding
from ..decision.states import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED
from ..finding import SEVERITIES
from ..text.plural import counted
from ..text.sanitize import capped, code, fenced, inline
from ..verdict.suggestion import block as suggested
from ..verdict.verdict import LIGHT, ApprovalResult
from .claimed import claimed_section
from .earlier import declined, declining, earlier_section
from .links import NOWHERE, Links
from .steps import asked_about, block, steps, why
from .title import title

_WORDS = {APPROVE: "The approval", REJECT: "The objection", OVERRIDE: "The override"}
_SIGNS = {"error": "❌", "warning": "⚠️", "info": "ℹ️"}
_STATES = {
    APPROVED: "✅",
    REJECTED: "❌",
    PENDING: "⏳",
    FAILED: "❌",
    BROKEN: "❌",
    MOVED: "⚪",
    BLOCKED: "❌",
}
_QUOTED = 1_500
"""Characters of a quote that are shown."""

_BLOCK = re.compile(r"```mermaid\n(?:[^`\n]*\n)*```")
_CENT = 0.01
_UNFOLDED = 10
"""Lines of a list that are not folded."""
_NAMED = 5
"""Files that are named."""

_OPEN = 10
"""Findings that are shown unfolded."""

MORE = "*There is more than fits here; the job's log and summary have the rest.*"


def page(handover: Handover, decision: Decision, most: int, to: Links = NOWHERE) -> str:
    """Return the whole page in Markdown, `most` characters at most."""
    handover = decision.handover or handover
    changed = _changed(handover, to)
    shown = asked_about(decision)
    parts = [
        f"### {_STATES[decision.state]} {inline(title(handover, decision))}\n",
        steps(handover, decision, to),
        why(handover, decision, to),
        claimed_section(handover, to),
        _touched(handover, decision, to),
        _votes(decision),
        changed if decision.asked else "",
        _findings((item for item in handover.findings if in_words(item.finding) not in shown), to),
        _verdicts(handover),
        earlier_section(handover, to),
        "" if decision.asked else changed,
        _overrides(handover, to),
        declining(handover, to),
        _picture(handover),
        _basis(handover, to),
    ]
    return capped("\n".join(part for part in parts if part), MORE, most)


def brief(
    handover: Handover,
    decision: Decision,
    most: int,
    to: Links = NOWHERE,
    annotated: Iterable[PlacedFinding] = (),
    is_alone: bool = False,
) -> str:
    """Return the page of the check.

    GitHub shows its title above, and the `annotated` findings below. The rest is in the comment
    that stays, unless there is none and the check `is_alone`.
    """
    handover = decision.handover or handover
    there = {*annotated}
    reasons = asked_about(decision)
    left = [
        item
        for item in handover.findings
        if item not in there and in_words(item.finding) not in reasons
    ]
    lines = "its line" if len(there) == 1 else "their lines"
    below = f"{counted(len(there), 'finding')} below, at {lines}. " if there else ""
    more = f"{below}More in {to.page('the comment of this gate')}.\n"
    details = [_verdicts(handover), _changed(handover, to), _picture(handover)]
    parts = [
        steps(handover, decision, to),
        why(handover, decision, to),
        claimed_section(handover, to),
        _touched(handover, decision, to),
        _votes(decision),
        _findings(left, to),
        "\n".join(filter(None, details)) if is_alone else more,
        _basis(handover, NOWHERE),
    ]
    return capped("\n".join(part for part in parts if part), MORE, most)


def _votes(decision: Decision) -> str:
    """Return votes that do not count, while something is pending, except those of strangers."""
    told = [item for item in decision.refused if item.speaker != STRANGER] if decision.asked else []
    return f"**Votes that do not count**\n\n{''.join(map(_refused, told))}" if told else ""


def _refused(item: CountedVote) -> str:
    return (
        f"- {_WORDS.get(item.vote.kind, 'What')} of {inline(item.vote.by.login)}: "
        f"{inline(item.refused)}.\n"
    )


def _touched(handover: Handover, decision: Decision, to: Links) -> str:
    """Return protected files, relaxed rules, and whether no judge has looked."""
    shown = asked_about(decision)
    is_relaxed = any(
        item.finding.check == GATE_RELAXED.id and in_words(item.finding) in shown
        for item in handover.findings
    )
    errors = handover.repair.errors if handover.repair else ()
    if not (handover.protected or handover.loosened or is_relaxed or handover.repair):
        return ""
    has_verdict = any(not judged.verdict.failed for judged in handover.judged)
    there = {path for path, hash in handover.files if hash}
    files = [
        to.file(code(path), path) if path in there else code(path) for path in handover.protected
    ]
    files += [f"and {handover.protected_left_out} more"] if handover.protected_left_out else []
    parts = [
        "" if has_verdict else "**No judge has looked at this change.**\n",
        "Nothing lists what the repair relaxes, so read it.\n" if handover.repair else "",
        _folded("What is broken at the base", map(inline, errors)),
        _folded("Protected files that the change touches", files),
        _folded("Rules, rubrics and policy: relaxed or changed", map(inline, handover.loosened)),
    ]
    return "\n".join(part for part in parts if part)


def _folded(head: str, lines: Iterable[str]) -> str:
    """Return a list under its head, folded where it is long."""
    items = [f"- {line}\n" for line in lines]
    if not items:
        return ""
    if len(items) <= _UNFOLDED:
        return f"**{head}**\n\n{''.join(items)}"
    return f"<details><summary>{head}: {len(items)}</summary>\n\n{''.join(items)}\n</details>\n"


def _changed(handover: Handover, to: Links) -> str:
    """Return the decisions that the change is about, and the other files that it touches."""
    rows = [_adr(item, to) for item in handover.changed]
    left = handover.adrs - len(rows)
    verb = "is" if left == 1 else "are"
    rows += (
        [f"- Impact: {counted(left, 'more ADR')} {verb} affected\n"] if rows and left > 0 else []
    )
    rows += _other_files(handover, to)
    return f"**What is changed**\n\n{''.join(rows)}" if rows else ""


def _other_files(handover: Handover, to: Links) -> list[str]:
    """Return the other changed files that the gate watches, without those that are listed as
    protected.
    """
    known = {*handover.protected, *(item.path for item in handover.changed)}
    found = [(path, hash) for path, hash in handover.files if path not in known]
    named = [
        to.file(code(path), path) if hash else f"{code(path)} (deleted)"
        for path, hash in found[:_NAMED]
    ]
    left = len(found) - len(named) + handover.files_left_out
    more = f" and {left} more" if left else ""
    return [f"- {', '.join(named)}{more}\n"] if named else []


def _adr(item: ChangedAdr, to: Links) -> str:
    name = " ".join(text for text in (item.name, item.title) if text) or item.path
    old = f", supersedes {', '.join(item.supersedes)}" if item.supersedes else ""
    return (
        f"- {to.file(inline(name), item.path)}: {inline(item.status or 'no status')}{inline(old)}\n"
    )


def _verdicts(handover: Handover) -> str:
    rows = [_verdict(judged.verdict) for judged in handover.judged]
    rows += [
        f"- {code(name)}: no judge. {inline(reason)}\n" for name, _, reason in handover.unjudged
    ]
    return f"**What the judges say**\n\n{''.join(rows)}" if rows else ""


def _verdict(verdict: ApprovalResult) -> str:
    """Return a verdict in one line, its advice below."""
    summary = verdict.summary  # of a judge that failed, the reasons above say what happened
    answer = (
        "no verdict"
        if verdict.failed
        else f"{verdict.result.replace('_', ' ')}, {verdict.confidence:.2f} sure"
    )
    advice = "".join(f"  - Advice: {inline(text)}\n" for text in verdict.recommendations)
    told = f" {inline(summary)}" if summary and not verdict.failed else ""
    asked = verdict.question_left
    person = f"  - Asks for a person: {inline(asked)}\n" if asked else ""
    return f"- {code(verdict.approval_type)}: **{answer}**.{told}\n{person}{advice}"


def _took(verdict: ApprovalResult) -> str:
    about = verdict.agent_context
    light = ", the light judge" if about.decided_by == LIGHT else ""
    if about.cached:
        return f"answered before{light}"
    cost = "cost not stated" if about.cost_usd is None else _dollars(about.cost_usd)
    return (
        f"{about.model or about.agent}{light}, {counted(about.turns, 'turn')}, "
        f"{about.duration_seconds:.0f} s, {cost}"
    )


def _dollars(amount: float) -> str:
    return f"${amount:.{2 if amount >= _CENT else 4}f}"


def _findings(findings: Iterable[PlacedFinding], to: Links) -> str:
    """Return findings grouped by file, the files with the worst first; all beyond a few are
    folded.
    """
    items = _by_file(findings)
    if not items:
        return ""
    numbers = [
        counted(sum(item.finding.severity == severity for item in items), severity)
        for severity in SEVERITIES
    ]
    told = ", ".join(text for text in numbers if not text.startswith("no "))
    old = sum(item.finding.message.endswith(NOTE) for item in items)
    if old:
        told += f" ({old} {'was' if old == 1 else 'were'} there before)"
    rest = items[_OPEN:]
    folded = (
        f"\n<details><summary>{counted(len(rest), 'more finding')}</summary>\n\n"
        f"{_groups(rest, to, NOWHERE)}\n</details>\n"
        if rest
        else ""
    )
    return f"**Findings:** {told}\n\n{_groups(items[:_OPEN], to, to)}{folded}"


def _by_file(findings: Iterable[PlacedFinding]) -> list[PlacedFinding]:
    items = [
        item for item in findings if item.finding.check != SETTINGS_BROKEN
    ]  # those stand among the reasons
    worst: dict[str, int] = {}
    for item in items:
        rank = SEVERITIES.index(item.finding.severity)
        worst[item.finding.path] = min(rank, worst.get(item.finding.path, rank))
    return sorted(
        items,
        key=lambda item: (
            worst[item.finding.path],
            item.finding.path,
            SEVERITIES.index(item.finding.severity),
            item.finding.line,
        ),
    )


def _groups(items: Iterable[PlacedFinding], to: Links, to_lines: Links) -> str:
    """Return findings below their file.

    A link to each line of many would take the room of the findings.
    """
    groups = groupby(items, key=lambda item: item.finding.path)
    return "\n".join(
        f"{to.file(code(path), path)}\n\n{''.join(_line(item, to_lines) for item in group)}"
        for path, group in groups
    )


def _line(item: PlacedFinding, to: Links) -> str:
    finding = item.finding
    help = f"<br>→ {inline(finding.help)}" if finding.help else ""
    where = to.file(f"line {finding.line}", finding.path, finding.line)
    return (
        f"- {_SIGNS[finding.severity]} {where}: {inline(finding.message)}{help}"
        f"{declined(item.decline)} <sub>{inline(finding.check)}</sub>\n"
    )


def _overrides(handover: Handover, to: Links) -> str:
    """Return the findings that the policy lets somebody override, with the line for each."""
    errors = (
        [item for item in handover.findings if item.finding.severity == "error"]
        if not handover.failure
        else []
    )
    may = [item for item in errors if handover.policy.may_override(item.finding.check)]
    if not may:
        return ""
    head = handover.target.head
    rows = [
        f"{inline(item.finding.message)}\n\n"
        f"{block(written(OVERRIDE, item.fingerprint[:8], head, 'REASON'))}"
        for item in may[:_OPEN]
    ]
    rows += [
        f"- {code(item.fingerprint[:8])}: {inline(item.finding.message)}\n" for item in may[_OPEN:]
    ]
    told = (
        f"If a finding is wrong here, {to.box('write a comment')} with its line and your "
        "reason for REASON."
    )
    body = "\n".join(rows)
    return (
        f"<details><summary>{counted(len(may), 'finding')} that may be overridden</summary>\n\n"
        f"{told}\n\n{body}\n</details>\n"
    )


def _picture(handover: Handover) -> str:
    """Return the graph of the decisions. A text that is not one block of Mermaid is left out."""
    if not _BLOCK.fullmatch(handover.graph):
        return ""
    return (
        f"<details><summary>How these decisions are related</summary>\n\n{handover.graph}\n\n"
        "</details>\n"
    )


def comment(item: PlacedFinding) -> str:
    """Return a comment at the lines of a finding: the finding, then why, then the way out."""
    finding = item.finding
    parts = [f"{_SIGNS[finding.severity]} **{inline(finding.message)}**\n"]
    if finding.evidence:
        parts.append(fenced(finding.evidence[:_QUOTED]))
    if finding.help:
        parts.append(f"→ {inline(finding.help)}\n")
    if item.suggestion:
        parts.append(suggested(item.suggestion))
    if item.place and not (item.place.first <= finding.line <= item.place.last):
        parts.append(f"This is about line {finding.line}.\n")
    parts.append(f"<sub>{finding.severity}, {code(finding.check)}</sub>\n")
    return "\n".join(parts)


def _basis(handover: Handover, to: Links) -> str:
    target = handover.target
    found = f"{counted(handover.adrs, 'ADR')} at" if handover.adrs else "At"
    lines = [f"{found} {target.head[:7]}, by the settings of {target.base[:7]}."]
    lines += [
        f"{code(judged.verdict.approval_type)}: {inline(_took(judged.verdict))}."
        for judged in handover.judged
    ]
    lines += _reviewed(handover)
    lines += [f"Not checked: {inline(text)}." for text in handover.skipped]
    lines += [f"See {to.checks('the check')}."] if to.server else []
    return f"<sub>{' '.join(lines)}</sub>\n"


def _reviewed(handover: Handover) -> list[str]:
    """Return the files that judges have read, and the cost so far."""
    paths = handover.read
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    files = [f"Judged: {', '.join(code(path) for path in paths[:_NAMED])}{more}."] if paths else []
    spent, soft = handover.carried.spent, handover.policy.soft_budget
    if not spent:
        return files
    is_over = soft is not None and spent > soft
    warning = f", above the soft limit of {inline(_dollars(soft or 0))}" if is_over else ""
    return [*files, f"Spent on this pull request: {inline(_dollars(spent))}{warning}."]
