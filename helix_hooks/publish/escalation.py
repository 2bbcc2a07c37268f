"""The escalation after a deadline: people of the policy are mentioned and assigned, once. Pure."""

from collections.abc import Iterable
from typing import NamedTuple

from ..decision.commands import APPROVE, REJECT, written
from ..decision.decide import Decision
from ..decision.handover import Handover
from ..decision.pull_request import Comment
from ..text import inline, moment
from .steps import block

_MARK = "<!-- helix:escalated {head} {since} -->"


class Escalation(NamedTuple):
    """A comment, and the assignees: people by login, teams by the part after the slash."""

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

    The check run or one of our comments records that it was sent.
    """
    to = _recipients(handover)
    if not decision.escalated or handover.carried.escalated or not to:
        return None
    mark = _MARK.format(head=handover.target.head, since=handover.carried.since)
    if any(item.body.rstrip().endswith(mark) for item in comments if item.by.id == ours):
        return None
    people = tuple(name for name in to if "/" not in name)
    return Escalation(_body(handover, decision, to, mark), people, _teams(to))


def _teams(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.partition("/")[2] for name in names if "/" in name)


def _body(handover: Handover, decision: Decision, to: tuple[str, ...], mark: str) -> str:
    # The names come from the policy of the base, so a pull request can't mention anybody else.
    names = " ".join(f"@{name}" for name in to)
    questions = "".join(f"- {inline(reason.text)}\n" for reason in decision.asked)
    until = ""
    if decision.due:
        until = f" If nobody decides before {moment(decision.due)}, the pull request is blocked."
    head = handover.target.head
    return (
        f"{names}: please decide on this pull request. Its deadline has passed.{until}\n\n"
        f"{questions}\n"
        f"{block(written(APPROVE, head))}\nor, with your reason in place of REASON:\n\n"
        f"{block(written(REJECT, 'REASON'))}\n{mark}"
    )


def _recipients(handover: Handover) -> tuple[str, ...]:
    """Return the users and teams of the policy, and the current delegates of these users."""
    to, at = handover.policy.expiry.to, handover.carried.looked
    names = {name.casefold() for name in to}
    delegates: dict[str, str] = {}
    for item in handover.policy.deciders.delegates:
        if item.giver.casefold() in names and item.is_active(at):
            delegates[item.to.casefold()] = item.to
    return (*to, *(name for folded, name in delegates.items() if folded not in names))
