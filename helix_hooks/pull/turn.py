"""Notices to people, each once: when a question begins, and after its deadline. Pure."""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

from ..config.policy import Deciders
from ..decision import chain
from ..decision.chain import Chain
from ..decision.commands import APPROVE, REJECT, written
from ..decision.decide import Decision
from ..decision.decision_record import BY_TIME, EXPIRED
from ..decision.handover import Handover
from ..decision.pull_request import Comment, PullRequest
from ..decision.states import APPROVED, REJECTED
from ..text import inline, moment
from .links import Links
from .title import block

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


_ESCALATION_MARK = "<!-- helix:escalated {head} {since} -->"


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
    mark = _ESCALATION_MARK.format(head=handover.target.head, since=handover.carried.since)
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
