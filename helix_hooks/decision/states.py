"""The states of a decision, their reasons, and the state that a verdict leads to. Pure."""

from typing import NamedTuple

from ..config.policy import CRITICAL, EXPERTISE, UNCERTAINTY
from ..finding import Finding
from ..verdict.approval_result import APPROVED as JUDGE_APPROVES
from ..verdict.approval_result import ApprovalResult

APPROVED, REJECTED, PENDING, FAILED, BROKEN, MOVED, BLOCKED = (
    "approved",
    "rejected",
    "pending",
    "failed",
    "broken",
    "moved",
    "blocked",
)
CONCLUSIONS = {
    APPROVED: "success",
    REJECTED: "failure",
    BLOCKED: "failure",
    PENDING: "action_required",
    FAILED: "failure",
    BROKEN: "failure",
    MOVED: "cancelled",
}
"""Never neutral, never skipped: GitHub accepts both for a required check (docs.github.com,
"Troubleshooting required status checks").
"""

EXIT_CODES = {APPROVED: 0, REJECTED: 1, BLOCKED: 1, BROKEN: 2, FAILED: 3, MOVED: 3, PENDING: 4}
_ORDER = (BROKEN, MOVED, FAILED, REJECTED, BLOCKED, PENDING, APPROVED)
"""From worst to best."""


class Reason(NamedTuple):
    """A reason for a state. `category`, `about` and `due` belong to a question to a person."""

    state: str
    text: str
    way_out: str = ""
    """The next step for a person."""
    category: str = ""
    """The category of the question, such as expertise."""
    about: str = ""
    """The approval type, "" for the change as a whole."""
    due: int = 0
    """The deadline in seconds since 1970, 0 for none."""
    by: tuple[str, ...] = ()
    """The logins of those who approved or objected, or whose vote was changed."""
    finding: str = ""
    """The part of `text` that is the text of a finding."""

    @property
    def is_question(self) -> bool:
        """Return whether a person's approval can resolve it.

        It can replace a failed judge, but not a failed step.
        """
        return self.state == PENDING or (self.state == FAILED and bool(self.category))


def worst(states: list[str]) -> str:
    """Return the worst of several states."""
    return min(states, key=_ORDER.index)


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
