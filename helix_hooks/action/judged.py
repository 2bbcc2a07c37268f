"""The verdict of one approval type as the hand-over has it, with what it says of earlier
findings.
"""

from collections.abc import Iterable, Iterator

from ..change.change import Change
from ..config.approvals import Approvals
from ..decision.handover import Judged, PlacedFinding
from ..verdict.earlier import OPEN, EarlierFinding, EarlierRound
from ..verdict.quote import place_of
from ..verdict.suggestion import Suggestion
from ..verdict.verdict import ApprovalResult
from .placed import hunks_in, placed, within_hunk


def judged_type(
    verdict: ApprovalResult, approvals: Approvals, change: Change, before: EarlierRound | None
) -> Judged:
    """Return a verdict with its findings at their places.

    Earlier findings that are open are findings of this verdict too, under their fingerprints.
    """
    name = verdict.approval_type
    floor = approvals.types[name].run.required_confidence
    proposed = {item.finding: item for item in verdict.suggestions}
    found = [
        _with_suggestion(item, proposed.get(number), change)
        for number, item in enumerate(placed(verdict.findings, change, name))
    ]
    known = {item.fingerprint for item in found}
    open_ones = (
        item
        for item in (before.asked if before else ())
        if dict(verdict.earlier).get(item.id) == OPEN and item.id not in known
    )
    everything = (*found, *(_still_open(item, change, name) for item in open_ones))
    answers = tuple((id, OPEN if id in known else answer) for id, answer in verdict.earlier)
    verdict = verdict._replace(
        findings=tuple(item.finding for item in everything), earlier=answers, suggestions=()
    )
    return Judged(verdict, floor, everything)


def _with_suggestion(
    item: PlacedFinding, proposed: Suggestion | None, change: Change
) -> PlacedFinding:
    """Return a finding at the lines for which a text is proposed, if the diff shows all of them."""
    if proposed is None:
        return item
    shown = hunks_in(change, item.finding.path)
    place = within_hunk(item.finding.path, proposed.first, proposed.last, shown)
    return item._replace(place=place, suggestion=proposed.text) if place else item


def _still_open(item: EarlierFinding, change: Change, by: str) -> PlacedFinding:
    """Return an earlier finding where it stands now: at its quote, else at its line."""
    finding = item.finding
    text = change.text(finding.path) if change.tree.has(finding.path) else ""
    lines = place_of(finding.evidence, text, finding.line) or _near(finding.line, text)
    moved = finding._replace(line=lines[0], end_line=lines[1])
    (there,) = placed([moved], change, by)
    return there._replace(fingerprint=item.id, decline=item.decline)


def _near(line: int, text: str) -> tuple[int, int]:
    last = max(1, min(line, text.count("\n")))
    return last, last


def answered_round(round: EarlierRound, judged: Iterable[Judged]) -> EarlierRound:
    """Return a round with what the judge of its type says of each finding now."""
    answers = {
        id: answer
        for item in judged
        if item.verdict.approval_type == round.approval_type
        for id, answer in item.verdict.earlier
    }
    return round._replace(findings=tuple(_answered(round.findings, answers)))


def _answered(
    findings: Iterable[EarlierFinding], answers: dict[str, str]
) -> Iterator[EarlierFinding]:
    for item in findings:
        yield item._replace(answer=answers.get(item.id, item.answer))
