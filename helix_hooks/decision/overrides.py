"""Findings that a person has overridden: they stay to be read, and stop nothing any more. A later commit knows nothing of it."""

from ..config.autonomy import EXPERTISE
from ..finding import SEVERITIES
from ..verdict.verdict import APPROVED
from .handover import Handover, Judged, Said
from .statements import Statement
from .states import PENDING, Reason


def overridden(given: Handover, overrides: tuple[Statement, ...]) -> tuple[Handover, tuple[Reason, ...]]:
    """What is left to stop a change, and what a person is asked since they overrode it."""
    said = tuple(_mild(item, overrides) for item in given.said)
    judged = tuple(_judged(item, overrides) for item in given.judged)
    if said == given.said and judged == given.judged:
        return given, ()
    unseen = said != given.said and not given.judged and not given.stated
    asked = (Reason(PENDING, "findings of the rules were overridden, and no judge has looked", category=EXPERTISE),) if unseen else ()
    return given._replace(said=said, judged=judged), asked


def _mild(item: Said, overrides: tuple[Statement, ...]) -> Said:
    by = next((said for said in overrides if item.fingerprint.startswith(said.subject)), None)
    if by is None:
        return item
    message = f"{item.finding.message} (overridden by {by.by.login}: {by.words})"
    return item._replace(finding=item.finding._replace(severity="info", message=message))


def _judged(judged: Judged, overrides: tuple[Statement, ...]) -> Judged:
    said = tuple(_mild(item, overrides) for item in judged.said)
    if said == judged.said:
        return judged
    verdict = judged.verdict._replace(findings=tuple(item.finding for item in said))
    had = {finding.severity for finding in judged.verdict.findings}
    worst = next((severity for severity in SEVERITIES if severity in had), "")
    left = any(finding.severity == worst for finding in verdict.findings)
    return judged._replace(verdict=verdict, said=said, overridden=verdict.result != APPROVED and not verdict.failed and not left)
