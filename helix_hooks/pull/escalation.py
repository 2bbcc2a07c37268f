"""When a deadline has passed and the policy says so, somebody is turned to, once: mentioned, asked for a review, and assigned."""

from typing import NamedTuple

from .handover import Handover
from .harmless import inline
from .outcome import Outcome
from .page import moment

_MARK = "<!-- helix:escalated {head} -->"


class Escalation(NamedTuple):
    """A comment, and whom GitHub is to ask: people by login, teams by the name behind the slash."""

    body: str
    people: tuple[str, ...]
    teams: tuple[str, ...]

    @property
    def mark(self) -> str:
        return self.body.rstrip().splitlines()[-1]


def escalation(given: Handover, outcome: Outcome) -> Escalation | None:
    """What is to be sent; None where it is not due, or was sent."""
    to = given.policy.expiry.to
    if not outcome.escalated or given.kept.escalated or not to:
        return None
    named = " ".join(f"@{name}" for name in to)  # from the policy of the base, which may call people
    asked = "".join(f"- {inline(reason.what)}\n" for reason in outcome.reasons)
    until = f" If nobody does until {moment(outcome.due)}, it is blocked." if outcome.due else ""
    head = given.subject.head[:7]
    body = (
        f"{named}: a person is asked about this, and nobody has decided in time.{until}\n\n{asked}\n```\n/helix approve {head}\n"
        f"/helix reject REASON\n```\n\n{_MARK.format(head=given.subject.head)}"
    )
    people = tuple(name for name in to if "/" not in name)
    return Escalation(body, people, tuple(name.partition("/")[2] for name in to if "/" in name))
