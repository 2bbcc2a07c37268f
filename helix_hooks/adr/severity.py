"""The severity of a finding, by its rule and the settings, and by the status and age of its ADR.

Decisions in force must be complete; drafts and retired ADRs need not be.
"""

from collections.abc import Mapping

from ..finding import SEVERITIES, Finding, Severity
from .model import Described, RuleResult

MOST = {
    "Draft": "warning",
    "Superseded": "info",
    "Deprecated": "info",
    "Rejected": "info",
    "Withdrawn": "info",
}
"""The highest severity of a finding by status. Other statuses have no limit."""

OLD = "info"
"""The highest severity of a finding in an ADR older than `strict_from`."""

_SEARCHED = 5_000
"""Characters of a line, from the column, in which words are searched."""

_TRIES = 50
"""Maximum places inside longer words that are skipped in a search."""
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
    """Return whether status and age lower the severity of a rule's findings.

    They do not if the file cannot be read, or if its status cannot be trusted.
    """
    return (layer in _ASKING and check not in _FIRM) or check == "referenced-file-missing"


def capped(severity: Severity, most: Severity) -> Severity:
    """Return a severity, but not a higher one than `most`; "" is no limit."""
    if not most:
        return severity
    return max(severity, most, key=SEVERITIES.index)


def most_severe(status: str, key: str, strict_from: int) -> Severity:
    """Return the highest severity for an ADR with a status and an id (see `id_key`), "" if there is
    no limit.

    ADRs without a number are never old.
    """
    return OLD if is_old(key, strict_from) else MOST.get(status, "")


def is_old(key: str, strict_from: int) -> bool:
    """Return whether an id (see `id_key`) is a number below `strict_from`."""
    return key.isdigit() and int(key) < strict_from


def finding_of(
    rule: Described,
    item: RuleResult,
    path: str,
    last: int,
    severities: Mapping[str, str],
    text: str = "",
) -> Finding:
    """Return the finding of a rule. `last` is the last line of the file, `text` its own line."""
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
        question=item.question,
        subject=item.subject,
    )


def span(text: str, words: str, column: int = 1) -> tuple[int, int]:
    """Return the first and the end column of words in a line, from a column on.

    Words inside longer ones do not count. If the words are not there, return the column and 0: a
    parsed value may be spelt differently.
    """
    start = max(column - 1, 0)
    # Only the next characters are searched: a line of 1 MB may have thousands of findings.
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
    return _are_joined(before, text[start], before) or _are_joined(text[stop - 1], after, after)


def _are_joined(left: str, right: str, outside: str) -> bool:
    """Return whether two characters are in one word; Chinese has no blanks between words."""
    return left.isalnum() and right.isalnum() and ord(outside) < _UNSPACED


def _severity(rule: Described, item: RuleResult, severities: Mapping[str, str]) -> str:
    """Return the configured severity, but not a higher one than the rule gives to this result."""
    configured = severities.get(rule.id, "")
    if not item.severity:
        return configured or rule.severity
    return max(item.severity, configured or item.severity, key=SEVERITIES.index)
