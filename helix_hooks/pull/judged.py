"""The verdict of one approval type for the hand-over, with its answers about earlier findings."""

from collections.abc import Iterable

from ..config.approvals import Approvals
from ..decision.handover import Judged, PlacedFinding
from ..judge.change import Change
from ..verdict.approval_result import ApprovalResult
from ..verdict.earlier import OPEN, EarlierFinding, EarlierRound
from ..verdict.quote import place_of
from ..verdict.suggestion import Suggestion
from .placed import hunks_in, placed, within_hunk


def judged_type(
    verdict: ApprovalResult, approvals: Approvals, change: Change, before: EarlierRound | None
) -> Judged:
    """Return a verdict with its findings at their places.

    Earlier findings that are still open are findings of this verdict too, with their fingerprints.
    """
    name = verdict.approval_type
    floor = approvals.types[name].run.required_confidence
    proposed = {item.finding: item for item in verdict.suggestions}
    findings = [
        _with_suggestion(item, proposed.get(number), change)
        for number, item in enumerate(placed(verdict.findings, change, name))
    ]
    # A finding with the same fingerprint is still open, whatever the judge answers.
    repeated = {item.fingerprint for item in findings}
    answers = dict(verdict.earlier)
    answers.update(dict.fromkeys(repeated & answers.keys(), OPEN))
    findings += [
        _still_open(item, change, name)
        for item in _asked_findings(before)
        if answers.get(item.id) == OPEN and item.id not in repeated
    ]
    verdict = verdict._replace(
        findings=tuple(item.finding for item in findings),
        earlier=answers,
        suggestions=(),
    )
    return Judged(verdict, floor, tuple(findings))


def _asked_findings(before: EarlierRound | None) -> Iterable[EarlierFinding]:
    """Return the earlier findings about which the judge was asked."""
    if before is None:
        return ()
    return before.asked


def _with_suggestion(
    item: PlacedFinding, proposed: Suggestion | None, change: Change
) -> PlacedFinding:
    """Return a finding at the lines of its suggestion, if one hunk of the diff shows all of them.

    GitHub accepts a suggestion only there.
    """
    if proposed is None:
        return item
    shown = hunks_in(change, item.finding.path)
    place = within_hunk(item.finding.path, proposed.first, proposed.last, shown)
    if place is None:
        return item
    return item._replace(place=place, suggestion=proposed.text)


def _still_open(item: EarlierFinding, change: Change, by: str) -> PlacedFinding:
    """Return an earlier finding at its current place: at its quote, else at its line."""
    finding = item.finding
    text = ""
    if change.tree.has(finding.path):
        text = change.text(finding.path)
    lines = place_of(finding.evidence, text, finding.line) or _near(finding.line, text)
    moved = finding._replace(line=lines[0], end_line=lines[1])
    (current,) = placed([moved], change, by)
    return current._replace(fingerprint=item.id, decline=item.decline)


def _near(line: int, text: str) -> tuple[int, int]:
    last = max(1, min(line, text.count("\n")))
    return last, last


def answered_round(round: EarlierRound, judged: Iterable[Judged]) -> EarlierRound:
    """Return a round with the answer of its judge about each finding."""
    answers: dict[str, str] = {}
    for item in judged:
        if item.verdict.approval_type == round.approval_type:
            answers.update(item.verdict.earlier)
    findings = [item._replace(answer=answers.get(item.id, item.answer)) for item in round.findings]
    return round._replace(findings=tuple(findings))
