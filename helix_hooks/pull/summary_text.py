"""The text of the summary comment, of the job's summary, and of the check. Pure."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from ..adr.rules.gate.gate_relaxed import gate_relaxed
from ..change.old_findings import NOTE
from ..config.workflows import CHECK
from ..decision.commands import APPROVE, DECLINE, OVERRIDE, REJECT, USAGES, written
from ..decision.decide import Decision
from ..decision.handover import (
    MOST_CHANGED,
    SETTINGS_BROKEN,
    ChangedAdr,
    ClaimedAdr,
    ClaimedPromise,
    Handover,
    PlacedFinding,
)
from ..decision.rounds import declinable
from ..decision.states import APPROVED, BLOCKED, BROKEN, FAILED, MOVED, PENDING, REJECTED, in_words
from ..decision.votes import STRANGER, Vote
from ..finding import SEVERITIES
from ..text import capped, code, counted, fenced, inline
from ..verdict.approval_result import LIGHT, ApprovalResult
from ..verdict.earlier import ANSWERED, FIXED, OPEN, Decline, EarlierFinding
from ..verdict.suggestion import block as suggested
from ..verification.naming import long_name
from ..verification.result import FAILED as CLAIM_FAILED
from ..verification.result import PROMISES_NOTHING, UNAPPROVED, UNMET, UNPROVEN, VERIFIED
from .links import NOWHERE, Links
from .title import asked_about, block, steps, title, why

_WORDS = {APPROVE: "The approval", REJECT: "The objection", OVERRIDE: "The override"}
_STATES = {
    APPROVED: "✅",
    REJECTED: "❌",
    PENDING: "⏳",
    FAILED: "❌",
    BROKEN: "❌",
    MOVED: "⚪",
    BLOCKED: "❌",
}

_BLOCK = re.compile(r"```mermaid\n(?:[^`\n]*\n)*```")
_CENT = 0.01
_UNFOLDED_ITEMS = 10
"""Maximum number of lines of a list that are not folded."""
_NAMED = 5
"""Maximum number of files that are named."""

MORE = "*The report is too long for this comment; see the job's log and summary for the rest.*"


def page(handover: Handover, decision: Decision, most: int, to: Links = NOWHERE) -> str:
    """Return the full text in Markdown, at most `most` characters."""
    handover = decision.handover or handover
    changed = _changed(handover, to)
    listed = asked_about(decision)
    findings = [item for item in handover.findings if in_words(item.finding) not in listed]
    # A decider reads what is changed before the findings; an author the findings first.
    before, behind = (changed, "") if decision.asked else ("", changed)
    sections = [
        f"### {_STATES[decision.state]} {inline(title(handover, decision))}\n",
        steps(handover, decision, to),
        why(handover, decision, to),
        claimed_section(handover, to),
        _touched(handover, decision, to),
        _votes(decision),
        before,
        findings_section(findings, to),
        _verdicts(handover),
        earlier_section(handover, to),
        behind,
        overrides_section(handover, to),
        declining(handover, to),
        _picture(handover),
        _basis(handover, to),
    ]
    return _joined(sections, most)


def _joined(sections: list[str], most: int) -> str:
    return capped("\n".join(filter(None, sections)), MORE, most)


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
    listed = asked_about(decision)
    findings = [item for item in handover.findings if item not in below]
    findings = [item for item in findings if in_words(item.finding) not in listed]
    sections = [
        steps(handover, decision, to),
        why(handover, decision, to),
        claimed_section(handover, to),
        _touched(handover, decision, to),
        _votes(decision),
        findings_section(findings, to),
    ]
    if is_alone:
        details = [_verdicts(handover), _changed(handover, to), _picture(handover)]
        sections.append("\n".join(filter(None, details)))
    else:
        sections.append(f"{_below(len(below))}See {to.page('the helix comment')} for more.\n")
    sections.append(_basis(handover, NOWHERE))
    return _joined(sections, most)


def _below(count: int) -> str:
    """Return how many findings GitHub shows below the check; "" for none."""
    if not count:
        return ""
    lines = "its line" if count == 1 else "their lines"
    return f"{counted(count, 'finding')} below, at {lines}. "


def _votes(decision: Decision) -> str:
    """Return ignored votes while a question is open, without those of STRANGER users."""
    if not decision.asked:
        return ""
    rows = [_refused(vote) for vote in decision.refused if vote.speaker != STRANGER]
    if not rows:
        return ""
    return f"**Ignored votes**\n\n{''.join(rows)}"


def _refused(vote: Vote) -> str:
    word = _WORDS.get(vote.kind, "What")
    return f"- {word} of {inline(vote.by.login)}: {inline(vote.refused)}.\n"


def _touched(handover: Handover, decision: Decision, to: Links) -> str:
    """Return protected files, relaxed rules, and whether no judge has reviewed the change."""
    is_relaxed = _asks_about_relaxed(handover, decision)
    if not (handover.protected or handover.loosened or is_relaxed or handover.repair):
        return ""
    sections = []
    if all(judged.verdict.failed for judged in handover.judged):
        sections.append("**No judge has reviewed this change.**\n")
    if handover.repair:
        sections += [
            "Settings that the repair relaxes are not listed. Review the diff.\n",
            _folded(
                "Errors in the settings of the base branch", map(inline, handover.repair.errors)
            ),
        ]
    sections += [
        _folded("Protected files that the change touches", _protected(handover, to)),
        _folded("Rules, rubrics and policy: relaxed or changed", map(inline, handover.loosened)),
    ]
    return "\n".join(filter(None, sections))


def _asks_about_relaxed(handover: Handover, decision: Decision) -> bool:
    """Return whether a question is about a relaxed setting that hides an error."""
    listed = asked_about(decision)
    relaxed = [item.finding for item in handover.findings if item.finding.check == gate_relaxed.id]
    return any(in_words(finding) in listed for finding in relaxed)


def _protected(handover: Handover, to: Links) -> list[str]:
    # A deleted file has no hash, and a link to it would lead nowhere.
    present = {path for path, hash in handover.files if hash}
    files = [
        to.file(code(path), path) if path in present else code(path) for path in handover.protected
    ]
    if handover.protected_left_out:
        files.append(f"and {handover.protected_left_out} more")
    return files


def _folded(head: str, lines: Iterable[str]) -> str:
    """Return a list under its head, folded if it is long."""
    items = [f"- {line}\n" for line in lines]
    if not items:
        return ""
    if len(items) <= _UNFOLDED_ITEMS:
        return f"**{head}**\n\n{''.join(items)}"
    return f"<details><summary>{head}: {len(items)}</summary>\n\n{''.join(items)}\n</details>\n"


def _changed(handover: Handover, to: Links) -> str:
    """Return the changed ADRs, and the other changed files that the gate watches."""
    rows = [_adr(item, to) for item in handover.changed]
    others = handover.adrs - len(rows)
    if rows and others > 0:
        verb = "is" if others == 1 else "are"
        # Of more than these, the hand-over does not say which ones were changed.
        how = "changed or affected" if len(rows) >= MOST_CHANGED else "affected"
        rows.append(f"- Impact: {counted(others, 'more ADR')} {verb} {how}\n")
    rows += _other_files(handover, to)
    if not rows:
        return ""
    return f"**Changes**\n\n{''.join(rows)}"


def _other_files(handover: Handover, to: Links) -> list[str]:
    """Return a line with the other changed files that the gate watches; [] if there are none.

    Protected files have a list of their own.
    """
    listed = {*handover.protected, *(item.path for item in handover.changed)}
    files = [(path, hash) for path, hash in handover.files if path not in listed]
    names = [
        to.file(code(path), path) if hash else f"{code(path)} (deleted)"
        for path, hash in files[:_NAMED]
    ]
    if not names:
        return []
    left = len(files) - len(names) + handover.files_left_out
    more = f" and {left} more" if left else ""
    return [f"- {', '.join(names)}{more}\n"]


def _adr(item: ChangedAdr, to: Links) -> str:
    name = " ".join(filter(None, (item.name, item.title))) or item.path
    status = inline(item.status or "no status")
    if item.supersedes:
        status += inline(f", supersedes {', '.join(item.supersedes)}")
    return f"- {to.file(inline(name), item.path)}: {status}\n"


def _verdicts(handover: Handover) -> str:
    rows = [_verdict(judged.verdict) for judged in handover.judged]
    rows += [
        f"- {code(name)}: no judge. {inline(reason)}\n" for name, _, reason in handover.unjudged
    ]
    if not rows:
        return ""
    return f"**Judges**\n\n{''.join(rows)}"


def _verdict(verdict: ApprovalResult) -> str:
    """Return a verdict in one line, with its advice below."""
    answer, summary = "no verdict", ""
    # The reasons above explain why a judge failed.
    if not verdict.failed:
        answer = f"{verdict.result.replace('_', ' ')}, confidence {verdict.confidence:.2f}"
        summary = f" {inline(verdict.summary)}" if verdict.summary else ""
    rows = [f"- {code(verdict.approval_type)}: **{answer}**.{summary}\n"]
    if verdict.question_left:
        rows.append(f"  - Asks for a person: {inline(verdict.question_left)}\n")
    rows += [f"  - Advice: {inline(text)}\n" for text in verdict.recommendations]
    return "".join(rows)


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
    digits = 2 if amount >= _CENT else 4
    return f"${amount:.{digits}f}"


def _picture(handover: Handover) -> str:
    """Return the graph of the decisions."""
    # The text comes from an earlier job. Anything else than one block of Mermaid is omitted.
    if not _BLOCK.fullmatch(handover.graph):
        return ""
    return (
        f"<details><summary>How these decisions are related</summary>\n\n{handover.graph}\n\n"
        "</details>\n"
    )


def _basis(handover: Handover, to: Links) -> str:
    """Return the commits, settings, models and costs in small print."""
    target = handover.target
    subject = f"{counted(handover.adrs, 'ADR')} at" if handover.adrs else "At"
    lines = [f"{subject} {target.head[:7]}, using the settings at {target.base[:7]}."]
    lines += [
        f"{code(judged.verdict.approval_type)}: {inline(_took(judged.verdict))}."
        for judged in handover.judged
    ]
    lines += [*_named(handover), *_reviewed(handover), *_spent(handover)]
    lines += [f"Not checked: {inline(text)}." for text in handover.skipped]
    if to.server:
        lines.append(f"See {to.checks('the check')}.")
    return f"<sub>{' '.join(lines)}</sub>\n"


def _named(handover: Handover) -> list[str]:
    """Return a line with the name of the check if it is not the required one."""
    target = handover.target
    if target.check == CHECK:
        return []
    branch, name = code(target.base_ref), code(target.check)
    return [f"{branch} is neither the default branch nor protected: the check is {name}."]


def _reviewed(handover: Handover) -> list[str]:
    """Return a line with the files that judges have read; [] for none."""
    paths = handover.files_read
    if not paths:
        return []
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return [f"Judged: {', '.join(map(code, paths[:_NAMED]))}{more}."]


def _spent(handover: Handover) -> list[str]:
    """Return a line with the cost on the pull request so far; [] without any."""
    spent, soft = handover.carried.spent, handover.policy.soft_budget
    if not spent:
        return []
    warning = ""
    if soft is not None and spent > soft:
        warning = f", above the soft limit of {inline(_dollars(soft))}"
    return [f"Spent on this pull request: {inline(_dollars(spent))}{warning}."]


_UNFOLDED_PROMISES = 5
"""Maximum number of promises that are not folded."""

_CLAIM_WORDS = {
    VERIFIED: ("✅", "Implemented"),
    UNPROVEN: ("⏳", "A person must look"),
    UNMET: ("❌", "Not implemented"),
    UNAPPROVED: ("⏳", "Not approved"),
    CLAIM_FAILED: ("❌", "Not verified"),
}
_PATH = re.compile(r"(?<![\w/.])(?:[\w.@+-]+/)+[\w.@+-]*\w(?:::\w+)*")
_SHOWN_ONLY = "⚪"
_VERBS = {"create": "create", "modify": "change", "delete": "delete", "docs": "document"}
"""The words before a path; before anything else there is none."""


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
    sign, word = _CLAIM_WORDS[item.state]
    if not item.blocks and item.state != VERIFIED:
        sign = _SHOWN_ONLY
    name = inline(long_name(item.name, item.title, item.path))
    head = f"{sign} **{word}:** {to.file(name, item.path)}{_about(item)}.\n"
    rows = _rows(item)
    if not rows:
        return head
    text = f"{head}\n{''.join(rows[:_UNFOLDED_PROMISES])}"
    folded = "".join(rows[_UNFOLDED_PROMISES:])
    if not folded:
        return text
    more = _open(item) - _UNFOLDED_PROMISES
    return f"{text}\n<details><summary>{more} more</summary>\n\n{folded}\n</details>\n"


def _rows(item: ClaimedAdr) -> list[str]:
    """Return a line for each listed promise, and for the number of those that are not listed."""
    rows = [_promise(promise) for promise in item.first]
    left = _open(item) - len(rows)
    if left > 0:
        rows.append(f"- and {left} more: {inline(f'`helix-hooks verify {item.name}`')} lists all\n")
    return rows


def _about(item: ClaimedAdr) -> str:
    """Return the counts, or why nothing was compared."""
    if item.reason:
        return f": {inline(item.reason)}"
    if not item.promises:
        return f": {PROMISES_NOTHING}"
    return f". {item.counts} of {counted(item.promises, 'promise')}"


def _open(item: ClaimedAdr) -> int:
    """Return the number of promises that are neither shown nor judged."""
    return item.missing + item.present + item.unchecked


def _promise(promise: ClaimedPromise) -> str:
    if promise.kind != "criterion":
        verb = f"{_VERBS[promise.kind]} " if promise.kind in _VERBS else ""
        return f"- {promise.state}: {verb}{code(promise.subject)}: {inline(promise.reason)}\n"
    return f"- {promise.state}: {_with_paths(promise.subject)}: {_with_paths(promise.reason)}\n"


def _with_paths(text: str) -> str:
    """Return a text with its paths as code."""
    return inline(_PATH.sub(r"`\g<0>`", text.replace("`", "")))


_UNFOLDED_ROWS, _SHOWN = 10, 30
"""Maximum number of findings that are listed unfolded, and that are listed at all."""

_SAID = {
    FIXED: "✅ fixed",
    ANSWERED: "💬 answered",
    OPEN: "❌ open",
    "": "⏳ not judged again",
}


def declined(reply: Decline | None) -> str:
    """Return a reply for the line of its finding, "" for none."""
    if not reply:
        return ""
    return f"<br>💬 {inline(f'declined by @{reply.by}: {reply.reason}')}"


def earlier_section(handover: Handover, to: Links) -> str:
    """Return the findings of the last rounds, each with the judge's answer."""
    rows = [_row(item, to) for item in _earlier(handover)]
    if not rows:
        return ""
    lines = "".join(rows[:_SHOWN])
    if len(rows) > _SHOWN:
        lines += f"- and {len(rows) - _SHOWN} more\n"
    head = f"Earlier findings: {len(rows)}"
    if len(rows) <= _UNFOLDED_ROWS:
        return f"**{head}**\n\n{lines}"
    return f"<details><summary>{head}</summary>\n\n{lines}\n</details>\n"


