"""Fetch the facts about the people who voted, and about nobody else."""

from collections.abc import Iterator

from ..config.policy import CONTENT, Deciders, givers_to
from ..decision.commands import APPROVE, OVERRIDE, REJECT
from ..decision.counting import CountedVote, VoterFacts, count_votes
from ..decision.handover import Handover
from ..decision.pull_request import Comment, Commit, PullRequest
from ..decision.votes import Vote, votes_of
from . import edits, fetch, identity
from .access import Access
from .earlier_runs import recorded

_MOST_PEOPLE = 60
"""Maximum number of users whose role is fetched, newest first.

A limit, so that many commenters can't exhaust the requests; the order, so that commenters without
authority cannot crowd out an objection.
"""

_MOST_REFUSED = 5
"""Maximum number of users without a countable vote whose role is fetched, newest first.

Their roles only tell whether the page mentions them.
"""

_MOST_COMMITS = 5
"""Maximum number of other commits at which an approval is looked up."""


def voter_facts(to: Access, handover: Handover, pull: PullRequest) -> VoterFacts:
    """Fetch the roles, teams, commits and reviewed contents on which votes depend.

    The roles of people who have delegated to a voter are fetched too.
    """
    votes = [vote for vote in votes_of(pull, handover.carried.objections) if not vote.by.is_bot]
    if not votes:
        return VoterFacts(roles={}, commits=(), complete=False)
    countable = [vote for vote in votes if _is_countable(vote, handover, pull)]
    deciders = handover.policy.deciders
    voters = _logins(handover, votes, countable)
    roles = {login: to.role(login) for login in (*voters, *_givers(deciders, votes, voters))}
    teams = identity.team_facts(to.repository, deciders, roles)
    commits, complete = _commits(to, pull, countable)
    contents = _contents(to, handover, pull, countable)
    return VoterFacts(
        roles=roles,
        commits=commits,
        complete=complete,
        members=teams.members,
        unread=teams.unread,
        contents={commit: content for commit, (content, _) in contents.items()},
        since={commit: since for commit, (_, since) in contents.items()},
    )


def _commits(to: Access, pull: PullRequest, votes: list[Vote]) -> tuple[tuple[Commit, ...], bool]:
    """Fetch the commits, and whether these are all. Only approvals depend on their authors."""
    if all(vote.kind == REJECT for vote in votes):
        return (), False
    return to.commits(pull.number, pull.head)


def _is_countable(vote: Vote, handover: Handover, pull: PullRequest) -> bool:
    """Return whether a vote could count if its voter may decide."""
    if vote.wrong:
        return False
    if vote.kind == REJECT or handover.policy.holds_for == CONTENT:
        return True
    return bool(vote.commit) and pull.head.startswith(vote.commit)


def _logins(handover: Handover, votes: list[Vote], countable: list[Vote]) -> list[str]:
    """Return the users whose roles are fetched: earlier objectors first, then named deciders."""
    deciders = handover.policy.deciders
    latest = dict.fromkeys(vote.by.login for vote in reversed(countable))
    voters = dict.fromkeys(vote.by.login for vote in reversed(votes))
    refused = [login for login in voters if login not in latest][:_MOST_REFUSED]
    objecting = {objection.id for objection in handover.carried.objections}
    objectors = {vote.by.login for vote in countable if vote.by.id in objecting}

    def rank(login: str) -> tuple[bool, bool]:
        return login not in objectors, not deciders.are_named(login)

    return [*sorted(latest, key=rank), *refused][:_MOST_PEOPLE]


def _givers(deciders: Deciders, votes: list[Vote], voters: list[str]) -> list[str]:
    """Return the people who had delegated to voters at the time of their votes, each once."""
    logins = {login.casefold() for login in voters}
    givers: dict[str, str] = {}
    for vote in votes:
        if vote.by.login not in voters:
            continue
        for giver in givers_to(deciders.delegates, vote.by.login, vote.at):
            if giver.casefold() not in logins:
                givers[giver.casefold()] = giver
    return [*givers.values()][:_MOST_PEOPLE]


def _contents(
    to: Access,
    handover: Handover,
    pull: PullRequest,
    votes: list[Vote],
) -> dict[str, tuple[str, int]]:
    """Fetch the content hash of each other commit that was approved, with a time.

    An approval of such a commit counts if its content is the same as now, and if it was given after
    that time.
    """
    if handover.policy.holds_for != CONTENT:
        return {}
    commits = list(dict.fromkeys(_other_commits(votes, pull)))[-_MOST_COMMITS:]
    return {commit: _content(to, commit, pull) for commit in commits}


def _other_commits(votes: list[Vote], pull: PullRequest) -> Iterator[str]:
    """Yield the commits of approvals that are not the head."""
    for vote in votes:
        if vote.kind == APPROVE and not pull.head.startswith(vote.commit):
            yield vote.commit


def _content(to: Access, commit: str, pull: PullRequest) -> tuple[str, int]:
    status = fetch.status_about(to.repository, commit, to.app, pull.number)
    record = recorded(pull.number, status, commit)
    if not record or record.target.base_ref != pull.base_ref:
        return "", 0
    carried = record.carried
    if commit == record.target.head:
        return record.target.content, carried.retargeted
    return record.target.content, max(carried.retargeted, carried.seen)


def confirmed_votes(
    to: Access,
    handover: Handover,
    pull: PullRequest,
    voters: VoterFacts,
) -> tuple[CountedVote, ...]:
    """Return all votes; an approval in a comment that may have been edited does not count.

    The GraphQL API tells whether a comment was edited. Only comments that would count are checked.
    """
    votes = count_votes(handover, pull, voters)
    sources = {item.vote.source for item in votes if _needs_confirmation(item)}
    nodes = [item.node for item in pull.comments if item.id in sources and item.node]
    doubts = edits.doubts(to.repository, nodes, to.longest_wait)
    if not any(doubts.values()):
        return votes

    def with_doubt(comment: Comment) -> Comment:
        return comment._replace(doubt=doubts.get(comment.node, comment.doubt))

    comments = tuple(map(with_doubt, pull.comments))
    return count_votes(handover, pull._replace(comments=comments), voters)


def _needs_confirmation(item: CountedVote) -> bool:
    is_approval = item.vote.kind in (APPROVE, OVERRIDE) and not item.vote.is_review
    return is_approval and (item.withdraws or not item.refused)
