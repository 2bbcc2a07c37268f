"""Add a judge's answers to a verification. Pure."""

from ..finding import Finding
from ..verdict.verdict import ApprovalResult
from .result import (
    FAILED,
    MET,
    MISSING,
    UNMET,
    UNVERIFIABLE,
    VERIFIED,
    Expectation,
    VerificationResult,
)


def briefs_of(result: VerificationResult) -> dict[str, Expectation]:
    """Return the criteria that nothing has shown yet, by the name of the brief for each."""
    return {
        f"criterion-{number}": item
        for number, item in enumerate(result.expectations, 1)
        if item.kind == "criterion" and item.state == UNVERIFIABLE
    }


def brief_text(item: Expectation, path: str) -> str:
    """Return the brief of a criterion of the ADR at `path`."""
    return f"Line {item.line} of {path} promises:\n\n> {item.subject}\n\nIs it there?"


def judged(result: VerificationResult, verdict: ApprovalResult) -> VerificationResult:
    """Return a result with the judge's answers to its unverifiable criteria.

    A criterion is met only by an answer with evidence. Whatever the judge could not see is missing:
    a judge was asked because it counts. A judge without a verdict has verified nothing.
    """
    if verdict.failed:
        (failure,) = verdict.findings
        return result._replace(state=FAILED, reason=f"the judge gave no verdict: {failure.message}")
    known = briefs_of(result)
    answers = {id(item): _answered(item, name, verdict) for name, item in known.items()}
    found = tuple(answers.get(id(item), item) for item in result.expectations)
    if result.reason:
        return result._replace(expectations=found)
    is_missing = any(item.state == MISSING for item in found)
    return result._replace(expectations=found, state=UNMET if is_missing else VERIFIED)


def _answered(item: Expectation, brief: str, verdict: ApprovalResult) -> Expectation:
    answer = verdict.checks.get(brief, "")
    findings = [finding for finding in verdict.findings if finding.check == brief]
    errors = [finding for finding in findings if finding.severity != "info"]
    if errors or answer == "failed":
        shown = errors or findings
        told = f": {_with_place(shown[0])}" if shown else ""
        help = shown[0].help if shown else ""
        return item._replace(state=MISSING, reason=f"the judge says no{told}", action=help)
    if answer != "passed":
        reason = "the judge found nothing that could show it"
        return item._replace(state=MISSING, reason=reason, action=_SHOW)
    if not findings:
        reason = "the judge says yes, without evidence"
        return item._replace(state=MISSING, reason=reason, action=_SHOW)
    return item._replace(state=MET, reason=f"the judge says yes: {_with_place(findings[0])}")


_SHOW = "add a test that shows it, and name the test in the ADR"


def _with_place(finding: Finding) -> str:
    return f"{finding.message} ({finding.path}:{finding.line})"
