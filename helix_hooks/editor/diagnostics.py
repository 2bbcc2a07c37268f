"""Findings as diagnostics of an editor."""

from collections.abc import Iterable
from typing import NamedTuple

from ..adr.rules.registry import built_in
from ..finding import Finding
from ..report import RULES
from ..text.sanitize import printable
from .positions import BufferText, TextPosition, TextRange

SOURCE = "helix-hooks"
_LONGEST = 2_000
"""Characters of a message. A finding may quote a long line."""


class EditorDiagnostic(NamedTuple):
    """A finding and the range that the editor underlines.

    `code` is the rule. `address` is the page of a built-in rule, "" for a repository's own rule.
    """

    range: TextRange
    severity: str
    code: str
    message: str
    address: str = ""


def diagnostics_of(findings: Iterable[Finding], text: BufferText) -> list[EditorDiagnostic]:
    """Return the findings in one file as diagnostics, in their order."""
    return [_diagnostic(finding, text) for finding in findings]


def note_at(line: int, severity: str, message: str, text: BufferText) -> EditorDiagnostic:
    """Return a diagnostic without a rule. Lines count from 1."""
    place = _whole_line(text, line - 1)
    return EditorDiagnostic(place, severity, "", printable(message, _LONGEST))


def range_of(finding: Finding, text: BufferText) -> TextRange:
    """Return the range of a finding: its columns, or the rest of its first line."""
    # The buffer may be shorter than the file that was checked.
    line = min(finding.line, len(text.starts)) - 1
    content = text.line(line)
    start = min(max(finding.column, 1) - 1, len(content))
    end = finding.end_column
    if end > start + 1:
        stop = min(end - 1, len(content))
        return TextRange(TextPosition(line, start), TextPosition(line, stop))
    whole = _whole_line(text, line)
    if start <= whole.start.column:
        return whole
    stop = max(start, whole.end.column)
    return TextRange(TextPosition(line, start), TextPosition(line, stop))


def _diagnostic(finding: Finding, text: BufferText) -> EditorDiagnostic:
    parts = (finding.message, finding.help)
    return EditorDiagnostic(
        range=range_of(finding, text),
        severity=finding.severity,
        code=finding.check,
        message="\n".join(printable(part, _LONGEST) for part in parts if part),
        address=_address(finding.check),
    )


def _address(check: str) -> str:
    if not any(rule.id == check for rule in built_in()):
        return ""
    return f"{RULES}#{check}"


def _whole_line(text: BufferText, line: int) -> TextRange:
    """Return a line without the blanks around it."""
    line = min(max(0, line), len(text.starts) - 1)
    content = text.line(line)
    start = len(content) - len(content.lstrip())
    end = max(start, len(content.rstrip()))
    return TextRange(TextPosition(line, start), TextPosition(line, end))