def _earlier(handover: Handover) -> Iterator[EarlierFinding]:
    order = [*_SAID]
    for round in handover.earlier:
        # An open finding of this head is among the findings already.
        is_at_head = round.commit == handover.target.head
        for item in sorted(round.findings, key=lambda item: order.index(item.answer)):
            if item.answer != OPEN or not is_at_head:
                yield item


def _row(item: EarlierFinding, to: Links) -> str:
    finding = item.finding
    where = to.file(code(finding.path), finding.path)
    return (
        f"- {_SAID[item.answer]}: {where}: {inline(finding.message)}{declined(item.decline)} "
        f"<sub>{finding.severity}, {inline(finding.check)}</sub>\n"
    )


def declining(handover: Handover, to: Links) -> str:
    """Return how the authors of the change decline a finding of a judge."""
    items = {id: item for id, item in declinable(handover).items() if not item.decline}
    if not items or handover.failure or handover.target.merges:
        return ""
    how = (
        f"If a finding is wrong, an author of the change can decline it: "
        f"{to.box('write a comment')} with the line {code(USAGES[DECLINE])}. The finding stays; "
        "the next judge and the approvers read the reason."
    )
    rows = "".join(listed(items))
    head = f"{counted(len(items), 'finding')} that may be declined"
    return f"<details><summary>{head}</summary>\n\n{how}\n\n{rows}\n</details>\n"


