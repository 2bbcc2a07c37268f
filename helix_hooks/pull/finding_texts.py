"""Findings in our texts on a pull request. Pure.

The sections of the page on current findings, on those of earlier rounds, and on those that may be
declined or overridden; and the comment at the lines of one finding.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from ..change.old_findings import NOTE
from ..decision.commands import DECLINE, OVERRIDE, USAGES, written
from ..decision.handover import SETTINGS_BROKEN, Handover, PlacedFinding
from ..decision.rounds import declinable
from ..finding import SEVERITIES
from ..text import code, counted, fenced, inline
from ..verdict.earlier import ANSWERED, FIXED, OPEN, Decline, EarlierFinding
from ..verdict.suggestion import block as suggested
from .links import NOWHERE, Links
from .markdown import MOST_UNFOLDED, block, bullets, folded, section

_SIGNS = {"error": "❌", "warning": "⚠️", "info": "ℹ️"}
_ANSWERS = {
    FIXED: "✅ fixed",
    ANSWERED: "💬 answered",
    OPEN: "❌ open",
    "": "⏳ not judged again",
}
"""The answer of a judge about an earlier finding, in the order of the list."""

_MOST_LISTED = 30
"""Maximum number of earlier or declinable findings that are listed."""

_LONGEST_QUOTE = 1_500
"""Maximum characters of a quote."""


def findings_section(findings: Iterable[PlacedFinding], to: Links) -> str:
    """Return findings grouped by file, the files with the worst first; a long list is folded."""
    # Errors in the settings are among the reasons already.
    items = _by_file([item for item in findings if item.finding.check != SETTINGS_BROKEN])
    if not items:
        return ""
    severities = [item.finding.severity for item in items]
    numbers = [counted(severities.count(name), name) for name in SEVERITIES if name in severities]
    old = sum(item.finding.message.endswith(NOTE) for item in items)
    heading = f"**Findings:** {', '.join(numbers)}"
    if old:
        heading += f" ({old} {'was' if old == 1 else 'were'} there before)"
    text = f"{heading}\n\n{_groups(items[:MOST_UNFOLDED], to, to)}"
    others = items[MOST_UNFOLDED:]
    if not others:
        return text
    # A link to each line of so many findings would take the room of the findings.
    return f"{text}\n{folded(counted(len(others), 'more finding'), _groups(others, to, NOWHERE))}"


def _by_file(items: list[PlacedFinding]) -> list[PlacedFinding]:
    """Return findings by file, the files with the worst one first, and each file worst first."""
    ranks = {severity: rank for rank, severity in enumerate(SEVERITIES)}
    worst: dict[str, int] = {}
    for item in items:
        rank = ranks[item.finding.severity]
        worst[item.finding.path] = min(rank, worst.get(item.finding.path, rank))
    return sorted(
        items,
        key=lambda item: (
            worst[item.finding.path],
            item.finding.path,
            ranks[item.finding.severity],
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
        f"{_reply(item.decline)} <sub>{inline(finding.check)}</sub>\n"
    )


def _reply(decline: Decline | None) -> str:
    """Return an author's reply for the line of its finding, "" for none."""
    if not decline:
        return ""
    return f"<br>💬 {inline(f'declined by @{decline.by}: {decline.reason}')}"


def earlier_section(handover: Handover, to: Links) -> str:
    """Return the findings of the last rounds, each with the judge's answer."""
    items = [*_earlier(handover)]
    heading = f"Earlier findings: {len(items)}"
    lines = bullets([_earlier_text(item, to) for item in items], _MOST_LISTED)
    return section(heading, lines, summary=heading)


def _earlier(handover: Handover) -> Iterator[EarlierFinding]:
    order = [*_ANSWERS]
    for round in handover.earlier:
        # An open finding of this head is among the findings already.
        is_at_head = round.commit == handover.target.head
        for item in sorted(round.findings, key=lambda item: order.index(item.answer)):
            if item.answer != OPEN or not is_at_head:
                yield item


def _earlier_text(item: EarlierFinding, to: Links) -> str:
    finding = item.finding
    where = to.file(code(finding.path), finding.path)
    return (
        f"{_ANSWERS[item.answer]}: {where}: {inline(finding.message)}{_reply(item.decline)} "
        f"<sub>{finding.severity}, {inline(finding.check)}</sub>"
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
    heading = f"{counted(len(items), 'finding')} that may be declined"
    return folded(heading, f"{how}\n\n{with_fingerprints(items)}")


def with_fingerprints(items: Mapping[str, PlacedFinding | EarlierFinding]) -> str:
    """Return a line for each finding, with its fingerprint, by which a reply names it."""
    texts = [_with_fingerprint(id, item) for id, item in items.items()]
    return "".join(bullets(texts, _MOST_LISTED))


def _with_fingerprint(id: str, item: PlacedFinding | EarlierFinding) -> str:
    return f"{code(id[:8])}: {inline(item.finding.message)}"


def overrides_section(handover: Handover, to: Links) -> str:
    """Return the findings that may be overridden by the policy, with the line to paste for each."""
    errors = [item for item in handover.findings if item.finding.severity == "error"]
    items = [item for item in errors if handover.policy.may_override(item.finding.check)]
    if not items or handover.failure:
        return ""
    how = (
        f"To override a finding, {to.box('write a comment')} with its line below. Replace REASON "
        "with your reason.\n"
    )
    parts = [how]
    for item in items[:MOST_UNFOLDED]:
        command = written(OVERRIDE, item.fingerprint[:8], handover.target.head, "REASON")
        parts.append(f"{inline(item.finding.message)}\n\n{block(command)}")
    others = items[MOST_UNFOLDED:]
    parts += [f"- {_with_fingerprint(item.fingerprint, item)}\n" for item in others]
    heading = f"{counted(len(items), 'finding')} that may be overridden"
    return folded(heading, "\n".join(parts))


def comment(item: PlacedFinding) -> str:
    """Return a comment at the lines of a finding: the finding, its quote, and how to fix it."""
    finding = item.finding
    parts = [f"{_SIGNS[finding.severity]} **{inline(finding.message)}**\n"]
    if finding.evidence:
        parts.append(fenced(finding.evidence[:_LONGEST_QUOTE]))
    if finding.help:
        parts.append(f"→ {inline(finding.help)}\n")
    if item.suggestion:
        parts.append(suggested(item.suggestion))
    # GitHub shows the comment at lines of the diff, which may not have the line of the finding.
    if item.place and not (item.place.first <= finding.line <= item.place.last):
        parts.append(f"This finding is at line {finding.line}.\n")
    parts.append(f"<sub>{finding.severity}, {code(finding.check)}</sub>\n")
    return "\n".join(parts)
