"""Severity of a finding: by its rule and the settings, and by the status and age of its ADR.

Open decisions must be complete; past ones need not.
"""

from collections.abc import Mapping

from ..finding import SEVERITIES, Finding, Severity
from .model import Described, Found

MOST = {
    "Draft": "warning",
    "Superseded": "info",
    "Deprecated": "info",
    "Rejected": "info",
    "Withdrawn": "info",
}
"""The most severe a finding is, by status; under any other status it is what its rule says."""

OLD = "info"
"""The most severe a finding is for an ADR older than `strict_from`."""

_SEARCHED = 5_000
"""Characters of a line in which words are searched, from the column on."""

_TRIES = 50
_UNSPACED = 0x2E80
"""The first code point of the scripts of East Asia."""

_ASKING = frozenset(("structure", "rules", "concept"))
_FIRM = frozenset(
    (
        "file-unreadable",
        "merge-conflict",
        "header-invalid",
        "status-conflict",
        "suppression-invalid",
    )
)


def relaxes(check: str, layer: str) -> bool:
    """Return whether a state of life makes a finding milder: not where the file can't be read, or
    its status not be trusted.
    """
    return (layer in _ASKING and check not in _FIRM) or check == "referenced-file-missing"


def capped(severity: Severity, most: Severity) -> Severity:
    return max(severity, most, key=SEVERITIES.index) if most else severity


def most_severe(status: str, key: str, strict_from: int) -> Severity:
    """The cap for an ADR of a status and an id (as `id_key`); "" without one.

    ADRs without a number are never old.
    """
    return OLD if is_old(key, strict_from) else MOST.get(status, "")


def is_old(key: str, strict_from: int) -> bool:
    """Return whether an id, as `id_key`, is a number below `strict_from`."""
    return key.isdigit() and int(key) < strict_from


def finding_of(
    rule: Described,
    item: Found,
    path: str,
    last: int,
    severities: Mapping[str, str],
    text: str = "",
) -> Finding:
    """Return the finding of a rule, within the `last` line of the file; `text` is its line."""
    line = min(item.line, last)
    end_line = min(max(item.end_line, line), last)
    severity = _severity(rule, item, severities)
    column, end_column = item.column, item.end_column
    if item.words and line == item.line:
        column, end_column = span(text, item.words, item.column)
    return Finding(
        severity=severity,
        check=rule.id,
        layer=rule.layer,
        message=item.message,
        path=path,
        line=line,
        end_line=end_line,
        column=column,
        help=item.help,
        end_column=end_column,
    )


def span(text: str, words: str, column: int = 1) -> tuple[int, int]:
    """Return the first and the end column of words in a line, at a column or behind it.

    Words inside of longer ones are not meant. The given column and 0 where they are not found: a
    parsed value may be spelt in other ways. Only the next characters are searched, since a line of
    a megabyte may have thousands of findings.
    """
    start = max(column - 1, 0)
    stop = start + _SEARCHED + len(words)
    for _ in range(_TRIES):
        start = text.find(words, start, stop)
        if start < 0 or not words:
            break
        if not _is_inside(text, start, start + len(words)):
            return start + 1, start + len(words) + 1
        start += 1
    return column, 0


def _is_inside(text: str, start: int, stop: int) -> bool:
    """Return whether words begin or end within a longer word."""
    before, after = text[max(start - 1, 0) : start], text[stop : stop + 1]
    begins_inside = before.isalnum() and text[start].isalnum() and _spaced(before)
    return begins_inside or (after.isalnum() and text[stop - 1].isalnum() and _spaced(after))


def _spaced(sign: str) -> bool:
    """Return whether a letter is of a script with blanks between words; Chinese has none."""
    return ord(sign) < _UNSPACED


def _severity(rule: Described, item: Found, severities: Mapping[str, str]) -> str:
    """The configured severity, but never a worse one than the rule gives to this very finding."""
    configured = severities.get(rule.id, "")
    if not item.severity:
        return configured or rule.severity
    return max(item.severity, configured or item.severity, key=SEVERITIES.index)
