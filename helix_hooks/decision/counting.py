"""Tell for each vote whether it counts, and why not. Pure.

A vote counts if its voter may decide, is about what is there now, and did not write what is
decided. An approval is bound to the commit that was looked at. It never comes from an author,
committer or co-author of a commit, nor from a bot under any name. Nothing of this is stored: it is
computed anew from what GitHub has.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..adr.rules.gate.gate_relaxed import GATE_RELAXED
from ..config.delegates import givers_to
from ..config.policy import CONTENT, ROLES, Deciders
from .authors import is_author, wrote
from .commands import APPROVE, OVERRIDE, REJECT
from .handover import Handover
from .pull_request import PullRequest
from .rights import Right, VoterFacts, giver_of, lacks_right, right_of
from .votes import TAKEN_BACK, Vote, votes_of

__all__ = ["CountedVote", "VoterFacts", "count_votes", "lacks_right"]

DECIDER, AUTHOR, OTHER, STRANGER = "decider", "author", "other", "stranger"
"""Kinds of voters: who may decide; who may decide and wrote part of the change; who has another
role; who has no role or may only read, or is a bot.
"""


class CountedVote(NamedTuple):
    """A vote, and why it does not count ("" where it does).

    An approval that does not count, since its voter wrote part of the change, still `withdraws`
    what they objected to before. `speaker` is the kind of the voter.
    """

    vote: Vote
    refused: str = ""
    withdraws: bool = False
    speaker: str = DECIDER


class _Facts(NamedTuple):
    """The facts that a vote is checked against."""

    handover: Handover
    pull: PullRequest
    voters: VoterFacts

    @property
    def deciders(self) -> Deciders:
        return self.handover.deciders


def count_votes(
    handover: Handover, pull: PullRequest, voters: VoterFacts
) -> tuple[CountedVote, ...]:
    """Return all votes in their order, each with the reason if it does not count."""
    facts = _Facts(handover, pull, voters)
    return tuple(_counted(vote, facts) for vote in votes_of(pull, handover.carried.objections))


def _counted(vote: Vote, facts: _Facts) -> CountedVote:
    why = _refused(vote, facts)
    if not why:
        vote = vote._replace(stands_for=giver_of(_right(vote, facts).text))
    return CountedVote(vote, why, bool(why) and _withdraws(vote, facts), _speaker(vote, facts))


def _speaker(vote: Vote, facts: _Facts) -> str:
    """Return the kind of a voter. Somebody whose role was not fetched is a stranger."""
    if vote.by.is_bot:
        return STRANGER
    if _of_role(vote, facts):
        role = facts.voters.roles.get(vote.by.login, "")
        return STRANGER if role in ("", "none", ROLES[0]) else OTHER
    is_sole = vote.by.login.casefold() == facts.deciders.sole.casefold()
    is_opener = vote.by.id == facts.pull.author.id
    has_written = is_opener or any(wrote(vote.by, commit) for commit in facts.voters.commits)
    return AUTHOR if has_written and not is_sole else DECIDER


def _withdraws(vote: Vote, facts: _Facts) -> bool:
    if vote.kind != APPROVE or vote.by.is_bot or vote.wrong:
        return False
    return not (_of_types(vote, facts) or _of_commit(vote, facts) or _of_role(vote, facts))


def _refused(vote: Vote, facts: _Facts) -> str:
    """Return why a vote does not count; an objection needs no more than the right to decide."""
    if vote.kind == TAKEN_BACK:
        return ""
    if vote.by.is_bot:
        return "a bot does not decide"
    if not vote.by.id:
        return "the account is gone"
    if vote.wrong:
        return vote.wrong
    checks = (_of_role,) if vote.kind == REJECT else _CHECKS
    return next((reason for check in checks if (reason := check(vote, facts))), "")


def _of_types(vote: Vote, facts: _Facts) -> str:
    types = facts.handover.types
    unknown = [name for name in vote.types if name not in types]
    there = f"there are {', '.join(types)}" if types else "nothing is asked about a type"
    return f"there is no approval type {unknown[0]!r} here; {there}" if unknown else ""


def _of_role(vote: Vote, facts: _Facts) -> str:
    """Return why the voter may not decide.

    An objection that counted once outlives the name of its author, whom GitHub may know by another
    one now.
    """
    if vote.is_remembered and not facts.voters.roles.get(vote.by.login, ""):
        return ""
    return _right(vote, facts).refused


def _right(vote: Vote, facts: _Facts) -> Right:
    """Return the right of a voter at the time of the vote.

    A delegate does not approve with the right of somebody who wrote part of the change.
    """
    login, deciders = vote.by.login, facts.deciders
    delegates = deciders.delegates
    without: list[str] = []
    if vote.kind != REJECT:
        givers = givers_to(delegates, login, vote.at)
        without = [giver.casefold() for giver in givers if _is_writer(giver, facts)]
    return right_of(login, facts.voters, deciders, delegates, vote.at, without)


def _is_writer(login: str, facts: _Facts) -> bool:
    """Return whether somebody wrote part of the change and is not the sole maintainer."""
    if login.casefold() == facts.deciders.sole.casefold():
        return False
    is_opener = login.casefold() == facts.pull.author.login.casefold()
    return is_opener or any(is_author(login, commit) for commit in facts.voters.commits)


def _of_author(vote: Vote, facts: _Facts) -> str:
    voter, sole = vote.by, facts.deciders.sole
    if sole and voter.login.casefold() == sole.casefold():
        return ""  # the policy says so, and the page says that it does
    if voter.id == facts.pull.author.id:
        return "the author of the pull request does not approve it"
    if not facts.voters.complete:
        return "not all commits could be listed, so their authors are unknown"
    has_written = any(wrote(voter, commit) for commit in facts.voters.commits)
    return f"@{voter.login} has written part of the change" if has_written else ""


def _of_commit(vote: Vote, facts: _Facts) -> str:
    head, handover = facts.pull.head, facts.handover
    if vote.commit and head.startswith(vote.commit):
        return _of_time(vote, facts)
    content = facts.voters.contents.get(vote.commit, "")
    is_same = bool(content) and content == handover.target.content
    if vote.kind == APPROVE and handover.policy.holds_for == CONTENT and is_same:
        is_early = vote.at < facts.voters.since.get(vote.commit, 0)
        branch = handover.target.base_ref
        return (
            f"it was given before {vote.commit[:7]} was looked at for {branch}" if is_early else ""
        )
    if not vote.commit:
        return "it names no commit"
    length = 7 if vote.commit[:7] != head[:7] else len(vote.commit)
    return f"it was for {vote.commit[:length]}, and {head[:length]} was pushed since"


def _of_time(vote: Vote, facts: _Facts) -> str:
    """Return why a vote for the head came too early.

    Two commits may have names that begin alike, and whoever pushes can see to it; so a short name
    counts for the commit that was there when it was written. And a vote from when the pull request
    went to another branch was about that branch.
    """
    head, carried = facts.pull.head, facts.handover.carried
    if vote.at < carried.retargeted:
        branch = facts.handover.target.base_ref
        return f"it was given when the pull request went to another branch than {branch}"
    if len(vote.commit) < len(head) and vote.at < carried.seen:
        return (
            f"it says {vote.commit} alone, from before the gate saw this commit; say all of {head}"
        )
    return ""


def _of_override(vote: Vote, facts: _Facts) -> str:
    if vote.kind != OVERRIDE:
        return ""
    handover, finding = facts.handover, vote.finding
    if any(item.fingerprint.startswith(finding) for item in handover.indicators):
        return f"{finding} is a sign that somebody steers the judge, which `/helix approve` answers"
    named = [item for item in handover.findings if item.fingerprint.startswith(finding)]
    if len({item.fingerprint for item in named}) != 1:
        which = "the beginning of several findings" if named else "no finding of this commit"
        return f"{finding} is {which}; the comment of this gate names each"
    check = named[0].finding.check
    if check == GATE_RELAXED.id:
        return f"{check} is a question to people, which `/helix approve` answers"
    if handover.policy.may_override(check):
        return ""
    return f"policy.overrides does not have {check!r}, so what it finds can only be fixed"


_CHECKS: tuple[Callable[[Vote, _Facts], str], ...] = (
    _of_types,
    _of_commit,
    _of_role,
    _of_author,
    _of_override,
)
"""Checks of an approval and of an override, in the order in which reasons are given."""
