"""The votes that count at the end.

A later vote of a person takes back an earlier one, where both are about the same. Pure.
"""

from collections.abc import Iterable
from typing import NamedTuple

from .commands import APPROVE, OVERRIDE, REJECT
from .counting import CountedVote
from .run_state import Objection
from .votes import Vote


class EffectiveVotes(NamedTuple):
    """The votes that count, and those that do not; of each person the last one about the same.

    `last` is when each person, by number, has voted last.
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
    """Return the votes that count after all of them, given in their order."""
    approvals: dict[int, list[Vote]] = {}
    objections: dict[int, list[Vote]] = {}
    overrides: list[Vote] = []
    refused: dict[tuple[int, str, str], CountedVote] = {}
    last: dict[int, int] = {}
    for item in counted:
        vote, person = item.vote, item.vote.by.id
        key = (person, vote.kind, vote.finding)
        if not vote.wrong:
            last[person] = vote.at
        if item.refused:
            refused[key] = item
        else:
            refused.pop(key, None)
        if vote.kind == APPROVE and (item.withdraws or not item.refused):
            objections[person] = [
                old for old in objections.get(person, []) if not _is_within(old, vote)
            ]
        if item.refused:
            continue
        if vote.kind == OVERRIDE:
            overrides.append(vote)
        elif vote.kind == APPROVE:
            approvals.setdefault(person, []).append(vote)
        else:
            stands = vote.kind == REJECT
            approvals[person] = [
                old for old in approvals.get(person, []) if stands and not _overlap(old, vote)
            ]
            objections.setdefault(person, []).extend([vote] if stands else [])
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
    return not old.types or not new.types or bool(set(old.types) & set(new.types))
