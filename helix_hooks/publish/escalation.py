"""The escalation after a deadline: the people of the policy are called and assigned, once. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from ..decision.commands import APPROVE, REJECT, written
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.pull_request import Comment
from ..text.moment import moment
from ..text.sanitize import inline
from .steps import block

_MARK = "<!-- helix:escalated {head} {since} -->"


class Escalation(NamedTuple):
    """A comment, and whom GitHub is to ask: people by login, teams by the name behind the slash."""

    body: str
    people: tuple[str, ...]
    teams: tuple[str, ...]

    @property
    def mark(self) -> str:
        return self.body.rstrip().splitlines()[-1]


def escalation(
    handover: Handover, decision: Decision, comments: Iterable[Comment] = (), ours: int = 0
) -> Escalation | None:
    """Return the escalation to send; None if it is not due or was sent.

    The check run or one of our comments says that it was sent.
    """
    to = _turned_to(handover)
    mark = _MARK.format(head=handover.target.head, since=handover.carried.since)
    if not decision.escalated or handover.carried.escalated or not to:
        return None
    if any(item.by.id == ours and item.body.rstrip().endswith(mark) for item in comments):
        return None
    named = " ".join(
        f"@{name}" for name in to
    )  # from the policy of the base, which may call people
    asked = "".join(f"- {inline(reason.text)}\n" for reason in decision.asked)
    until = (
        f" If nobody decides before {moment(decision.due)}, the pull request is blocked."
        if decision.due
        else ""
    )
    head = handover.target.head
    body = (
        f"{named}: please decide about this pull request. Its deadline has passed.{until}\n\n"
        f"{asked}\n"
        f"{block(written(APPROVE, head))}\nor, with your reason in place of REASON:\n\n"
        f"{block(written(REJECT, 'REASON'))}\n{mark}"
    )
    people = tuple(name for name in to if "/" not in name)
    return Escalation(body, people, tuple(name.partition("/")[2] for name in to if "/" in name))


def _turned_to(handover: Handover) -> tuple[str, ...]:
    """Return the users and teams of the policy, and who stands in for one of these users now."""
    to, at = handover.policy.expiry.to, handover.carried.looked
    known = {name.casefold() for name in to}
    standing_in = {
        item.to.casefold(): item.to
        for item in handover.policy.deciders.delegates
        if item.giver.casefold() in known and item.is_active(at)
    }
    return (*to, *(name for folded, name in standing_in.items() if folded not in known))
