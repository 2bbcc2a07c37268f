"""Add a judge's answers to a verification. Pure."""

from ..finding import Finding
from ..verdict.approval_result import ApprovalResult
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
    """Return the unverifiable criteria, each by the name of its brief."""
    return {
        f"criterion-{number}": item
        for number, item in enumerate(result.expectations, 1)
        if item.kind == "criterion" and item.state == UNVERIFIABLE
    }


def brief_text(item: Expectation, path: str) -> str:
    """Return the brief of a criterion of the ADR at `path`."""
    return f"Line {item.line} of {path} promises:\n\n> {item.subject}\n\nIs it so?"


def judged(result: VerificationResult, verdict: ApprovalResult) -> VerificationResult:
    """Return a result with the judge's answers to its unverifiable criteria.

    A criterion is met only by an answer with evidence. A criterion that the judge could not
    confirm is missing. Without a verdict, the verification has failed.
    """
    if verdict.failed:
        (failure,) = verdict.findings
        return result._replace(state=FAILED, reason=f"the judge gave no verdict: {failure.message}")
    # The keys are objects: two criteria may have the same text.
    briefs = {id(item): name for name, item in briefs_of(result).items()}
    expectations = tuple(
        _answered(item, briefs[id(item)], verdict) if id(item) in briefs else item
        for item in result.expectations
    )
    if result.reason:
        return result._replace(expectations=expectations)
    is_missing = any(item.state == MISSING for item in expectations)
    return result._replace(expectations=expectations, state=UNMET if is_missing else VERIFIED)


def _answered(item: Expectation, brief: str, verdict: ApprovalResult) -> Expectation:
    """Return a criterion with the judge's answer to its brief."""
    answer = verdict.checks.get(brief, "")
    findings = [finding for finding in verdict.findings if finding.check == brief]
    errors = [finding for finding in findings if finding.severity != "info"]
    if errors or answer == "failed":
        return _denied(item, errors or findings)
    if answer != "passed":
        reason = "the judge found no evidence that could show it"
        return item._replace(state=MISSING, reason=reason, action=_SHOW)
    if not findings:
        reason = "the judge says yes, without evidence"
        return item._replace(state=MISSING, reason=reason, action=_SHOW)
    return item._replace(state=MET, reason=f"the judge says yes: {_with_place(findings[0])}")


def _denied(item: Expectation, findings: list[Finding]) -> Expectation:
    if not findings:
        return item._replace(state=MISSING, reason="the judge says no", action="")
    reason = f"the judge says no: {_with_place(findings[0])}"
    return item._replace(state=MISSING, reason=reason, action=findings[0].help)


_SHOW = "add a test that shows it, and name the test in the ADR"


def _with_place(finding: Finding) -> str:
    return f"{finding.message} ({finding.path}:{finding.line})"
