"""Fetch what must be known of the people who voted, and nothing of anybody else."""

from ..config.delegates import givers_to
from ..config.policy import CONTENT, Deciders
from ..decision.commands import APPROVE, OVERRIDE, REJECT
from ..decision.counting import CountedVote, VoterFacts, count_votes
from ..decision.handover import Handover
from ..decision.pull_request import Comment, PullRequest
from ..decision.votes import Vote, votes_of
from ..github import edits, fetch
from .access import Access
from .earlier_runs import recorded

_MOST_PEOPLE = 60
"""Maximum number of users whose role is fetched, newest first.

So commenters without authority cannot crowd out an objection.
"""

_MOST_REFUSED = 5
"""Maximum number of users without a countable vote whose role is fetched, newest first.

Their roles only tell whether the page mentions them.
"""

_MOST_COMMITS = 5
"""Maximum number of other commits at which an approval is looked up."""


def voter_facts(to: Access, handover: Handover, pull: PullRequest) -> VoterFacts:
    """Fetch roles, team members, commits and reviewed contents, as far as votes depend on them.

    The roles of those for whom voters stand in are fetched too.
    """
    votes = [vote for vote in votes_of(pull, handover.carried.objections) if not vote.by.is_bot]
    if not votes:
        return VoterFacts(roles={}, commits=(), complete=False)
    countable = [vote for vote in votes if _is_countable(vote, handover, pull)]
    repository, deciders = to.repository, handover.policy.deciders
    voters = _logins(handover, votes, countable)
    logins = [*voters, *_givers(deciders, votes, voters)]
    roles = {login: to.role(login) for login in logins}
    unnamed = (login for login in logins if not deciders.are_named(login))
    others = [login for login in unnamed if roles[login] not in deciders.roles]
    pairs = [(team, login) for team in deciders.teams for login in others]
    rows = [(team, login, fetch.is_member(repository, team, login)) for team, login in pairs]
    needs_commits = any(vote.kind != REJECT for vote in countable)
    no_commits = ((), False)
    commits, complete = to.commits(pull.number, pull.head) if needs_commits else no_commits
    contents = _contents(to, handover, pull, countable)
    return VoterFacts(
        roles=roles,
        commits=commits,
        complete=complete,
        members=frozenset(login.casefold() for _, login, is_member in rows if is_member),
        unread=tuple(dict.fromkeys(team for team, _, is_member in rows if is_member is None)),
        contents={commit: content for commit, (content, _) in contents.items()},
        since={commit: since for commit, (_, since) in contents.items()},
    )


def _is_countable(vote: Vote, handover: Handover, pull: PullRequest) -> bool:
    """Return whether a vote could count if its voter may decide."""
    if vote.wrong:
        return False
    holds_elsewhere = handover.policy.holds_for == CONTENT
    return vote.kind == REJECT or holds_elsewhere or pull.head.startswith(vote.commit or "-")


def _logins(handover: Handover, votes: list[Vote], countable: list[Vote]) -> list[str]:
    """Return whose roles are fetched: earlier objectors first, then named deciders."""
    deciders = handover.policy.deciders
    latest = dict.fromkeys(vote.by.login for vote in reversed(countable))
    everybody = dict.fromkeys(vote.by.login for vote in reversed(votes))
    refused = [login for login in everybody if login not in latest][:_MOST_REFUSED]
    known = {objection.id for objection in handover.carried.objections}
    objectors = {vote.by.login for vote in countable if vote.by.id in known}

    def rank(login: str) -> tuple[bool, bool]:
        return login not in objectors, not deciders.are_named(login)

    return [*sorted(latest, key=rank), *refused][:_MOST_PEOPLE]


def _givers(deciders: Deciders, votes: list[Vote], voters: list[str]) -> list[str]:
    """Return those for whom voters stood in when they voted, each once."""
    known = {login.casefold() for login in voters}
    delegated = (
        giver
        for vote in votes
        if vote.by.login in voters
        for giver in givers_to(deciders.delegates, vote.by.login, vote.at)
    )
    others = {giver.casefold(): giver for giver in delegated if giver.casefold() not in known}
    return [*others.values()][:_MOST_PEOPLE]


def _contents(
    to: Access,
    handover: Handover,
    pull: PullRequest,
    votes: list[Vote],
) -> dict[str, tuple[str, int]]:
    """Fetch the hashes of what was reviewed at other approved commits, each with a time.

    An approval of such a commit counts from that time on, if it holds for the same content.
    """
    if handover.policy.holds_for != CONTENT:
        return {}
    approvals = (vote for vote in votes if vote.kind == APPROVE)
    others = (vote.commit for vote in approvals if not pull.head.startswith(vote.commit))
    commits = list(dict.fromkeys(others))[-_MOST_COMMITS:]
    return {commit: _content(to, commit, pull) for commit in commits}


def _content(to: Access, commit: str, pull: PullRequest) -> tuple[str, int]:
    record = recorded(pull.number, fetch.status(to.repository, commit, to.app), commit)
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
    """Return all votes, without approvals in comments that may have been edited.

    GraphQL tells whether a comment was edited. It is asked only about those that would count.
    """
    votes = count_votes(handover, pull, voters)
    sources = {item.vote.source for item in votes if _needs_confirmation(item)}
    nodes = [item.node for item in pull.comments if item.id in sources and item.node]
    doubts = edits.doubts(to.repository, nodes, to.longest_wait) if nodes else {}
    if not any(doubts.values()):
        return votes

    def with_doubt(comment: Comment) -> Comment:
        return comment._replace(doubt=doubts.get(comment.node, comment.doubt))

    comments = tuple(map(with_doubt, pull.comments))
    return count_votes(handover, pull._replace(comments=comments), voters)


def _needs_confirmation(item: CountedVote) -> bool:
    is_approval = item.vote.kind in (APPROVE, OVERRIDE) and not item.vote.is_review
    return is_approval and (item.withdraws or not item.refused)
