"""Assess the verdict of one judge by the confidence floor, before policy and people. Pure."""

from typing import NamedTuple

from ..config.autonomy import CRITICAL, UNCERTAINTY
from ..finding import Finding
from ..verdict.verdict import APPROVED as JUDGE_APPROVES
from ..verdict.verdict import ApprovalResult
from .states import APPROVED, FAILED, PENDING, REJECTED


class Assessment(NamedTuple):
    """The state that one verdict leads to by itself: APPROVED, REJECTED, PENDING or FAILED.

    FAILED: the judge gave no verdict. `category` is the reason for asking a person (uncertainty or
    critical), "" without one.
    """

    state: str
    reasons: tuple[str, ...]
    category: str = ""


def assess(
    verdict: ApprovalResult, floor: float, indicators: tuple[Finding, ...] = ()
) -> Assessment:
    """Assess a verdict.

    `floor` is `required_confidence`; `indicators` are signs of steering the judge.
    """
    if verdict.failed:
        return Assessment(
            FAILED, tuple(f"{finding.check}: {finding.message}" for finding in verdict.findings)
        )
    if verdict.result != JUDGE_APPROVES:
        return Assessment(REJECTED, (f"the judge says {verdict.result}",))
    if indicators:
        return Assessment(PENDING, tuple(map(in_words, indicators)), CRITICAL)
    if verdict.checks and not {*verdict.checks.values()} - {"not_applicable"}:
        return Assessment(
            PENDING, ("none of the briefs applied, so nothing was judged",), UNCERTAINTY
        )
    if verdict.confidence < floor:
        reason = f"the judge is {verdict.confidence:.2f} sure, and {floor:.2f} is asked for"
        return Assessment(PENDING, (reason,), UNCERTAINTY)
    return Assessment(APPROVED, ("the judge approves",))


def in_words(finding: Finding) -> str:
    """Return what a reason says of a finding."""
    return f"{finding.path}: {finding.message}"
