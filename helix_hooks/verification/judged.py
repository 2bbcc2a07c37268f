"""Add a judge's answers to a verification. Pure."""

from ..finding import Finding
from ..verdict.approval_result import ApprovalResult
from .result import FAILED, JUDGED, MISSING, Expectation, VerificationResult, state_of


def briefs_of(result: VerificationResult) -> dict[str, Expectation]:
    """Return the criteria that are present or unchecked, each by the name of its brief."""
    return {
        f"criterion-{number}": item
        for number, item in enumerate(result.expectations, 1)
        if item.kind == "criterion" and item in result.open
    }


def brief_text(item: Expectation, path: str) -> str:
    """Return the brief of a criterion of the ADR at `path`."""
    return f"Line {item.line} of {path} promises:\n\n> {item.subject}\n\nIs it so?"


def judged(result: VerificationResult, verdict: ApprovalResult) -> VerificationResult:
    """Return a result with the judge's answers to the criteria of its briefs.

    A yes with a place in the tree is `judged`, a no is missing. After any other answer a criterion
    has the state that it had. Without a verdict, the verification has failed.
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
    return result._replace(expectations=expectations, state=state_of(expectations))


def _answered(item: Expectation, brief: str, verdict: ApprovalResult) -> Expectation:
    """Return a criterion with the judge's answer to its brief."""
    answer = verdict.checks.get(brief, "")
    findings = [finding for finding in verdict.findings if finding.check == brief]
    errors = [finding for finding in findings if finding.severity != "info"]
    if errors or answer == "failed":
        return _denied(item, errors or findings)
    if answer != "passed":
        return item._replace(reason="the judge found no evidence that could show it")
    if not findings:
        return item._replace(reason="the judge says yes, without evidence")
    return item._replace(state=JUDGED, reason=f"the judge says yes: {_with_place(findings[0])}")


def _denied(item: Expectation, findings: list[Finding]) -> Expectation:
    if not findings:
        return item._replace(state=MISSING, reason="the judge says no", action="")
    reason = f"the judge says no: {_with_place(findings[0])}"
    return item._replace(state=MISSING, reason=reason, action=findings[0].help)


def _with_place(finding: Finding) -> str:
    return f"{finding.message} ({finding.path}:{finding.line})"
