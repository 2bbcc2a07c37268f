"""The report for programs, version 1. DESIGN.md lists its fields."""

from ..adr.check_report import CheckReport, FileReport
from ..adr.model import ConceptDiff
from ..finding import Finding
from ..text import dumped
from .identity import address


def render(report: CheckReport) -> str:
    """Return one JSON document in ASCII, so that every path and terminal can show it."""
    return dumped(payload(report))


def payload(report: CheckReport) -> dict[str, object]:
    """Return the report as a JSON value."""
    left_out = {"rules": report.left_out, "findings": report.hidden}
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
        **({"left_out": left_out} if report.left_out else {}),
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
    compared = {fate.title for fate in diff.fates}
    return {
        "path": diff.path,
        "concept_sections": diff.concept_sections,
        "ignored_sections": [name for name in diff.concept_sections if name not in compared],
        "adr_sections": diff.adr_sections,
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
