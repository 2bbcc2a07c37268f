"""The results of a verification and the pending feedback, as text and for programs."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..adr.check_report import CheckReport, report_on_file
from ..finding import Finding
from ..text.plural import counted
from ..text.sanitize import at_line_start, json_value, painted, printable
from ..text.table import Cell, table
from ..verification.naming import long_name
from ..verification.pending import Pending, Records, shown
from ..verification.result import (
    FAILED,
    MET,
    MISSING,
    NOTHING_SHOWN,
    UNAPPROVED,
    UNMET,
    UNVERIFIABLE,
    VERIFIED,
    Expectation,
    VerificationResult,
)
from . import github
from .json import dumped

FORMATS = ("text", "json", "sarif", "github")
_VERSION = 1

_NOTHING_CLAIMED = (
    "nothing to verify: no ADR was set to Implemented, and no commit "
    "message has a line such as `Implements: ADR-014`; name an ADR to verify it"
)
_WORDS = {
    VERIFIED: ("verified", "path"),
    NOTHING_SHOWN: ("nothing could be verified", "warning"),
    UNMET: ("not done", "error"),
    UNAPPROVED: ("contract not approved", "warning"),
    FAILED: ("not verified", "error"),
}
_SIGNS = {MET: "path", MISSING: "error", UNVERIFIABLE: "warning"}
_ORDER = (MISSING, UNVERIFIABLE, MET)
_WIDTH = 200


def render(results: tuple[VerificationResult, ...], format: str, color: bool, quiet: bool) -> str:
    """Return the results in one of `FORMATS`."""
    if format == "json":
        return dumped(payload(results), len(results))
    if format == "sarif":
        from . import sarif  # loading it takes longer than a verification

        return sarif.render(_report(results))
    if format == "github":
        return github.render(_report(results))
    if results:
        return "\n".join(_text(result, color, quiet) for result in results)
    if quiet:
        return ""
    return f"{_NOTHING_CLAIMED}\n"


def payload(results: tuple[VerificationResult, ...]) -> dict[str, object]:
    """Return the results as a JSON value."""
    return {
        "version": _VERSION,
        "results": [json_value(_result(result)) for result in results],
    }


def _result(result: VerificationResult) -> dict[str, object]:
    return {
        "adr_id": result.adr_id,
        "path": result.path,
        "title": result.title,
        "state": result.state,
        "success": result.success,
        "reason": result.reason,
        "errors": list(result.errors),
        "checks_passed": list(result.checks_passed),
        "feedback": feedback_line(result),
        "contract": result.contract,
        "since": result.since,
        "expectations": [item._asdict() for item in result.expectations],
    }


def feedback_line(result: VerificationResult) -> str:
    """Return the open tasks as one text; "" if nothing is missing."""
    return "; ".join(item.action or item.reason for item in result.missing) or result.reason


def _text(result: VerificationResult, color: bool, quiet: bool) -> str:
    word, sign = _WORDS[result.state]
    name = at_line_start(result.path) or printable(result.adr_id)
    head = f"{name}: {painted(word, sign, color)}"
    if result.title:
        head = f"{head} ({printable(result.title, _WIDTH)})"
    rows = [row for item in _shown(result, quiet) for row in _rows(item)]
    lines = [
        f"{head}: {printable(result.reason) or _counts(result)}",
        *table(rows, indent=2, color=color),
    ]
    return "".join(f"{line}\n" for line in lines)


def _shown(result: VerificationResult, quiet: bool) -> list[Expectation]:
    """Return the expectations to show, missing ones first; if `quiet`, only those."""
    if quiet:
        return [item for item in result.expectations if item.state == MISSING]
    return sorted(result.expectations, key=lambda item: _ORDER.index(item.state))


def _counts(result: VerificationResult) -> str:
    numbers = Counter(item.state for item in result.expectations)
    parts = [f"{numbers[state]} {state}" for state in _ORDER if numbers[state]]
    if not parts:
        return "the ADR names no files and no acceptance criteria"
    promises = counted(len(result.expectations), "promise")
    return f"{', '.join(parts)} of {promises}"


def _rows(item: Expectation) -> Iterator[Sequence[Cell]]:
    text = f"{item.kind} {printable(item.subject, _WIDTH)}"
    if item.reason:
        text = f"{text}: {item.reason}"
        if item.kind != "command":  # commands come from the settings, not from the ADR
            text = f"{text} (line {item.line} of the ADR)"
    yield (item.state, _SIGNS[item.state]), text
    if item.state == MISSING and item.action:
        yield "", f"= {item.action}"


def _report(results: tuple[VerificationResult, ...]) -> CheckReport:
    """Return the missing promises as findings in the ADRs."""
    files = []
    for result in results:
        findings = tuple(_findings(result))
        if findings:
            files.append(report_on_file(result.path or result.adr_id, findings, {}))
    return CheckReport(tuple(files))


def _findings(result: VerificationResult) -> list[Finding]:
    if result.reason:
        severity = "warning" if result.state == UNAPPROVED else "error"
        return [_finding(result, severity, result.state, message=result.reason)]
    findings = []
    for item in result.missing:
        message = f"{item.subject}: {item.reason}"
        finding = _finding(result, "error", item.kind, message, line=item.line, help=item.action)
        findings.append(finding)
    return findings


def _finding(
    result: VerificationResult,
    severity: str,
    kind: str,
    message: str,
    line: int = 1,
    help: str = "",
) -> Finding:
    return Finding(
        severity=severity,
        check=f"verify-{kind}",
        layer="agent",
        message=message,
        path=result.path or result.adr_id,
        line=line,
        end_line=line,
        help=help,
    )


def feedback_text(records: Records) -> str:
    """Return the pending feedback, questions for a person first."""
    pending = [item for item in records if item.feedback]
    if not pending:
        return "no feedback is pending\n"
    questions = [_question(item) for item in pending if item.is_question]
    if not questions:
        return shown(records)
    return "".join(f"{line}\n" for line in questions) + f"\n{shown(records)}"


def _question(item: Pending) -> str:
    name = printable(long_name(item.adr_id, item.title, item.attempts.key.adr), 200)
    tries = counted(item.attempts.number, "attempt")
    return (
        f"A person must decide: {name} is not fulfilled after {tries}. After the decision: "
        "`helix-hooks feedback --clear`"
    )


def feedback_payload(records: Records) -> dict[str, object]:
    """Return the pending feedback as a JSON value of version 1."""
    return {"version": 1, "pending": [_feedback_fields(item) for item in records if item.feedback]}


def _feedback_fields(item: Pending) -> dict[str, object]:
    return {
        "adr_id": item.adr_id,
        "path": item.attempts.key.adr,
        "title": item.title,
        "contract": item.attempts.key.contract,
        "since": item.attempts.key.base,
        "attempts": item.attempts.number,
        "capped": item.attempts.capped,
        "question": item.is_question,
        "at": item.attempts.at,
        "errors": list(item.errors),
        "feedback": item.feedback,
    }