def listed(items: Mapping[str, PlacedFinding | EarlierFinding]) -> Iterable[str]:
    """Yield a line for each finding, with the fingerprint for a reply."""
    for id, item in [*items.items()][:_SHOWN]:
        yield f"- {code(id[:8])}: {inline(item.finding.message)}\n"
    if len(items) > _SHOWN:
        yield f"- and {len(items) - _SHOWN} more\n"


_SIGNS = {"error": "❌", "warning": "⚠️", "info": "ℹ️"}
_OPEN = 10
"""Maximum number of findings that are shown unfolded."""

_QUOTED = 1_500
"""Maximum characters of a quote."""


def findings_section(findings: Iterable[PlacedFinding], to: Links) -> str:
    """Return findings grouped by file, the files with the worst first; a long list is folded."""
    items = _by_file(findings)
    if not items:
        return ""
    section = f"**Findings:** {_numbers(items)}\n\n{_groups(items[:_OPEN], to, to)}"
    folded = items[_OPEN:]
    if not folded:
        return section
    # A link to each line of so many findings would take the room of the findings.
    return (
        f"{section}\n<details><summary>{counted(len(folded), 'more finding')}</summary>\n\n"
        f"{_groups(folded, to, NOWHERE)}\n</details>\n"
    )


def _numbers(items: list[PlacedFinding]) -> str:
    """Return the number of findings of each severity, and of those that are older."""
    numbers = []
    for severity in SEVERITIES:
        number = sum(item.finding.severity == severity for item in items)
        if number:
            numbers.append(counted(number, severity))
    text = ", ".join(numbers)
    old = sum(item.finding.message.endswith(NOTE) for item in items)
    if not old:
        return text
    return f"{text} ({old} {'was' if old == 1 else 'were'} there before)"


