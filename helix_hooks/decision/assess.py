"""Assess the verdict of one judge by the confidence floor, before policy and people. Pure."""

from typing import NamedTuple

from ..config.policy import CRITICAL, EXPERTISE, UNCERTAINTY
from ..finding import Finding
from ..verdict.approval_result import APPROVED as JUDGE_APPROVES
from ..verdict.approval_result import ApprovalResult
from .states import APPROVED, FAILED, PENDING, REJECTED


class Assessment(NamedTuple):
    """The state that one verdict leads to: APPROVED, REJECTED, PENDING or FAILED.

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

    `floor` is `required_confidence`; `indicators` are possible attempts to steer the judge.
    """
    if verdict.failed:
        errors = [f"{finding.check}: {finding.message}" for finding in verdict.findings]
        return Assessment(FAILED, tuple(errors))
    if verdict.result != JUDGE_APPROVES:
        return Assessment(REJECTED, (f"the judge says {verdict.result}",))
    requests = person_requests(verdict)
    # An indicator outranks confidence: a judge that was steered is sure of itself, too.
    if indicators:
        return Assessment(PENDING, (*map(in_words, indicators), *requests), CRITICAL)
    doubts = _doubts(verdict, floor)
    if requests:
        return Assessment(PENDING, (*requests, *doubts), EXPERTISE)
    if doubts:
        return Assessment(PENDING, doubts, UNCERTAINTY)
    return Assessment(APPROVED, ("the judge approves",))


def person_requests(verdict: ApprovalResult) -> tuple[str, ...]:
    """Return the judge's request for a decision by a person; () if it has none."""
    if not verdict.needs_person:
        return ()
    return (f"the judge asks for a person: {verdict.needs_person}",)


def _doubts(verdict: ApprovalResult, floor: float) -> tuple[str, ...]:
    """Return the reason why an approval is not certain enough; () if it is."""
    if verdict.checks and not {*verdict.checks.values()} - {"not_applicable"}:
        return ("no brief applied to this change",)
    if verdict.confidence < floor:
        return (f"confidence {verdict.confidence:.2f} is below the required {floor:.2f}",)
    return ()


def in_words(finding: Finding) -> str:
    """Return the text of a finding in a reason."""
    return f"{finding.path}: {finding.message}"
