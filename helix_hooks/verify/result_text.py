"""The results of a verification and the pending feedback, as text and for programs."""

from collections.abc import Iterator, Sequence

from ..adr.check_report import CheckReport, FileReport
from ..finding import Finding
from ..report import github
from ..text import at_line_start, counted, dumped, json_value, painted, printable
from ..text.table import Cell, table
from ..verification.naming import long_name
from ..verification.pending import Pending, Records, shown
from ..verification.result import (
    FAILED,
    JUDGED,
    MISSING,
    PRESENT,
    SHOWN,
    UNAPPROVED,
    UNCHECKED,
    UNMET,
    UNPROVEN,
    VERIFIED,
    WORDS,
    Expectation,
    VerificationResult,
)

FORMATS = ("text", "json", "sarif", "github")
_NOTHING_CLAIMED = (
    "nothing to verify: no ADR was set to Implemented, and no commit "
    "message has a line such as `Implements: ADR-014`; name an ADR to verify it\n"
)
_WORDS = {
    VERIFIED: ("verified", "path"),
    UNPROVEN: ("a person must look", "warning"),
    UNMET: ("not done", "error"),
    UNAPPROVED: ("contract not approved", "warning"),
    FAILED: ("not verified", "error"),
}
SIGNS = {
    MISSING: "error",
    UNCHECKED: "warning",
    PRESENT: "warning",
    JUDGED: "path",
    SHOWN: "path",
}
"""The colour of each state of an expectation."""

_WIDTH = 200

Results = tuple[VerificationResult, ...]


def render(results: Results, format: str, color: bool, quiet: bool) -> str:
    """Return the results in one of `FORMATS`."""
    if format == "json":
        return dumped(payload(results))
    if format == "sarif":
        from ..report import sarif  # loading it takes longer than a verification

        return sarif.render(_report(results))
    if format == "github":
        return github.render(_report(results))
    if not results and not quiet:
        return _NOTHING_CLAIMED
    return "\n".join(_text(result, color, quiet) for result in results)


def payload(results: Results) -> dict[str, object]:
    """Return the results as a JSON value."""
    values = [
        {
            **result._asdict(),
            "success": result.success,
            "errors": result.errors,
            "checks_passed": result.checks_passed,
            "feedback": result.feedback,
            "expectations": [item._asdict() for item in result.expectations],
        }
        for result in results
    ]
    return {"version": 1, "results": json_value(values)}


def _text(result: VerificationResult, color: bool, quiet: bool) -> str:
    """Return the text of a result; if `quiet`, only with the missing expectations."""
    word, sign = _WORDS[result.state]
    head = f"{at_line_start(result.path) or printable(result.adr_id)}: {painted(word, sign, color)}"
    if result.title:
        head = f"{head} ({printable(result.title, _WIDTH)})"
    counts = "the ADR names no files and no acceptance criteria"
    if result.expectations:
        counts = f"{result.counts} of {counted(len(result.expectations), 'promise')}"
    items = sorted(result.expectations, key=lambda item: WORDS.index(item.state))
    rows: list[Sequence[Cell]] = []
    for item in items:
        if not quiet or item.state == MISSING:
            rows += _rows(item)
    lines = [f"{head}: {printable(result.reason) or counts}", *table(rows, indent=2, color=color)]
    return "".join(f"{line}\n" for line in lines)


def _rows(item: Expectation) -> Iterator[Sequence[Cell]]:
    text = f"{item.kind} {printable(item.subject, _WIDTH)}"
    if item.reason:
        text = f"{text}: {item.reason}"
        if item.kind != "command":  # commands come from the settings, not from the ADR
            text = f"{text} (line {item.line} of the ADR)"
    yield (item.state, SIGNS[item.state]), text
    if item.state == MISSING and item.action:
        yield "", f"= {item.action}"


def _report(results: Results) -> CheckReport:
    """Return the missing promises as findings in the ADRs."""
    files = []
    for result in results:
        path = result.path or result.adr_id
        findings = [
            _finding(path, item.kind, f"{item.subject}: {item.reason}", item.line, item.action)
            for item in result.missing
        ]
        if result.reason:
            findings = [_finding(path, result.state, result.reason)]
        if findings:
            files.append(FileReport(path, tuple(findings), {}))
    return CheckReport(tuple(files))


def _finding(path: str, kind: str, message: str, line: int = 1, help: str = "") -> Finding:
    return Finding(
        severity="warning" if kind == UNAPPROVED else "error",
        check=f"verify-{kind}",
        layer="agent",
        message=message,
        path=path,
        line=line,
        end_line=line,
        help=help,
    )


def feedback_text(records: Records) -> str:
    """Return the pending feedback, questions for a person first."""
    questions = []
    for item in records:
        if item.is_question:
            name = long_name(item.adr_id, item.title, item.attempts.key.adr)
            questions.append(
                f"A person must decide: {printable(name, _WIDTH)} is not fulfilled after "
                f"{counted(item.attempts.number, 'attempt')}. After the decision: "
                "`helix-hooks feedback --clear`\n"
            )
    if not questions:
        return shown(records) or "no feedback is pending\n"
    return f"{''.join(questions)}\n{shown(records)}"


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
