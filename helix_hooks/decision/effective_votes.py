"""The votes in effect: a later vote of a person replaces an earlier one about the same. Pure."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from .commands import APPROVE, OVERRIDE, REJECT
from .counting import CountedVote
from .run_state import Objection
from .votes import Vote


class EffectiveVotes(NamedTuple):
    """The votes that count, and those that do not; of each person the last one about the same.

    `last` is the time of each person's last vote, by the person's number.
    """

    approvals: tuple[Vote, ...] = ()
    objections: tuple[Vote, ...] = ()
    overrides: tuple[Vote, ...] = ()
    refused: tuple[CountedVote, ...] = ()
    last: tuple[tuple[int, int], ...] = ()

    def remembered(self) -> tuple[Objection, ...]:
        """Return the last objection of each person, for the next run."""
        last = {vote.by.id: vote for vote in sorted(self.objections, key=lambda vote: vote.at)}
        return tuple(
            Objection(vote.source, vote.at, vote.by.id, vote.by.login) for vote in last.values()
        )


def effective_votes(counted: Iterable[CountedVote]) -> EffectiveVotes:
    """Return the votes in effect, from all votes in their order."""
    approvals: dict[int, list[Vote]] = defaultdict(list)
    objections: dict[int, list[Vote]] = defaultdict(list)
    overrides: list[Vote] = []
    refused: dict[tuple[int, str, str], CountedVote] = {}
    last: dict[int, int] = {}
    for item in counted:
        vote, person = item.vote, item.vote.by.id
        if not vote.wrong:
            last[person] = vote.at
        # Before the vote is refused: the approval of an author takes back their objection.
        if vote.kind == APPROVE and (item.withdraws or not item.refused):
            objections[person] = [old for old in objections[person] if not _is_within(old, vote)]
        key = (person, vote.kind, vote.finding)
        if item.refused:
            refused[key] = item
            continue
        refused.pop(key, None)
        if vote.kind == OVERRIDE:
            overrides.append(vote)
        elif vote.kind == APPROVE:
            approvals[person].append(vote)
        elif vote.kind == REJECT:
            approvals[person] = [old for old in approvals[person] if not _overlap(old, vote)]
            objections[person].append(vote)
        else:  # a review that was dismissed
            approvals[person] = []
    return EffectiveVotes(
        approvals=_all(approvals),
        objections=_all(objections),
        overrides=tuple(overrides),
        refused=tuple(refused.values()),
        last=tuple(last.items()),
    )


def _all(by_person: dict[int, list[Vote]]) -> tuple[Vote, ...]:
    return tuple(vote for votes in by_person.values() for vote in votes)


def _is_within(old: Vote, new: Vote) -> bool:
    """Return whether a new vote is about everything that an old one is about."""
    return not new.types or (bool(old.types) and set(old.types) <= set(new.types))


def _overlap(old: Vote, new: Vote) -> bool:
    """Return whether two votes have an approval type in common; () are all types."""
    return not old.types or not new.types or bool(set(old.types) & set(new.types))
