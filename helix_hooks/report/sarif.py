"""SARIF 2.1.0, for code scanning and editors: docs.oasis-open.org/sarif/sarif/v2.1.0."""

import inspect
import re
from functools import lru_cache

from .. import __version__
from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.model import Rule, Suppressed
from ..adr.rules.registry import built_in
from ..finding import Finding
from ..text import dumped, printable, sarif_message
from . import HOME
from .identity import address, fingerprints

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_KINDS = {"inline": "inSource", "baseline": "external"}
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_NO_BYTES = "[\ud800-\udc7f\udd00-\udfff]"
"""Surrogates that do not stand for a byte of a file's name."""


def render(report: CheckReport) -> str:
    """Return the SARIF log of a report."""
    findings: list[Suppressed] = []
    for file in report.files:
        findings += _all_findings(file)
    return log(findings, [_note(skip) for skip in report.skipped])


def log(findings: list[Suppressed], not_checked: list[str], failure: str = "") -> str:
    """Return a SARIF log with one run, in ASCII, so that every path and terminal can show it.

    `failure` is the reason for an incomplete run.
    """
    rules = list({item.finding.check: item.finding for item in findings}.values())
    order = {finding.check: number for number, finding in enumerate(rules)}
    driver = {
        "name": "helix-hooks",
        "version": __version__,
        "informationUri": HOME,
        "rules": [_rule(finding) for finding in rules],
    }
    notes = [_notification("warning", text) for text in not_checked]
    if failure:
        notes.append(_notification("error", failure))
    pairs = zip(findings, fingerprints(item.finding for item in findings), strict=True)
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not failure, "toolExecutionNotifications": notes}],
        "results": [
            _result(item, order[item.finding.check], fingerprint) for item, fingerprint in pairs
        ],
    }
    return dumped({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]})


def _notification(level: str, text: str) -> dict[str, object]:
    return {"level": level, "message": {"text": printable(text)}}


def encoded(path: str) -> str:
    """Return a path of the repository as a relative URI."""
    data = re.sub(_NO_BYTES, "\ufffd", path).encode(errors="surrogateescape")
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)


def _all_findings(file: FileReport) -> list[Suppressed]:
    """Return all findings of a file by line. Those that count have an empty suppression."""
    findings = [Suppressed(finding, "", "") for finding in file.findings]
    findings += file.suppressed
    return sorted(findings, key=lambda item: (item.finding.line, item.finding.column))


def _result(item: Suppressed, index: int, fingerprint: str) -> dict[str, object]:
    finding = item.finding
    message = sarif_message(finding.message)
    if finding.help:
        message = f"{message}\n{sarif_message(finding.help)}"
    location = {"artifactLocation": _artifact(finding.path), "region": _region(finding)}
    result: dict[str, object] = {
        "ruleId": finding.check,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"helix/v1": fingerprint},
    }
    if item.by:
        result["suppressions"] = [
            {"kind": _KINDS[item.by], "justification": sarif_message(item.reason)}
        ]
    return result


def _region(finding: Finding) -> dict[str, int]:
    region = {"startLine": finding.line, "startColumn": finding.column, "endLine": finding.end_line}
    if finding.end_column and finding.end_line == finding.line:
        region["endColumn"] = finding.end_column
    return region


def _artifact(path: str) -> dict[str, str]:
    """Return the location of a file; outside the repository as an absolute URI."""
    if path.startswith("/") or re.match("[A-Za-z]:/", path):
        return {"uri": f"file:///{encoded(path.lstrip('/'))}"}
    return {"uri": encoded(path), "uriBaseId": "%SRCROOT%"}


def _rule(finding: Finding) -> dict[str, object]:
    """Return the entry of a finding's rule. Only a built-in rule has a description."""
    entry: dict[str, object] = {"id": finding.check}
    if page := address(finding):
        entry["helpUri"] = page
    rule = _built_in().get(finding.check)
    if rule:
        title, _, text = inspect.cleandoc(rule.documentation).partition("\n")
        entry["shortDescription"] = {"text": title}
        entry["fullDescription"] = {"text": text.strip() or title}
        entry["defaultConfiguration"] = {"level": _LEVELS[rule.severity]}
    return entry


@lru_cache(maxsize=1)
def _built_in() -> dict[str, Rule[...]]:
    return {rule.id: rule for rule in built_in()}


def _note(skip: Skipped) -> str:
    place = ": ".join(filter(None, (skip.path, "not checked", skip.check)))
    return f"{place}: {skip.reason}"
