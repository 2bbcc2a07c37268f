"""The results of a verification, for people at a terminal and for programs."""

from ..adr.check_report import CheckReport, report_on_file
from ..finding import Finding
from ..text.plural import counted
from ..text.sanitize import at_line_start, json_value, printable
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
from .json import dumped
from .text import painted

FORMATS = ("text", "json", "sarif", "github")
_VERSION = 1

_NOTHING_CLAIMED = (
    "nothing to verify: the work claims no ADR (a status changed to Implemented, or a commit "
    "message with the line `Implements: ADR-014`); name an ADR to verify it"
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
        from . import sarif  # it costs more than a verification

        return sarif.render(_report(results))
    if format == "github":
        from . import github

        return github.render(_report(results))
    if not results:
        return "" if quiet else f"{_NOTHING_CLAIMED}\n"
    return "\n".join(_text(result, color, quiet) for result in results)


def payload(results: tuple[VerificationResult, ...]) -> dict[str, object]:
    """Return the results for programs."""
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
    """Return what is to be done, in one text; "" for nothing."""
    return "; ".join(item.action or item.reason for item in result.missing) or result.reason


def _text(result: VerificationResult, color: bool, quiet: bool) -> str:
    word, sign = _WORDS[result.state]
    head = f"{at_line_start(result.path) or printable(result.adr_id)}: {painted(word, sign, color)}"
    about = printable(result.reason) or _counts(result)
    title = f" ({printable(result.title, _WIDTH)})" if result.title else ""
    lines = [f"{head}{title}: {about}"]
    shown = [item for state in _ORDER for item in result.expectations if item.state == state]
    lines += [
        line for item in shown if not quiet or item.state == MISSING for line in _line(item, color)
    ]
    return "".join(f"{line}\n" for line in lines)


def _counts(result: VerificationResult) -> str:
    promises = counted(len(result.expectations), "promise")
    parts = [
        f"{len(found)} {state}"
        for state in _ORDER
        if (found := [item for item in result.expectations if item.state == state])
    ]
    if not parts:
        return "the ADR names no files and no acceptance criteria"
    return f"{', '.join(parts)} of {promises}"


def _line(item: Expectation, color: bool) -> list[str]:
    state = painted(f"{item.state:<12}", _SIGNS[item.state], color)
    subject = printable(item.subject, _WIDTH)
    about = f": {printable(item.reason)}" if item.reason else ""
    line = f" (line {item.line} of the ADR)" if item.kind != "command" and item.reason else ""
    lines = [f"  {state} {item.kind} {subject}{about}{line}"]
    if item.state == MISSING and item.action:
        lines.append(f"{' ' * 15} = {printable(item.action)}")
    return lines


def _report(results: tuple[VerificationResult, ...]) -> CheckReport:
    """Return what is missing as findings in the ADRs."""
    files = []
    for result in results:
        findings = tuple(_findings(result))
        if findings:
            files.append(report_on_file(result.path or result.adr_id, findings, {}))
    return CheckReport(tuple(files))


def _findings(result: VerificationResult) -> list[Finding]:
    if result.reason:
        severity = "warning" if result.state == UNAPPROVED else "error"
        return [_finding(result, severity, result.state, result.reason, 1, "")]
    return [
        _finding(
            result, "error", item.kind, f"{item.subject}: {item.reason}", item.line, item.action
        )
        for item in result.missing
    ]


def _finding(
    result: VerificationResult, severity: str, kind: str, message: str, line: int, help: str
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
