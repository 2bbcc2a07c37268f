"""For programs: the fields of DESIGN's public contract, version 1."""

import json

from ..adr.check_report import CheckReport, FileReport
from ..adr.concept import ConceptDiff
from ..finding import Finding
from ..text.sanitize import json_value
from .addresses import address

_MOST_INDENTED = 5_000
"""Findings of a text that is indented."""


def render(report: CheckReport) -> str:
    """Return one JSON document in ASCII, which every path and terminal can show."""
    return dumped(payload(report), sum(len(file.findings) for file in report.files))


def dumped(value: object, findings: int) -> str:
    """Return a JSON text without tokens.

    It is indented while it is short: with indentation, Python's encoder takes eight times as long.
    """
    return json.dumps(json_value(value), indent=2 if findings <= _MOST_INDENTED else None) + "\n"


def payload(report: CheckReport) -> dict[str, object]:
    return {
        "version": 1,
        "passed": report.passed,
        "summary": {
            "files": report.adrs,
            "errors": report.count("error"),
            "warnings": report.count("warning"),
            "infos": report.count("info"),
            "suppressed": report.suppressed,
        },
        "skipped": [skip._asdict() for skip in report.skipped],
        "files": [_file(file) for file in report.files],
    }


def _file(file: FileReport) -> dict[str, object]:
    return {
        "path": file.path,
        "adr_id": file.adr_id,
        "template": file.template,
        "status": file.status,
        "status_raw": file.status_raw,
        "passed": file.passed,
        "rules": file.rules._asdict(),
        "concept": _concept(file.concept) if file.concept else None,
        "findings": [_finding(finding) for finding in file.findings],
        "suppressed": [
            {**_finding(item.finding), "by": item.by, "reason": item.reason}
            for item in file.suppressed
        ],
    }


def _concept(diff: ConceptDiff) -> dict[str, object]:
    return {
        "path": diff.path,
        "coverage_percent": diff.coverage_percent,
        "missing_in_adr": diff.missing_in_adr,
        "extra_in_adr": diff.extra_in_adr,
        "sections": [
            {"name": fate.title, "line": fate.line, "fate": fate.fate, "into": fate.into}
            for fate in diff.fates
        ],
    }


def _finding(finding: Finding) -> dict[str, object]:
    fields = finding._asdict()
    fields.pop("evidence")  # a rule has none
    place = f"{finding.path}:{finding.line}"
    return {**fields, "location": place, "url": address(finding)}
