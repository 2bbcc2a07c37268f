"""When a deadline has passed and the policy says so, somebody is turned to, once: mentioned, asked for a review, and assigned."""

from collections.abc import Iterable
from typing import NamedTuple

from .facts import Comment
from .handover import Handover
from .harmless import inline
from .outcome import Outcome
from .page import moment
from .turn import block

_MARK = "<!-- helix:escalated {head} {since} -->"


class Escalation(NamedTuple):
    """A comment, and whom GitHub is to ask: people by login, teams by the name behind the slash."""

    body: str
    people: tuple[str, ...]
    teams: tuple[str, ...]

    @property
    def mark(self) -> str:
        return self.body.rstrip().splitlines()[-1]


def escalation(given: Handover, outcome: Outcome, comments: Iterable[Comment] = (), ours: int = 0) -> Escalation | None:
    """What is to be sent; None where it is not due, or was sent, as the check run or one of our comments says."""
    to = given.policy.expiry.to
    mark = _MARK.format(head=given.subject.head, since=given.kept.since)
    if not outcome.escalated or given.kept.escalated or not to:
        return None
    if any(item.by.id == ours and item.body.rstrip().endswith(mark) for item in comments):
        return None
    named = " ".join(f"@{name}" for name in to)  # from the policy of the base, which may call people
    asked = "".join(f"- {inline(reason.what)}\n" for reason in outcome.asked)
    until = f" If nobody decides until {moment(outcome.due)}, it is blocked." if outcome.due else ""
    head = given.subject.head
    body = (
        f"{named}: a person is asked about this, and nobody has decided in time.{until}\n\n{asked}\n"
        f"{block(f'/helix approve {head}')}\n{block('/helix reject REASON')}\nSay why instead of REASON.\n\n{mark}"
    )
    people = tuple(name for name in to if "/" not in name)
    return Escalation(body, people, tuple(name.partition("/")[2] for name in to if "/" in name))
