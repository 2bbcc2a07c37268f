"""Code Quality of GitLab, for its merge requests: docs.gitlab.com/ci/testing/code_quality."""

import re

from ..adr.check_report import CheckReport, Skipped
from ..finding import Finding
from ..text.sanitize import printable
from .fingerprint import fingerprints
from .json import dumped

_SEVERITIES = {"error": "critical", "warning": "minor", "info": "info"}
_NOT_CHECKED = "not-checked"
_ROOT = "."
"""The path of entries that concern no file; GitLab requires one."""
_NO_BYTES = "[\ud800-\udfff]"


def render(report: CheckReport) -> str:
    """Return one JSON array in ASCII, empty without findings.

    What was not checked is an issue too: the format has no other place for it.
    """
    found = [finding for file in report.files for finding in _by_line(file.findings)]
    found += [_unchecked(skip) for skip in report.skipped]
    issues = [
        _issue(finding, known) for finding, known in zip(found, fingerprints(found), strict=True)
    ]
    return dumped(issues, len(issues))


def _by_line(findings: tuple[Finding, ...]) -> list[Finding]:
    return sorted(findings, key=lambda finding: (finding.line, finding.column))


def _unchecked(skip: Skipped) -> Finding:
    """Return a check that was not made as a warning, named after the check."""
    return Finding(
        severity="warning",
        check=skip.check or _NOT_CHECKED,
        layer="config",
        message=f"not checked: {skip.reason}",
        path=skip.path or _ROOT,
        line=1,
    )


def _issue(finding: Finding, fingerprint: str) -> dict[str, object]:
    """Return the entry on a finding. Its description is one line, as GitLab shows it."""
    text = f"{finding.message} ({finding.help})" if finding.help else finding.message
    return {
        "description": printable(text),
        "check_name": finding.check,
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": re.sub(_NO_BYTES, "\ufffd", finding.path),
            "lines": {"begin": finding.line, "end": max(finding.line, finding.end_line)},
        },
    }
