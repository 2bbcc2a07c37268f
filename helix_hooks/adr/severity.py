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
    rule: Described, item: Found, path: str, last: int, severities: Mapping[str, str]
) -> Finding:
    """Return the finding of a rule, within the `last` line of the file."""
    line = min(item.line, last)
    end_line = min(max(item.end_line, line), last)
    severity = _severity(rule, item, severities)
    return Finding(
        severity=severity,
        check=rule.id,
        layer=rule.layer,
        message=item.message,
        path=path,
        line=line,
        end_line=end_line,
        column=item.column,
        help=item.help,
    )


def _severity(rule: Described, item: Found, severities: Mapping[str, str]) -> str:
    """The configured severity, but never a worse one than the rule gives to this very finding."""
    configured = severities.get(rule.id, "")
    if not item.severity:
        return configured or rule.severity
    return max(item.severity, configured or item.severity, key=SEVERITIES.index)
