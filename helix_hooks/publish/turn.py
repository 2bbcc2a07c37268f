"""The request to the deciders when a question begins: once for each question. Pure.

A mark in our comment has the number of the decision at which they were notified. They are notified
again only after a decision that ended their turn, or after approvals that no longer count.
"""

import re
from collections.abc import Iterable, Mapping
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
from ..text import inline, moment
from .links import Links

_MARK = "<!-- helix:turn {head} {line} -->"
_MARKED = re.compile(r"<!-- helix:turn [0-9a-f]{40,64} ([0-9]{1,6}) -->")
_ENDED = (APPROVED, BY_TIME, REJECTED, EXPIRED)
"""Statuses of recorded decisions after which the deciders have nothing to do."""

_MOST = 15
"""Maximum number of people that are notified: GitHub's limit of reviewers of a pull request."""


class Turn(NamedTuple):
    """A comment, and the reviewers: people by login, teams by the part after the slash."""

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
    """Return the request to send; None without a question or named deciders, or after an earlier
    request.

    `decisions` are all recorded ones, including this one.
    """
    if not decisions.lines or not _may_notify(handover, decision):
        return None
    notified = _last_notified(pull, ours)
    if notified is not None and not _has_new_turn(decisions, notified):
        return None
    people = _people(handover.policy.deciders, pull)
    teams = handover.policy.deciders.teams
    if not (people or teams):
        return None
    body = (
        f"{_request(decision, (*people, *teams), to)}\n"
        f"{_MARK.format(head=handover.target.head, line=decisions.length)}"
    )
    return Turn(body, people, tuple(team.partition("/")[2] for team in teams))


def _request(decision: Decision, names: Iterable[str], to: Links) -> str:
    # The names come from the policy of the base, so a pull request can't mention anybody else.
    mentions = " ".join(f"@{name}" for name in names)
    questions = "".join(f"- {inline(reason.text)}\n" for reason in decision.asked)
    until = f" until {moment(decision.due)}" if decision.due else ""
    return (
        f"{mentions}: please decide on this pull request{until}. "
        f"See {to.page('the helix comment')} for the commands.\n\n{questions}"
    )


def _may_notify(handover: Handover, decision: Decision) -> bool:
    if handover.target.draft or handover.target.merges or decision.escalated:
        return False
    return handover.policy.requests_reviews and bool(decision.asked)


def _last_notified(pull: PullRequest, ours: int) -> int | None:
    """Return the number of the decision at which people were last notified, None for never."""
    numbers = []
    for item in pull.comments:
        lines = item.body.rstrip().splitlines()
        mark = _MARKED.fullmatch(lines[-1]) if lines and item.by.id == ours else None
        if mark:
            numbers.append(int(mark[1]))
    return max(numbers, default=None)


def _has_new_turn(decisions: Chain, notified: int) -> bool:
    """Return whether a turn ended, or approvals were lost, since a notification."""
    numbered = enumerate(map(chain.fields_of, decisions.lines), decisions.dropped + 1)
    lines = [fields for number, fields in numbered if number >= notified]
    has_ended = any(fields.get("status") in _ENDED for fields in lines[:-1])
    return has_ended or any(_approvers(old) - _approvers(new) for old, new in pairwise(lines))


def _approvers(fields: Mapping[str, object]) -> set[int]:
    """Return the numbers of the users who approve in a recorded decision."""
    votes = fields.get("votes")
    if not isinstance(votes, list):
        return set()
    approvals = [vote for vote in votes if isinstance(vote, dict) and vote.get("said") == APPROVE]
    return {number for vote in approvals if isinstance(number := vote.get("by_id"), int)}


def _people(deciders: Deciders, pull: PullRequest) -> tuple[str, ...]:
    """Return the named deciders and their current delegates, without the author."""
    delegates = (item.to for item in deciders.delegates if item.is_active(pull.now))
    names = {name.casefold(): name for name in (*deciders.people, *delegates)}
    names.pop(pull.author.login.casefold(), None)
    return tuple(names.values())[:_MOST]
