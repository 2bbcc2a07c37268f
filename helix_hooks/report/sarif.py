"""SARIF 2.1.0, for code scanning and editors: docs.oasis-open.org/sarif/sarif/v2.1.0."""

import inspect
import re
from functools import lru_cache

from .. import __version__
from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.model import Described
from ..adr.rules.registry import built_in
from ..adr.suppress import Suppressed
from ..finding import Finding
from ..text.sanitize import printable, sarif_message
from . import HOME
from .addresses import address
from .fingerprint import fingerprints
from .json import dumped

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}
_KINDS = {"inline": "inSource", "baseline": "external"}
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")
_NO_BYTES = "[\ud800-\udc7f\udd00-\udfff]"
"""Surrogates that stand for no byte of a file's name."""


def render(report: CheckReport) -> str:
    """Return the SARIF log of a report."""
    return log(
        [item for file in report.files for item in _found(file)],
        [_note(skip) for skip in report.skipped],
    )


def log(findings: list[Suppressed], not_checked: list[str], failure: str = "") -> str:
    """Return one log with one run, in ASCII, which every path and terminal can show.

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
    notes = [{"level": "warning", "message": {"text": printable(text)}} for text in not_checked]
    notes += [{"level": "error", "message": {"text": printable(failure)}}] if failure else []
    known = fingerprints(item.finding for item in findings)
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": not failure, "toolExecutionNotifications": notes}],
        "results": [
            _result(item, order[item.finding.check], fingerprint)
            for item, fingerprint in zip(findings, known, strict=True)
        ],
    }
    return dumped({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, len(findings))


def encoded(path: str) -> str:
    """A path of the repository as a relative URI."""
    data = re.sub(_NO_BYTES, "\ufffd", path).encode(errors="surrogateescape")
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)


def _found(file: FileReport) -> list[Suppressed]:
    """Return the findings of a file by line, those that count with an empty suppression."""
    found = [*(Suppressed(finding, "", "") for finding in file.findings), *file.suppressed]
    return sorted(found, key=lambda item: (item.finding.line, item.finding.column))


def _result(item: Suppressed, index: int, fingerprint: str) -> dict[str, object]:
    finding = item.finding
    region = {"startLine": finding.line, "startColumn": finding.column, "endLine": finding.end_line}
    if finding.end_column and finding.end_line == finding.line:
        region["endColumn"] = finding.end_column
    result: dict[str, object] = {
        "ruleId": finding.check,
        "ruleIndex": index,
        "level": _LEVELS[finding.severity],
        "message": {
            "text": "\n".join(
                sarif_message(text) for text in (finding.message, finding.help) if text
            )
        },
        "locations": [
            {"physicalLocation": {"artifactLocation": _artifact(finding.path), "region": region}}
        ],
        "partialFingerprints": {"helix/v1": fingerprint},
    }
    if item.by:
        result["suppressions"] = [
            {"kind": _KINDS[item.by], "justification": sarif_message(item.reason)}
        ]
    return result


def _artifact(path: str) -> dict[str, str]:
    """Return the location of a file; a file outside of the repository has a URI of its own."""
    if path.startswith("/") or re.match("[A-Za-z]:/", path):
        return {"uri": f"file:///{encoded(path.lstrip('/'))}"}
    return {"uri": encoded(path), "uriBaseId": "%SRCROOT%"}


def _rule(finding: Finding) -> dict[str, object]:
    """A rule that occurs; one from a rules file is described there."""
    rule: dict[str, object] = {"id": finding.check}
    page = address(finding)
    if page:
        rule["helpUri"] = page
    known = _built_in().get(finding.check)
    if known:
        title, _, text = inspect.cleandoc(type(known).__doc__ or known.id).partition("\n")
        rule["shortDescription"] = {"text": title}
        rule["fullDescription"] = {"text": text.strip() or title}
        rule["defaultConfiguration"] = {"level": _LEVELS[known.severity]}
    return rule


@lru_cache(maxsize=1)
def _built_in() -> dict[str, Described]:
    return {rule.id: rule for rule in built_in()}


def _note(skip: Skipped) -> str:
    place = ": ".join(filter(None, (skip.path, "not checked", skip.check)))
    return f"{place}: {skip.reason}"
