"""Decide for each vote whether it counts, and why not. Pure.

A vote counts if its voter may decide, it is about the current content, and the voter did not write
what is decided. An approval is bound to the reviewed commit. It never comes from an author,
committer or co-author of a commit, nor from a bot under any name. None of this is stored: it is
computed again from GitHub's data.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..config.policy import CONTENT, ROLES, Deciders, givers_to
from ..finding import Finding
from .authors import is_author, wrote
from .commands import APPROVE, OVERRIDE, REJECT
from .handover import Handover
from .pull_request import Person, PullRequest
from .rights import Right, VoterFacts, giver_of, lacks_right, right_of
from .votes import TAKEN_BACK, Vote, votes_of

__all__ = ["CountedVote", "VoterFacts", "count_votes", "lacks_right"]

DECIDER, AUTHOR, OTHER, STRANGER = "decider", "author", "other", "stranger"
"""Kinds of voters.

DECIDER: may decide. AUTHOR: may decide, and wrote part of the change. OTHER: has another role.
STRANGER: has no role or may only read, or is a bot.
"""


class CountedVote(NamedTuple):
    """A vote, and the reason why it does not count ("" if it does).

    An approval by an author does not count, but it still `withdraws` the author's earlier
    objection. `speaker` is the kind of the voter.
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
    refused = _refused(vote, facts)
    if refused:
        return CountedVote(vote, refused, _withdraws(vote, facts), _speaker(vote, facts))
    vote = vote._replace(stands_for=giver_of(_right(vote, facts).text))
    return CountedVote(vote, speaker=_speaker(vote, facts))


def _speaker(vote: Vote, facts: _Facts) -> str:
    """Return the kind of a voter. A user whose role was not fetched is a stranger."""
    if vote.by.is_bot:
        return STRANGER
    if _role_reason(vote, facts):
        role = facts.voters.roles.get(vote.by.login, "")
        return STRANGER if role in ("", "none", ROLES[0]) else OTHER
    if _is_sole(vote.by.login, facts):
        return DECIDER
    is_opener = vote.by.id == facts.pull.author.id
    return AUTHOR if is_opener or _has_written(vote.by, facts) else DECIDER


def _is_sole(login: str, facts: _Facts) -> bool:
    """Return whether the policy names a user as the sole maintainer."""
    return login.casefold() == facts.deciders.sole.casefold()


def _has_written(person: Person, facts: _Facts) -> bool:
    return any(wrote(person, commit) for commit in facts.voters.commits)


def _withdraws(vote: Vote, facts: _Facts) -> bool:
    if vote.kind != APPROVE or vote.by.is_bot or vote.wrong:
        return False
    checks = (_type_reason, _commit_reason, _role_reason)
    return not any(check(vote, facts) for check in checks)


def _refused(vote: Vote, facts: _Facts) -> str:
    """Return why a vote does not count; an objection only needs the right to decide."""
    if vote.kind == TAKEN_BACK:
        return ""
    if vote.by.is_bot:
        return "bots cannot approve"
    if not vote.by.id:
        return "the account was deleted"
    if vote.wrong:
        return vote.wrong
    if vote.kind == REJECT:
        return _role_reason(vote, facts)
    reasons = (check(vote, facts) for check in _CHECKS)
    return next(filter(None, reasons), "")


def _type_reason(vote: Vote, facts: _Facts) -> str:
    types = facts.handover.types
    unknown = [name for name in vote.types if name not in types]
    if not unknown:
        return ""
    there = f"available: {', '.join(types)}" if types else "this pull request has no approval types"
    return f"unknown approval type {unknown[0]!r} ({there})"


def _role_reason(vote: Vote, facts: _Facts) -> str:
    """Return why the voter may not decide, "" if they may."""
    # The login of a remembered objection may have changed since. It counted once, so it stays.
    if vote.is_remembered and not facts.voters.roles.get(vote.by.login, ""):
        return ""
    return _right(vote, facts).refused


