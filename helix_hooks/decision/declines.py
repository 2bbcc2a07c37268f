"""Replies of authors to findings of judges: `/helix decline`. Pure.

A reply stops nothing. The next judge is told of it, and those who decide see it. It is read anew
from the comments each time; one that was edited does not count, since GitHub does not tell by whom.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ..text.masking import NO_SECRETS, masked
from ..verdict.earlier import Decline, EarlierFinding
from .authors import wrote
from .commands import DECLINE, Command, commands
from .handover import Handover, Judged, PlacedFinding
from .last_rounds import is_of_judge
from .pull_request import EDITED, Comment, Commit, Person

_MOST = 1_000
"""Characters of a reason."""

_SETTLED = "{} is settled: the judge has said that it is {}"


class AuthorReply(NamedTuple):
    """A command to decline a finding, and why it does not count, "" where it does."""

    comment: Comment
    command: Command
    refused: str = ""


def replies(comments: Iterable[Comment]) -> tuple[AuthorReply, ...]:
    """Return all replies that were written, in their order. A bot has none."""
    return tuple(
        AuthorReply(
            comment, command, (EDITED if comment.edited else comment.doubt) or command.wrong
        )
        for comment in comments
        if not comment.by.is_bot
        for command in commands(comment.body)
        if command.name == DECLINE
    )


def declinable(handover: Handover) -> dict[str, PlacedFinding | EarlierFinding]:
    """Return the findings that may be declined, by fingerprint.

    These are what judges found at this head, and earlier ones about which no judge was asked here.
    """
    earlier = {item.id: item for round in handover.earlier for item in round.asked}
    unanswered = {id: item for id, item in earlier.items() if not item.answer}
    found = {
        item.fingerprint: item
        for judged in handover.judged
        for item in judged.placed
        if is_of_judge(item, judged)
    }
    return {**unanswered, **found}


def refused(
    reply: AuthorReply, handover: Handover, author: Person, commits: Iterable[Commit]
) -> str:
    """Return why a reply does not count, "" where it does.

    The `author` of the pull request may reply, and whoever wrote one of its `commits`.
    """
    if reply.refused:
        return reply.refused
    by = reply.comment.by
    if by.id != author.id and not any(wrote(by, commit) for commit in commits):
        return (
            f"only who wrote the change declines its findings, and @{by.login} did not; who may "
            "decide can override a finding, where the policy lets them, or approve"
        )
    return _unknown(reply.command.argument, handover)


def _unknown(start: str, handover: Handover) -> str:
    """Return why the beginning of a fingerprint names no finding that can be declined."""
    known = [id for id in declinable(handover) if id.startswith(start)]
    if len(known) == 1:
        return ""
    if known:
        return f"{start} is the beginning of several findings"
    if any(item.fingerprint.startswith(start) for item in handover.rule_findings):
        return f"{start} is a finding of a rule, which no judge weighs; fix it"
    if any(item.fingerprint.startswith(start) for item in handover.indicators):
        return f"{start} is a sign that somebody steers the judge, about which a person decides"
    for item in (item for round in handover.earlier for item in round.findings):
        if item.id.startswith(start):
            return _SETTLED.format(start, item.answer)
    return f"{start} is no finding of a judge here"


def declines(handover: Handover, counted: Iterable[AuthorReply]) -> dict[str, Decline]:
    """Return the replies that count by the finding that they are about; the last one of each."""
    known = declinable(handover)
    found = {}
    for reply in counted:
        for id in known:
            if id.startswith(reply.command.argument):
                found[id] = _decline(reply)
    return found


def _decline(reply: AuthorReply) -> Decline:
    comment = reply.comment
    reason = masked(reply.command.words, NO_SECRETS)[:_MOST]
    return Decline(comment.by.login, comment.by.id, comment.at, comment.id, reason)


def with_declines(handover: Handover, found: Mapping[str, Decline]) -> Handover:
    """Return a hand-over with these replies beside their findings, and without any others.

    What a judge of this run was told, and has answered, stays.
    """
    judged = tuple(_judged(item, found) for item in handover.judged)
    earlier = tuple(
        round._replace(findings=tuple(_earlier(round.findings, found)))
        for round in handover.earlier
    )
    return handover._replace(judged=judged, earlier=earlier)


def _judged(judged: Judged, found: Mapping[str, Decline]) -> Judged:
    placed = tuple(
        item._replace(decline=found.get(item.fingerprint)) if item.finding.path else item
        for item in judged.placed
    )
    return judged._replace(placed=placed)


def _earlier(
    findings: Iterable[EarlierFinding], found: Mapping[str, Decline]
) -> Iterator[EarlierFinding]:
    for item in findings:
        yield item if item.answer else item._replace(decline=found.get(item.id))


def all_declines(handover: Handover) -> dict[str, tuple[Decline, str]]:
    """Return all replies of a hand-over by finding, the newest of each, with what the judge has
    said to it, "" for nothing.
    """
    told = {
        item.id: (item.decline, item.answer)
        for round in handover.earlier
        for item in round.findings
        if item.decline
    }
    placed = (item for judged in handover.judged for item in judged.placed)
    now = {item.fingerprint: (item.decline, "") for item in placed if item.decline}
    newer = {id: item for id, item in now.items() if id not in told or told[id][0] != item[0]}
    return {**told, **newer}
