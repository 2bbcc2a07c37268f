"""The last round of each approval type, as a later run reads it from the record. Pure."""

from collections.abc import Iterable

from ..finding import SEVERITIES
from ..text import one_line
from ..verdict.earlier import MOST, EarlierFinding, EarlierRound, worst_first
from .handover import Handover, Judged, PlacedFinding
from .run_state import CarriedState

_SHORT = 240
"""Characters of a text where the record has little room."""

_SETTLED = 20
"""Maximum number of answered findings that are passed to later rounds."""


def last_rounds(last: Handover) -> tuple[EarlierRound, ...]:
    """Return the rounds for the next judges, from the record of the last run.

    A judge that did not run, or failed, has answered nothing: earlier open findings remain open.
    """
    judged = {item.verdict.approval_type: item for item in last.judged if not item.verdict.failed}
    earlier = {item.approval_type: item for item in last.earlier}
    rounds = {**earlier}
    for name, item in judged.items():
        settled = earlier[name].settled if name in earlier else ()
        rounds[name] = _round_of(item, last.target.head, settled)
    return tuple(round for round in rounds.values() if round.findings)


def _round_of(judged: Judged, commit: str, settled: tuple[EarlierFinding, ...]) -> EarlierRound:
    """Return the findings of a verdict, after those that were answered before."""
    findings = {item.id: item for item in settled[-_SETTLED:]}
    for item in judged.placed:
        if is_of_judge(item, judged):
            id = item.fingerprint
            findings.setdefault(id, EarlierFinding(id, item.finding, item.decline))
    return EarlierRound(judged.verdict.approval_type, commit, tuple(findings.values()))


def is_of_judge(item: PlacedFinding, judged: Judged) -> bool:
    """Return whether a finding is the judge's own, and not about its run: a timeout, a failure."""
    verdict = judged.verdict
    is_judged = item.finding.check in verdict.checks or item.fingerprint in verdict.earlier
    return bool(item.finding.path) and is_judged


def cut(rounds: Iterable[EarlierRound]) -> tuple[tuple[EarlierRound, ...], int]:
    """Return rounds with as many findings as one prompt takes, and how many errors are omitted."""
    short, omitted = [], 0
    for round in rounds:
        unanswered = worst_first(round.asked)
        short.append(round._replace(findings=(*round.settled, *unanswered[:MOST])))
        omitted += _errors(unanswered[MOST:])
    return tuple(short), omitted


def _errors(items: Iterable[EarlierFinding]) -> int:
    return sum(item.finding.severity == SEVERITIES[0] for item in items)


def with_unkept(handover: Handover) -> CarriedState:
    """Return the state if no record is written: it counts the errors of judges that are lost."""
    lost = sum(_errors(round.asked) for round in last_rounds(handover))
    carried = handover.carried
    return carried._replace(unkept=max(carried.unkept, lost))


def shortened(round: EarlierRound) -> EarlierRound:
    """Return a round with short texts, for a record with little room."""
    return round._replace(findings=tuple(map(_short, round.findings)))


def _short(item: EarlierFinding) -> EarlierFinding:
    message = one_line(item.finding.message, _SHORT)
    finding = item.finding._replace(message=message, help="", evidence="")
    reply = item.decline
    decline = reply and reply._replace(reason=one_line(reply.reason, _SHORT))
    return item._replace(finding=finding, decline=decline)
