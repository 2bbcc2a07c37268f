"""Findings as diagnostics of an editor."""

from collections.abc import Iterable

from ..adr.rules.registry import built_in
from ..finding import Finding
from ..records import NamedTuple
from ..report import RULES
from ..text.sanitize import printable
from .positions import BufferText, TextPosition, TextRange

SOURCE = "helix-hooks"
_LONGEST = 2_000
"""Characters of a message; a finding may quote a long line."""


class EditorDiagnostic(NamedTuple):
    """A finding where the editor underlines it.

    `code` is the rule, `address` the page of a built-in rule ("" of the repository's own rules).
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
    """Return a diagnostic that no rule has found; `line` counts from 1."""
    place = _whole_line(text, line - 1)
    return EditorDiagnostic(place, severity, "", printable(message, _LONGEST))


def range_of(finding: Finding, text: BufferText) -> TextRange:
    """Return what a finding underlines: its columns, else the rest of its first line."""
    line = min(finding.line, len(text.starts)) - 1
    content = text.line(line)
    start = min(max(finding.column, 1) - 1, len(content))
    end = finding.end_column
    if end <= start + 1:
        whole = _whole_line(text, line)
        return (
            whole
            if start <= whole.start.column
            else TextRange(
                TextPosition(line, start), TextPosition(line, max(start, whole.end.column))
            )
        )
    return TextRange(TextPosition(line, start), TextPosition(line, min(end - 1, len(content))))


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
    return f"{RULES}#{check}" if check in {rule.id for rule in built_in()} else ""


def _whole_line(text: BufferText, line: int) -> TextRange:
    """Return a line without the blanks around it."""
    line = min(max(0, line), len(text.starts) - 1)
    content = text.line(line)
    start = len(content) - len(content.lstrip())
    end = max(start, len(content.rstrip()))
    return TextRange(TextPosition(line, start), TextPosition(line, end))
