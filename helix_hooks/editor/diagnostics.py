"""Findings as an editor shows them: their range, message and page."""

from ..adr.rules.registry import built_in
from ..finding import Finding
from ..report import RULES
from ..text.sanitize import printable
from .positions import BufferText, TextPosition, TextRange

SOURCE = "helix-hooks"
_LONGEST = 2_000
"""Characters of a message. A finding may quote a long line."""


def message_of(finding: Finding) -> str:
    """Return the message of a finding, and below it how to repair it."""
    parts = (finding.message, finding.help)
    return "\n".join(printable(part, _LONGEST) for part in parts if part)


def address_of(finding: Finding) -> str:
    """Return the page of a built-in rule; "" for a repository's own rule."""
    if not any(rule.id == finding.check for rule in built_in()):
        return ""
    return f"{RULES}#{finding.check}"


def range_of(finding: Finding, text: BufferText) -> TextRange:
    """Return the range of a finding: its columns, or the rest of its first line."""
    # The buffer may be shorter than the file that was checked.
    line = min(finding.line, len(text.starts)) - 1
    content = text.line(line)
    start = min(max(finding.column, 1) - 1, len(content))
    end = finding.end_column
    if end > start:
        stop = max(start, min(end - 1, len(content)))
        return TextRange(TextPosition(line, start), TextPosition(line, stop))
    whole = _whole_line(text, line)
    if start <= whole.start.column:
        return whole
    stop = max(start, whole.end.column)
    return TextRange(TextPosition(line, start), TextPosition(line, stop))


def _whole_line(text: BufferText, line: int) -> TextRange:
    """Return a line without the blanks around it."""
    line = min(max(0, line), len(text.starts) - 1)
    content = text.line(line)
    start = len(content) - len(content.lstrip())
    end = max(start, len(content.rstrip()))
    return TextRange(TextPosition(line, start), TextPosition(line, end))
