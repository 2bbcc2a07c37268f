"""Assess the verdict of one judge by the confidence floor, before policy and people. Pure."""

from typing import NamedTuple

from ..config.autonomy import CRITICAL, EXPERTISE, UNCERTAINTY
from ..finding import Finding
from ..verdict.verdict import APPROVED as JUDGE_APPROVES
from ..verdict.verdict import ApprovalResult
from .states import APPROVED, FAILED, PENDING, REJECTED


class Assessment(NamedTuple):
    """The state that one verdict leads to by itself: APPROVED, REJECTED, PENDING or FAILED.

    FAILED: the judge gave no verdict. `category` is the reason for asking a person (critical,
    expertise or uncertainty), "" without one.
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
    asked = of_judge(verdict)
    if indicators:
        return Assessment(PENDING, (*map(in_words, indicators), *asked), CRITICAL)
    unsure = _unsure(verdict, floor)
    if asked or unsure:
        return Assessment(PENDING, (*asked, *unsure), EXPERTISE if asked else UNCERTAINTY)
    return Assessment(APPROVED, ("the judge approves",))


def of_judge(verdict: ApprovalResult) -> tuple[str, ...]:
    """Return what a person must decide by the judge's word."""
    return (f"the judge asks for a person: {verdict.needs_person}",) if verdict.needs_person else ()


def _unsure(verdict: ApprovalResult, floor: float) -> tuple[str, ...]:
    """Return why an approval is not sure enough."""
    if verdict.checks and not {*verdict.checks.values()} - {"not_applicable"}:
        return ("none of the briefs applied, so nothing was judged",)
    if verdict.confidence < floor:
        return (f"the judge is {verdict.confidence:.2f} sure, and {floor:.2f} is asked for",)
    return ()


def in_words(finding: Finding) -> str:
    """Return what a reason says of a finding."""
    return f"{finding.path}: {finding.message}"
