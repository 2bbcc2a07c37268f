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
    tally = _Tally()
    refused: dict[tuple[int, str, str], CountedVote] = {}
    last: dict[int, int] = {}
    for item in counted:
        vote, person = item.vote, item.vote.by.id
        if not vote.wrong:
            last[person] = vote.at
        key = (person, vote.kind, vote.finding)
        if item.refused:
            refused[key] = item
        else:
            refused.pop(key, None)
            tally.add(vote)
        if item.withdraws:
            tally.withdraw_objections(vote)
    return EffectiveVotes(
        approvals=_all(tally.approvals),
        objections=_all(tally.objections),
        overrides=tuple(tally.overrides),
        refused=tuple(refused.values()),
        last=tuple(last.items()),
    )


class _Tally:
    """The votes in effect so far; approvals and objections by the number of the person."""

    def __init__(self) -> None:
        self.approvals: dict[int, list[Vote]] = defaultdict(list)
        self.objections: dict[int, list[Vote]] = defaultdict(list)
        self.overrides: list[Vote] = []

    def add(self, vote: Vote) -> None:
        person = vote.by.id
        if vote.kind == OVERRIDE:
            self.overrides.append(vote)
        elif vote.kind == APPROVE:
            self.withdraw_objections(vote)
            self.approvals[person].append(vote)
        elif vote.kind == REJECT:
            earlier = self.approvals[person]
            self.approvals[person] = [old for old in earlier if not _overlap(old, vote)]
            explained = [old for old in self.objections[person] if not old.is_unexplained]
            self.objections[person] = [*explained, vote]
        else:  # a review that was dismissed
            self.approvals[person] = []

    def withdraw_objections(self, vote: Vote) -> None:
        """Remove a person's objections about which they now approve."""
        earlier = self.objections[vote.by.id]
        self.objections[vote.by.id] = [old for old in earlier if not _is_within(old, vote)]


def _all(by_person: dict[int, list[Vote]]) -> tuple[Vote, ...]:
    return tuple(vote for votes in by_person.values() for vote in votes)


def _is_within(old: Vote, new: Vote) -> bool:
    """Return whether a new vote is about everything that an old one is about."""
    return not new.types or (bool(old.types) and set(old.types) <= set(new.types))


def _overlap(old: Vote, new: Vote) -> bool:
    """Return whether two votes have an approval type in common; () are all types."""
    return not old.types or not new.types or bool(set(old.types) & set(new.types))