def _right(vote: Vote, facts: _Facts) -> Right:
    """Return the right of a voter at the time of the vote.

    A delegate can't approve with the right of an author of the change.
    """
    login, deciders = vote.by.login, facts.deciders
    delegates = deciders.delegates
    authors: list[str] = []
    if vote.kind != REJECT:
        givers = givers_to(delegates, login, vote.at)
        authors = [giver.casefold() for giver in givers if _is_writer(giver, facts)]
    return right_of(login, facts.voters, deciders, delegates, vote.at, without=authors)


def _is_writer(login: str, facts: _Facts) -> bool:
    """Return whether a user wrote part of the change and is not the sole maintainer."""
    if _is_sole(login, facts):
        return False
    is_opener = login.casefold() == facts.pull.author.login.casefold()
    return is_opener or any(is_author(login, commit) for commit in facts.voters.commits)


def _author_reason(vote: Vote, facts: _Facts) -> str:
    voter = vote.by
    if facts.deciders.sole and _is_sole(voter.login, facts):
        return ""  # policy.sole_maintainer allows it, and the summary comment shows that
    if voter.id == facts.pull.author.id:
        return "authors cannot approve their own pull request"
    if not facts.voters.complete:
        return "not all commits could be listed, so their authors are unknown"
    if _has_written(voter, facts):
        return f"@{voter.login} is an author of the change"
    return ""


def _commit_reason(vote: Vote, facts: _Facts) -> str:
    """Return why a vote for a commit is not about the head, "" if it is."""
    head = facts.pull.head
    if vote.commit and head.startswith(vote.commit):
        return _early_reason(vote, facts)
    if vote.kind == APPROVE and _is_same_content(vote, facts):
        if vote.at >= facts.voters.since.get(vote.commit, 0):
            return ""
        branch = facts.handover.target.base_ref
        return f"it was given before {vote.commit[:7]} was checked for {branch}"
    if not vote.commit:
        return "it has no commit"
    # Two different commits may share their first seven digits.
    length = 7 if vote.commit[:7] != head[:7] else len(vote.commit)
    return f"it was for {vote.commit[:length]}, but {head[:length]} was pushed later"


def _is_same_content(vote: Vote, facts: _Facts) -> bool:
    """Return whether an approval is still valid because the head has the same content."""
    handover = facts.handover
    content = facts.voters.contents.get(vote.commit, "")
    if not content or handover.policy.holds_for != CONTENT:
        return False
    return content == handover.target.content


def _early_reason(vote: Vote, facts: _Facts) -> str:
    """Return why a vote for the head came too early, "" if it did not.

    A vote from before the pull request moved to this base branch was about the other branch.
    """
    head, carried = facts.pull.head, facts.handover.carried
    if vote.at < carried.retargeted:
        branch = facts.handover.target.base_ref
        return f"it was given when the base branch was not {branch}"
    # Commits with the same first digits can be made on purpose. So a short name counts only for
    # the commit that was there when the vote was written.
    if len(vote.commit) < len(head) and vote.at < carried.seen:
        return f"the short SHA {vote.commit} was given before this commit; repeat it with {head}"
    return ""


def _override_reason(vote: Vote, facts: _Facts) -> str:
    if vote.kind != OVERRIDE:
        return ""
    handover, finding = facts.handover, vote.finding
    if any(item.fingerprint.startswith(finding) for item in handover.indicators):
        return f"{finding} is a possible prompt injection; use `/helix approve` instead"
    matches = [item for item in handover.findings if item.fingerprint.startswith(finding)]
    if len({item.fingerprint for item in matches}) != 1:
        which = "the beginning of several findings" if matches else "not a finding of this commit"
        return f"{finding} is {which}; the helix comment lists the IDs"
    return _finding_reason(matches[0].finding, handover)


def _finding_reason(finding: Finding, handover: Handover) -> str:
    """Return why a finding can't be overridden, "" if it can."""
    check = finding.check
    if finding.question:
        return f"{check} requires a human decision; use `/helix approve`"
    if handover.policy.may_override(check):
        return ""
    return f"policy.overrides does not list {check!r}, so its findings can only be fixed"


_CHECKS: tuple[Callable[[Vote, _Facts], str], ...] = (
    _type_reason,
    _commit_reason,
    _role_reason,
    _author_reason,
    _override_reason,
)
"""Checks of an approval and of an override, in the order in which reasons are reported."""
