"""Apply overrides: an overridden finding is still shown, but no longer blocks. Pure.

An override is bound to its commit.
"""

from ..config.policy import EXPERTISE
from ..finding import SEVERITIES
from ..verdict.approval_result import APPROVED, ApprovalResult
from .handover import Handover, Judged, PlacedFinding
from .states import PENDING, Reason
from .votes import Vote

_UNSEEN = Reason(
    state=PENDING,
    text="rule findings were overridden without a review by a judge",
    category=EXPERTISE,
)


def overridden(
    handover: Handover, overrides: tuple[Vote, ...]
) -> tuple[Handover, tuple[Reason, ...]]:
    """Return the hand-over with overridden findings as information, and the question to a person
    that replaces them.
    """
    rule_findings = tuple(_mild(item, overrides) for item in handover.rule_findings)
    judged = tuple(_judged(item, overrides) for item in handover.judged)
    has_overridden_rules = rule_findings != handover.rule_findings
    if not has_overridden_rules and judged == handover.judged:
        return handover, ()
    questions: tuple[Reason, ...] = ()
    # No judge runs on a change with errors of the rules, so no judge has reviewed this one.
    if has_overridden_rules and not handover.judged and not handover.unjudged:
        questions = (_UNSEEN,)
    return handover._replace(rule_findings=rule_findings, judged=judged), questions


def _mild(item: PlacedFinding, overrides: tuple[Vote, ...]) -> PlacedFinding:
    vote = next((vote for vote in overrides if item.fingerprint.startswith(vote.finding)), None)
    if vote is None:
        return item
    message = f"{item.finding.message} (overridden by {vote.by.login}: {vote.words})"
    return item._replace(
        finding=item.finding._replace(severity="info", message=message, question=False)
    )


def _judged(judged: Judged, overrides: tuple[Vote, ...]) -> Judged:
    """Return a verdict after overrides."""
    placed = tuple(_mild(item, overrides) for item in judged.placed)
    if placed == judged.placed:
        return judged
    verdict = judged.verdict._replace(findings=tuple(item.finding for item in placed))
    is_refusal = verdict.result != APPROVED and not verdict.failed
    overridden = is_refusal and not _has_worst(judged.verdict, verdict)
    return judged._replace(verdict=verdict, placed=placed, overridden=overridden)


def _has_worst(earlier: ApprovalResult, verdict: ApprovalResult) -> bool:
    """Return whether a verdict still has a finding of the worst severity that it had earlier."""
    worst = min((SEVERITIES.index(finding.severity) for finding in earlier.findings), default=0)
    return any(finding.severity == SEVERITIES[worst] for finding in verdict.findings)
