"""The report for programs, version 1. DESIGN.md lists its fields."""

import json

from ..adr.check_report import CheckReport, FileReport
from ..adr.concept import ConceptDiff
from ..finding import Finding
from ..text.sanitize import json_value
from .identity import address

_MOST_INDENTED = 5_000
"""Maximum number of findings for which the JSON text is indented."""


def render(report: CheckReport) -> str:
    """Return one JSON document in ASCII, so that every path and terminal can show it."""
    return dumped(payload(report), sum(len(file.findings) for file in report.files))


def dumped(value: object, findings: int = 0) -> str:
    """Return a JSON text without tokens, indented unless it has many findings."""
    # With an indent, Python's encoder takes eight times as long.
    indent = 2 if findings <= _MOST_INDENTED else None
    return json.dumps(json_value(value), indent=indent) + "\n"


def payload(report: CheckReport) -> dict[str, object]:
    """Return the report as a JSON value."""
    return {
        "version": 1,
        "passed": report.passed,
        "summary": {
            "files": report.adrs,
            "errors": report.count("error"),
            "warnings": report.count("warning"),
            "infos": report.count("info"),
            "suppressed": report.suppressed,
            **({"questions": report.questions} if report.questions else {}),
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
    fields.pop("evidence")  # only judges give evidence, rules do not
    for name in ("question", "subject"):
        if not fields[name]:
            fields.pop(name)
    place = f"{finding.path}:{finding.line}"
    return {**fields, "location": place, "url": address(finding)}
