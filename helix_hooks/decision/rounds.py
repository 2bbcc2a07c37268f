"""The rounds of judges on a pull request: rejections, findings, and the author's replies. Pure.

After some rejections a person decides. A reply (`/helix decline`) changes no decision: the next
judge and the deciders read it. Replies are read again from the comments each time. An edited one
does not count, since GitHub does not tell who edited it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..config.policy import MOST_ROUNDS
from ..finding import SEVERITIES
from ..text import counted, one_line
from ..text.masking import NO_SECRETS, masked
from ..verdict.approval_result import APPROVED, ApprovalResult
from ..verdict.earlier import MOST, Decline, EarlierFinding, EarlierRound, worst_first
from .authors import wrote
from .commands import DECLINE, Command, commands
from .handover import Handover, Judged, PlacedFinding
from .pull_request import EDITED, Comment, Commit, Person
from .run_state import CarriedState, RejectedRound

_NAME = 16
"""Characters of the name of a commit."""


def with_rounds(
    earlier: Iterable[RejectedRound], new: Iterable[RejectedRound]
) -> tuple[RejectedRound, ...]:
    """Return all rounds, each once; for each type as many as a policy can allow."""
    numbers: Counter[str] = Counter()
    rounds = []
    for round in dict.fromkeys((*earlier, *new)):
        numbers[round.approval_type] += 1
        if numbers[round.approval_type] <= MOST_ROUNDS:
            rounds.append(round)
    return tuple(rounds)


def rejected(head: str, verdicts: Iterable[ApprovalResult]) -> tuple[RejectedRound, ...]:
    """Return the rounds that a run adds. A judge that failed has rejected nothing."""
    return tuple(
        RejectedRound(verdict.approval_type, head[:_NAME])
        for verdict in verdicts
        if not verdict.failed and verdict.result != APPROVED
    )


def exhausted(handover: Handover) -> str:
    """Return why no further judge runs; "" if one may run.

    Rejections of the head itself count, since it may be pushed again. A person with the right to
    request a run gets another round.
    """
    if handover.is_requested:
        return ""
    numbers = Counter(item.approval_type for item in handover.carried.rounds)
    most = handover.policy.max_rounds
    for name, number in numbers.items():
        if number >= most:
            rounds = counted(number, "round")
            return f"{name} was rejected in {rounds} (policy.max_rounds: {most})"
    return ""


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


_MOST = 1_000
"""Maximum characters of a reason."""

_CLOSED = "{} is closed: the judge marked it as {}"


class AuthorReply(NamedTuple):
    """A command to decline a finding, and the reason why it does not count, "" if it does."""

    comment: Comment
    command: Command
    refused: str = ""


def replies(comments: Iterable[Comment]) -> tuple[AuthorReply, ...]:
    """Return all replies in their order. A bot has none."""
    return tuple(_replies(comments))


def _replies(comments: Iterable[Comment]) -> Iterator[AuthorReply]:
    for comment in comments:
        if comment.by.is_bot:
            continue
        doubt = EDITED if comment.edited else comment.doubt
        for command in commands(comment.body):
            if command.name == DECLINE:
                yield AuthorReply(comment, command, doubt or command.wrong)


def declinable(handover: Handover) -> dict[str, PlacedFinding | EarlierFinding]:
    """Return the findings that may be declined, by fingerprint.

    These are the findings of judges at this head, and earlier ones that no judge answered here.
    """
    findings: dict[str, PlacedFinding | EarlierFinding] = {}
    for round in handover.earlier:
        findings |= {item.id: item for item in round.asked if not item.answer}
    for judged in handover.judged:
        current = [item for item in judged.placed if is_of_judge(item, judged)]
        findings |= {item.fingerprint: item for item in current}
    return findings


def refused(
    reply: AuthorReply, handover: Handover, author: Person, commits: Iterable[Commit]
) -> str:
    """Return why a reply does not count, "" if it does.

    The `author` of the pull request and the authors of its `commits` may reply.
    """
    if reply.refused:
        return reply.refused
    by = reply.comment.by
    if by.id != author.id and not any(wrote(by, commit) for commit in commits):
        return (
            f"only authors of the change can decline findings, and @{by.login} is not one; "
            "approvers can use `/helix override` or `/helix approve`"
        )
    return _unknown(reply.command.argument, handover)


def _unknown(start: str, handover: Handover) -> str:
    """Return why the beginning of a fingerprint names no finding that can be declined, or ""."""
    matches = [id for id in declinable(handover) if id.startswith(start)]
    if len(matches) == 1:
        return ""
    if matches:
        return f"{start} is the beginning of several findings"
    if _is_one_of(handover.rule_findings, start):
        return f"{start} is a finding of a rule and cannot be declined; fix it"
    if _is_one_of(handover.indicators, start):
        return f"{start} is a possible prompt injection and cannot be declined; a person decides"
    return _settled(start, handover) or f"{start} is not a finding of a judge at this commit"


def _settled(start: str, handover: Handover) -> str:
    """Return that a finding of an earlier round was answered; "" if there is none."""
    for round in handover.earlier:
        for item in round.findings:
            if item.id.startswith(start):
                return _CLOSED.format(start, item.answer)
    return ""


def _is_one_of(placed: Iterable[PlacedFinding], start: str) -> bool:
    return any(item.fingerprint.startswith(start) for item in placed)


def declines(handover: Handover, counted: Iterable[AuthorReply]) -> dict[str, Decline]:
    """Return the last reply that counts to each finding, by fingerprint."""
    fingerprints = declinable(handover)
    declines = {}
    for reply in counted:
        for id in fingerprints:
            if id.startswith(reply.command.argument):
                declines[id] = _decline(reply)
    return declines


def _decline(reply: AuthorReply) -> Decline:
    comment = reply.comment
    reason = masked(reply.command.words, NO_SECRETS)[:_MOST]
    return Decline(comment.by.login, comment.by.id, comment.at, comment.id, reason)


def with_declines(handover: Handover, declines: Mapping[str, Decline]) -> Handover:
    """Return a hand-over whose findings have these replies and no others.

    Replies that a judge of this run has answered remain.
    """
    judged = tuple(_judged(item, declines) for item in handover.judged)
    earlier = tuple(
        round._replace(findings=tuple(_earlier(round.findings, declines)))
        for round in handover.earlier
    )
    return handover._replace(judged=judged, earlier=earlier)


def _judged(judged: Judged, declines: Mapping[str, Decline]) -> Judged:
    # A finding without a path is an error of the judge, which nobody declines.
    placed = tuple(
        item._replace(decline=declines.get(item.fingerprint)) if item.finding.path else item
        for item in judged.placed
    )
    return judged._replace(placed=placed)


def _earlier(
    findings: Iterable[EarlierFinding], declines: Mapping[str, Decline]
) -> Iterator[EarlierFinding]:
    for item in findings:
        yield item if item.answer else item._replace(decline=declines.get(item.id))


def all_declines(handover: Handover) -> dict[str, tuple[Decline, str]]:
    """Return the newest reply to each finding, with the judge's answer to it, "" for none."""
    replies: dict[str, tuple[Decline, str]] = {}
    for round in handover.earlier:
        for item in round.findings:
            if item.decline:
                replies[item.id] = (item.decline, item.answer)
    for judged in handover.judged:
        for placed in judged.placed:
            if placed.decline and _is_new(placed.decline, replies.get(placed.fingerprint)):
                replies[placed.fingerprint] = (placed.decline, "")
    return replies


def _is_new(decline: Decline, answered: tuple[Decline, str] | None) -> bool:
    """Return whether a reply is not the one that a judge has answered already."""
    return answered is None or answered[0] != decline