def _by_file(findings: Iterable[PlacedFinding]) -> list[PlacedFinding]:
    # Errors in the settings are among the reasons already.
    items = [item for item in findings if item.finding.check != SETTINGS_BROKEN]
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
    """Return findings below their file, with links to the file and to their lines."""
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


def overrides_section(handover: Handover, to: Links) -> str:
    """Return the findings that may be overridden by the policy, with the line to paste for each."""
    errors = [item for item in handover.findings if item.finding.severity == "error"]
    items = [item for item in errors if handover.policy.may_override(item.finding.check)]
    if not items or handover.failure:
        return ""
    rows = [_override(item, handover.target.head) for item in items[:_OPEN]]
    rows += [
        f"- {code(item.fingerprint[:8])}: {inline(item.finding.message)}\n"
        for item in items[_OPEN:]
    ]
    how = (
        f"To override a finding, {to.box('write a comment')} with its line below. Replace REASON "
        "with your reason."
    )
    body = "\n".join(rows)
    return (
        f"<details><summary>{counted(len(items), 'finding')} that may be overridden</summary>\n\n"
        f"{how}\n\n{body}\n</details>\n"
    )


def _override(item: PlacedFinding, head: str) -> str:
    command = written(OVERRIDE, item.fingerprint[:8], head, "REASON")
    return f"{inline(item.finding.message)}\n\n{block(command)}"


def comment(item: PlacedFinding) -> str:
    """Return a comment at the lines of a finding: the finding, its quote, and how to fix it."""
    finding = item.finding
    parts = [f"{_SIGNS[finding.severity]} **{inline(finding.message)}**\n"]
    if finding.evidence:
        parts.append(fenced(finding.evidence[:_QUOTED]))
    if finding.help:
        parts.append(f"→ {inline(finding.help)}\n")
    if item.suggestion:
        parts.append(suggested(item.suggestion))
    # GitHub shows the comment at lines of the diff, which may not have the line of the finding.
    if item.place and not (item.place.first <= finding.line <= item.place.last):
        parts.append(f"This finding is at line {finding.line}.\n")
    parts.append(f"<sub>{finding.severity}, {code(finding.check)}</sub>\n")
    return "\n".join(parts)
