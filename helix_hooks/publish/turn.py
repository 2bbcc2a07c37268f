"""The call to the deciders when a question begins: once for each question.

Pure. A mark in our comment says at which decision of the chain they were called. They are called
again only after a decision that ended their turn, or after approvals that do not count any more.
"""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

from ..config.policy import Deciders
from ..decision import chain
from ..decision.chain import Chain
from ..decision.commands import APPROVE
from ..decision.decide import Decision
from ..decision.decision_record import BY_TIME, EXPIRED
from ..decision.handover import Handover
from ..decision.pull_request import PullRequest
from ..decision.states import APPROVED, REJECTED
from ..text.moment import moment
from ..text.sanitize import inline
from .links import Links

_MARK = "<!-- helix:turn {head} {line} -->"
_MARKED = re.compile(r"<!-- helix:turn [0-9a-f]{40,64} ([0-9]{1,6}) -->")
_ENDED = (APPROVED, BY_TIME, REJECTED, EXPIRED)
"""Statuses of recorded decisions after which it is somebody else's turn, or nobody's."""

_MOST = 15
"""People that are called; GitHub takes no more reviewers of a pull request."""


class Turn(NamedTuple):
    """A comment, and whom GitHub is to ask for a review: people by login, teams by the name behind
    the slash.
    """

    body: str
    people: tuple[str, ...]
    teams: tuple[str, ...]

    @property
    def mark(self) -> str:
        return self.body.rstrip().splitlines()[-1]


def turn(
    handover: Handover,
    decision: Decision,
    pull: PullRequest,
    ours: int,
    decisions: Chain,
    to: Links,
) -> Turn | None:
    """Return the call to send; None without a question or named deciders, or after an earlier call.

    `decisions` are all that are recorded, with this one.
    """
    policy = handover.policy
    is_quiet = handover.target.draft or handover.target.merges or decision.escalated
    if not (policy.requests_reviews and decision.asked and decisions.lines) or is_quiet:
        return None
    called = _called(pull, ours)
    if called is not None and not _begins_anew(decisions, called):
        return None
    people = _people(policy.deciders, pull)
    teams = policy.deciders.teams
    if not (people or teams):
        return None
    named = " ".join(f"@{name}" for name in (*people, *teams))  # the policy of the base names them
    asked = "".join(f"- {inline(reason.text)}\n" for reason in decision.asked)
    until = f" until {moment(decision.due)}" if decision.due else ""
    body = (
        f"{named}: please decide about this pull request{until}. "
        f"How is in {to.page('the comment of this gate')}.\n\n{asked}\n"
        f"{_MARK.format(head=handover.target.head, line=decisions.length)}"
    )
    return Turn(body, people, tuple(team.partition("/")[2] for team in teams))


def _called(pull: PullRequest, ours: int) -> int | None:
    """Return the number of the decision at which people were called last, None for never."""
    bodies = (item.body.rstrip().splitlines() for item in pull.comments if item.by.id == ours)
    marks = (_MARKED.fullmatch(lines[-1]) for lines in bodies if lines)
    return max((int(mark[1]) for mark in marks if mark), default=None)


def _begins_anew(decisions: Chain, called: int) -> bool:
    """Return whether a turn ended since a call, or approvals were lost since."""
    numbered = enumerate(map(chain.fields_of, decisions.lines), decisions.dropped + 1)
    lines = [fields for number, fields in numbered if number >= called]
    has_ended = any(fields.get("status") in _ENDED for fields in lines[:-1])
    return has_ended or any(_approvers(old) - _approvers(new) for old, new in pairwise(lines))


def _approvers(fields: Mapping[str, object]) -> set[int]:
    votes = fields.get("votes")
    listed = votes if isinstance(votes, list) else []
    known = (vote for vote in listed if isinstance(vote, dict) and vote.get("said") == APPROVE)
    return {number for vote in known if isinstance(number := vote.get("by_id"), int)}


def _people(deciders: Deciders, pull: PullRequest) -> tuple[str, ...]:
    """Return the named deciders and their current delegates, without the author."""
    standing_in = (item.to for item in deciders.delegates if item.is_active(pull.now))
    names = {name.casefold(): name for name in (*deciders.people, *standing_in)}
    names.pop(pull.author.login.casefold(), None)
    return tuple(names.values())[:_MOST]
