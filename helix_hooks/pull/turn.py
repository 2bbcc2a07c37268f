"""Calls to people, each once: when a question begins, and after its deadline. Pure."""

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple

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
from .markdown import block

_MARKED = re.compile(r"<!-- helix:turn [0-9a-f]{40,64} ([0-9]{1,6}) -->")
_ENDED = (APPROVED, BY_TIME, REJECTED, EXPIRED)
"""Statuses of recorded decisions after which the deciders have nothing to do."""

_MOST = 15
"""Maximum number of people that are notified: GitHub's limit of reviewers of a pull request."""


class Call(NamedTuple):
    """A comment, and the people that it calls by login, teams by the part after the slash."""

    body: str
    people: tuple[str, ...]
    teams: tuple[str, ...]

    @property
    def mark(self) -> str:
        return self.body.rstrip().splitlines()[-1]


def _call(decision: Decision, names: tuple[str, ...], text: str, end: str) -> Call:
    """Return a call to users and teams (`org/team`): the `text`, the questions, and the `end`."""
    # The names come from the policy of the base, so a pull request can't mention anybody else.
    mentions = " ".join(f"@{name}" for name in names)
    questions = "".join(f"- {inline(reason.text)}\n" for reason in decision.asked)
    body = f"{mentions}: please decide on this pull request{text}\n\n{questions}\n{end}"
    people = tuple(name for name in names if "/" not in name)
    teams = tuple(name.partition("/")[2] for name in names if "/" in name)
    return Call(body, people, teams)


def turn(
    handover: Handover,
    decision: Decision,
    pull: PullRequest,
    ours: int,
    decisions: Chain,
    to: Links,
) -> Call | None:
    """Return the request to decide; None without a question or named deciders, or after an earlier
    request.

    `decisions` are all recorded ones, including this one.
    """
    target, deciders = handover.target, handover.policy.deciders
    if target.draft or target.merges or not handover.policy.requests_reviews:
        return None
    if decision.escalated or not decision.asked or not decisions.lines:
        return None
    notified = _last_notified(pull, ours)
    if notified is not None and not _has_new_turn(decisions, notified):
        return None
    delegates = (item.to for item in deciders.delegates if item.is_active(pull.now))
    names = {name.casefold(): name for name in (*deciders.people, *delegates)}
    names.pop(pull.author.login.casefold(), None)
    called = (*[*names.values()][:_MOST], *deciders.teams)
    if not called:
        return None
    until = f" until {moment(decision.due)}" if decision.due else ""
    text = f"{until}. See {to.page('the helix comment')} for the commands."
    mark = f"<!-- helix:turn {target.head} {decisions.length} -->"
    return _call(decision, called, text, mark)


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


def escalation(
    handover: Handover, decision: Decision, comments: Iterable[Comment] = (), ours: int = 0
) -> Call | None:
    """Return the escalation to send; None if it is not due or was sent.

    It calls the users and teams of the policy, and the current delegates of these users. The check
    run or one of our comments records that it was sent.
    """
    carried, policy, head = handover.carried, handover.policy, handover.target.head
    if not decision.escalated or carried.escalated or not policy.expiry.to:
        return None
    mark = f"<!-- helix:escalated {head} {carried.since} -->"
    if any(item.body.rstrip().endswith(mark) for item in comments if item.by.id == ours):
        return None
    named = {name.casefold() for name in policy.expiry.to}
    delegates: dict[str, str] = {}
    for item in policy.deciders.delegates:
        if item.giver.casefold() in named and item.is_active(carried.looked):
            delegates[item.to.casefold()] = item.to
    names = (*policy.expiry.to, *(to for folded, to in delegates.items() if folded not in named))
    text = ". Its deadline has passed."
    if decision.due:
        text += f" If nobody decides before {moment(decision.due)}, the pull request is blocked."
    commands = (
        f"{block(written(APPROVE, head))}\nor, with your reason in place of REASON:\n\n"
        f"{block(written(REJECT, 'REASON'))}"
    )
    return _call(decision, names, text, f"{commands}\n{mark}")
