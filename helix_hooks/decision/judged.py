"""Verdicts to a decision: may the change go on, or does a person decide? A pure function of facts."""

from typing import NamedTuple

from ..finding import Finding
from ..verdict.verdict import APPROVED, ApprovalResult

PENDING = "pending"
EXIT_CODES = {"approved": 0, "rejected": 1, "failed": 3, "pending": 4}
_ORDER = ("failed", "rejected", "pending", "approved")
"""From worst to best; a failed judge goes before a rejection, since what it would have said is unknown."""


class Decision(NamedTuple):
    """`state` is approved, rejected, pending (a person decides) or failed (the judge could not be run; never approved).

    `category` says why a person is asked: uncertainty or critical; "" for any other state.
    """

    state: str
    reasons: tuple[str, ...]
    category: str = ""

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.state]


def decide(verdict: ApprovalResult, floor: float, indicators: tuple[Finding, ...] = ()) -> Decision:
    """What a verdict comes to. `floor` is `required_confidence`; `indicators` are signs that someone tries to steer the judge."""
    if verdict.failed:
        return Decision("failed", tuple(f"{finding.check}: {finding.message}" for finding in verdict.findings))
    if verdict.result != APPROVED:
        return Decision("rejected", (f"the judge says {verdict.result}",))
    if indicators:
        return Decision("pending", tuple(f"{finding.path}: {finding.message}" for finding in indicators), "critical")
    if verdict.checks and not {*verdict.checks.values()} - {"not_applicable"}:
        return Decision("pending", ("none of the briefs applied, so nothing was judged",), "uncertainty")
    if verdict.confidence < floor:
        return Decision("pending", (f"the judge is {verdict.confidence:.2f} sure, and {floor:.2f} is asked for",), "uncertainty")
    return Decision("approved", ("the judge approves",))


def together(decisions: dict[str, Decision], indicators: tuple[Finding, ...] = ()) -> Decision:
    """The worst of several decisions, by approval type. Where no judge was asked, the indicators still are for a person."""
    if not decisions:
        reasons = tuple(f"{finding.path}: {finding.message}" for finding in indicators)
        return Decision("pending", reasons, "critical") if indicators else Decision("approved", ("there was nothing for a judge to say",))
    state = min((decision.state for decision in decisions.values()), key=_ORDER.index)
    said = [f"{name}: {reason}" for name, decision in decisions.items() if decision.state == state for reason in decision.reasons]
    category = next((decision.category for decision in decisions.values() if decision.state == state), "")
    return Decision(state, tuple(said), category)
