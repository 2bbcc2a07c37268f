"""The last round of each approval type, as a later run finds it in the record. Pure."""

from collections.abc import Iterable, Iterator

from ..finding import SEVERITIES
from ..text.cut import one_line
from ..verdict.earlier import MOST, EarlierFinding, EarlierRound, worst_first
from .handover import Handover, Judged, PlacedFinding
from .run_state import CarriedState

_SHORT = 240
"""Characters of a text where the record has little room."""

_SETTLED = 20
"""Maximum number of answered findings that later rounds are told of."""


def last_rounds(last: Handover) -> tuple[EarlierRound, ...]:
    """Return what the next judges are told, by the record of the last run.

    A judge that was not asked, or failed, has answered nothing: what was open before still is.
    """
    judged = {item.verdict.approval_type: item for item in last.judged if not item.verdict.failed}
    before = {item.approval_type: item for item in last.earlier}
    rounds = []
    for name in dict.fromkeys((*before, *judged)):
        known, verdict = before.get(name), judged.get(name)
        if verdict:
            rounds.append(_round_of(verdict, last.target.head, known.settled if known else ()))
        elif known:
            rounds.append(known)
    return tuple(item for item in rounds if item.findings)


def _round_of(judged: Judged, commit: str, before: tuple[EarlierFinding, ...]) -> EarlierRound:
    """Return the findings of a verdict, and those that were answered up to then."""
    settled = before[-_SETTLED:]
    found = (
        EarlierFinding(item.fingerprint, item.finding, item.decline)
        for item in judged.placed
        if is_of_judge(item, judged)
    )
    known = {item.id for item in settled}
    return EarlierRound(
        judged.verdict.approval_type,
        commit,
        (*settled, *(item for item in found if item.id not in known)),
    )


def is_of_judge(item: PlacedFinding, judged: Judged) -> bool:
    """Return whether a judge has found it: not that it took long, nor that it failed."""
    verdict = judged.verdict
    is_known = item.finding.check in verdict.checks or item.fingerprint in dict(verdict.earlier)
    return bool(item.finding.path) and is_known


def cut(rounds: Iterable[EarlierRound]) -> tuple[tuple[EarlierRound, ...], int]:
    """Return rounds with as many findings as a judge is told, and how many errors are left out."""
    kept, lost = [], 0
    for round in rounds:
        asked = worst_first(round.asked)
        kept.append(round._replace(findings=(*round.settled, *asked[:MOST])))
        lost += _errors(asked[MOST:])
    return tuple(kept), lost


def _errors(items: Iterable[EarlierFinding]) -> int:
    return sum(item.finding.severity == SEVERITIES[0] for item in items)


def with_unkept(handover: Handover) -> CarriedState:
    """Return the state where no record is kept: it says how many errors of judges are lost."""
    lost = sum(_errors(round.asked) for round in last_rounds(handover))
    carried = handover.carried
    return carried._replace(unkept=max(carried.unkept, lost))


def shortened(round: EarlierRound) -> EarlierRound:
    """Return a round with short texts, for a record with little room."""
    return round._replace(findings=tuple(_short(round.findings)))


def _short(findings: Iterable[EarlierFinding]) -> Iterator[EarlierFinding]:
    for item in findings:
        finding = item.finding._replace(
            message=one_line(item.finding.message, _SHORT), help="", evidence=""
        )
        reply = item.decline
        decline = reply and reply._replace(reason=one_line(reply.reason, _SHORT))
        yield item._replace(finding=finding, decline=decline)
