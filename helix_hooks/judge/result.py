"""Results of approval types: from an answer, from a failure, and without a judge run."""

import os
import time

from ..finding import Finding
from ..text.masking import Secrets, masked, masked_values
from ..verdict.approval_result import REJECTED, AgentContext, ApprovalResult
from ..verdict.verdict import Answer
from .provider import FailedError
from .question import Question

SLOW = 60
"""Seconds after which a review counts as slow."""


def answered(question: Question, answer: Answer, context: AgentContext) -> ApprovalResult:
    """Return the verdict from an accepted answer."""
    return ApprovalResult(
        approval_id=_id(),
        approval_type=question.type.name,
        result=answer.result,
        confidence=answer.confidence,
        summary=answer.summary,
        findings=(*answer.findings, *_slow(question, context.duration_seconds)),
        checks=answer.checks,
        files=question.files,
        recommendations=answer.recommendations,
        timestamp=_now(),
        agent_context=context,
        suggestions=answer.suggestions,
        earlier=answer.earlier,
        needs_person=answer.needs_person,
    )


def _slow(question: Question, seconds: float) -> tuple[Finding, ...]:
    if seconds <= SLOW:
        return ()
    took = f"the review took {seconds:.0f} seconds"
    message = f"{took}; a review should take at most {SLOW}"
    finding = Finding(
        severity="warning",
        check="slow",
        layer="agent",
        message=message,
        path=question.paths[0],
        help="a smaller model, fewer briefs, or smaller changes",
    )
    return (finding,)


def failed(question: Question, error: FailedError, context: AgentContext) -> ApprovalResult:
    """Return the rejection for a review without an answer."""
    finding = Finding(
        severity="error",
        check=error.check,
        layer="agent",
        message=str(error),
        path="",
        help=error.help,
    )
    return ApprovalResult(
        approval_id=_id(),
        approval_type=question.type.name,
        result=REJECTED,
        confidence=0,
        summary="No verdict: the judge failed.",
        findings=(finding,),
        checks={},
        files=question.files,
        recommendations=(),
        timestamp=_now(),
        agent_context=context,
    )


def unjudged(
    type: str,
    result: str,
    reason: str,
    findings: tuple[Finding, ...] = (),
) -> ApprovalResult:
    """Return the result of an approval type for which no judge ran."""
    return ApprovalResult(
        approval_id=_id(),
        approval_type=type,
        result=result,
        confidence=0,
        summary=reason,
        findings=findings,
        checks={},
        files=(),
        recommendations=(),
        timestamp=_now(),
        agent_context=AgentContext(agent=""),
    )


def without_secrets(result: ApprovalResult, secrets: Secrets) -> ApprovalResult:
    """Return a result with secrets masked. Quotes and suggestions with a secret are removed.

    A masked quote is no longer in its file, and a masked suggestion could be applied.
    """
    context = result.agent_context
    return result._replace(
        findings=tuple(_without_secrets(finding, secrets) for finding in result.findings),
        recommendations=masked_values(result.recommendations, secrets),
        summary=masked(result.summary, secrets),
        needs_person=masked(result.needs_person, secrets),
        suggestions=tuple(
            item for item in result.suggestions if masked(item.text, secrets) == item.text
        ),
        agent_context=context._replace(
            model=masked(context.model, secrets),
            light_reason=masked(context.light_reason, secrets),
        ),
    )


def _without_secrets(finding: Finding, secrets: Secrets) -> Finding:
    if masked(finding.evidence, secrets) != finding.evidence:
        finding = finding._replace(evidence="")
    return finding._replace(
        message=masked(finding.message, secrets), help=masked(finding.help, secrets)
    )


def _id() -> str:
    return os.urandom(4).hex()


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
