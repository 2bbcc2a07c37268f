"""The findings in the summary comment, the comments at their lines, and how to override. Pure."""

from collections.abc import Iterable
from itertools import groupby

from ..change.old_findings import NOTE
from ..decision.commands import OVERRIDE, written
from ..decision.handover import SETTINGS_BROKEN, Handover, PlacedFinding
from ..finding import SEVERITIES
from ..text import code, counted, fenced, inline
from ..verdict.suggestion import block as suggested
from .earlier import declined
from .links import NOWHERE, Links
from .steps import block

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
