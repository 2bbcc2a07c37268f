"""GitLab's Code Quality report for merge requests: docs.gitlab.com/ci/testing/code_quality."""

import re

from ..adr.check_report import CheckReport, Skipped
from ..finding import Finding
from ..text import dumped, printable
from .identity import fingerprints

_SEVERITIES = {"error": "critical", "warning": "minor", "info": "info"}
_NOT_CHECKED = "not-checked"
_ROOT = "."
"""The path of entries without a file; GitLab requires a path."""
_NO_BYTES = "[\ud800-\udfff]"
"""Surrogates: they stand for bytes of a path that are not UTF-8, and JSON can't hold them."""


def render(report: CheckReport) -> str:
    """Return one JSON array in ASCII, empty without findings.

    Skipped checks are entries too, because the format has no other place for them.
    """
    findings: list[Finding] = []
    for file in report.files:
        findings += sorted(file.findings, key=lambda finding: (finding.line, finding.column))
    findings += [_unchecked(skip) for skip in report.skipped]
    pairs = zip(findings, fingerprints(findings), strict=True)
    entries = [_entry(finding, fingerprint) for finding, fingerprint in pairs]
    return dumped(entries)


def _unchecked(skip: Skipped) -> Finding:
    """Return a skipped check as a warning with the check's name."""
    return Finding(
        severity="warning",
        check=skip.check or _NOT_CHECKED,
        layer="config",
        message=f"not checked: {skip.reason}",
        path=skip.path or _ROOT,
        line=1,
    )


def _entry(finding: Finding, fingerprint: str) -> dict[str, object]:
    """Return the entry of a finding. Its description is one line, because GitLab shows one."""
    text = finding.message
    if finding.help:
        text = f"{text} ({finding.help})"
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
