"""Findings that a person has overridden: they can still be read, and stop nothing any more. Pure.

A later commit knows nothing of an override.
"""

from ..config.autonomy import EXPERTISE
from ..finding import SEVERITIES
from ..verdict.verdict import APPROVED
from .handover import Handover, Judged, PlacedFinding
from .states import PENDING, Reason
from .votes import Vote

_UNSEEN = Reason(
    state=PENDING,
    text="findings of the rules were overridden, and no judge has looked",
    category=EXPERTISE,
)


def overridden(
    handover: Handover, overrides: tuple[Vote, ...]
) -> tuple[Handover, tuple[Reason, ...]]:
    """Return the hand-over with overridden findings as information, and what a person is asked
    instead.
    """
    rule_findings = tuple(_mild(item, overrides) for item in handover.rule_findings)
    judged = tuple(_judged(item, overrides) for item in handover.judged)
    is_other = rule_findings != handover.rule_findings
    if not is_other and judged == handover.judged:
        return handover, ()
    is_unseen = is_other and not handover.judged and not handover.unjudged
    return handover._replace(rule_findings=rule_findings, judged=judged), (
        _UNSEEN,
    ) if is_unseen else ()


def _mild(item: PlacedFinding, overrides: tuple[Vote, ...]) -> PlacedFinding:
    vote = next((vote for vote in overrides if item.fingerprint.startswith(vote.finding)), None)
    if vote is None:
        return item
    message = f"{item.finding.message} (overridden by {vote.by.login}: {vote.words})"
    return item._replace(finding=item.finding._replace(severity="info", message=message))


def _judged(judged: Judged, overrides: tuple[Vote, ...]) -> Judged:
    """Return a verdict after overrides.

    It is `overridden` if none of its worst findings is left.
    """
    placed = tuple(_mild(item, overrides) for item in judged.placed)
    if placed == judged.placed:
        return judged
    verdict = judged.verdict._replace(findings=tuple(item.finding for item in placed))
    severities = {finding.severity for finding in judged.verdict.findings}
    worst = next((severity for severity in SEVERITIES if severity in severities), "")
    is_left = any(finding.severity == worst for finding in verdict.findings)
    is_refusal = verdict.result != APPROVED and not verdict.failed
    return judged._replace(verdict=verdict, placed=placed, overridden=is_refusal and not is_left)
