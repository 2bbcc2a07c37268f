"""Fetch the facts about a pull request and its voters, and compute its decision.

Every step that decides uses it.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..config.policy import CONTENT, EXPERTISE, Deciders, givers_to
from ..config.workflows import CHECK
from ..decision.authors import UNLISTED, agents_in
from ..decision.commands import APPROVE, OVERRIDE, REJECT
from ..decision.decide import Decision, decide, of_pull_request
from ..decision.handover import LINKED, Handover
from ..decision.pull_request import UNKNOWN, Comment, Commit, PullRequest
from ..decision.rounds import with_rounds
from ..decision.run_state import CarriedState, Objection, in_ledger
from ..decision.states import APPROVED, FAILED, PENDING, REJECTED, Reason
from ..decision.votes import (
    EffectiveVotes,
    Vote,
    count_votes,
    effective_votes,
    votes_of,
)
from ..decision.who_may import VoterFacts
from ..paths import READ_FIRST
from ..verdict.injection.signs import ours
from . import fetch, identity
from .access import Access
from .earlier_runs import (
    carried_state,
    is_for_another_base,
    is_retargeted,
    last_status,
    recorded,
    with_elsewhere,
    with_replies,
)
from .summary_comment import stickies_of

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
) -> tuple[Vote, ...]:
    """Return all votes; an approval in a comment that may have been edited does not count.

    The GraphQL API tells whether a comment was edited. Only comments that would count are checked.
    """
    votes = count_votes(handover, pull, voters)
    sources = {vote.source for vote in votes if _needs_confirmation(vote)}
    nodes = [item.node for item in pull.comments if item.id in sources and item.node]
    doubts = fetch.doubts(to.repository, nodes, to.longest_wait)
    if not any(doubts.values()):
        return votes

    def with_doubt(comment: Comment) -> Comment:
        return comment._replace(doubt=doubts.get(comment.node, comment.doubt))

    comments = tuple(map(with_doubt, pull.comments))
    return count_votes(handover, pull._replace(comments=comments), voters)


def _needs_confirmation(vote: Vote) -> bool:
    is_approval = vote.kind in (APPROVE, OVERRIDE) and not vote.is_review
    return is_approval and (vote.withdraws or not vote.refused)


_UNSURE = UNKNOWN.partition("(")[0]


class Evaluation(NamedTuple):
    """A decision, with the facts on which it rests."""

    handover: Handover
    decision: Decision
    pull: PullRequest
    votes: tuple[Vote, ...] = ()


def evaluate(
    to: Access,
    handover: Handover,
    pull: PullRequest,
    *,
    is_outdated: bool = False,
) -> Evaluation:
    """Decide about a pull request with its current votes.

    Voters are fetched only if a vote could change the decision. With `is_outdated`, the settings
    have changed since the last run, and nothing is approved.
    """
    pull = _with_elsewhere(to, handover, pull)
    handover = _with_earlier_state(handover, pull, to)
    if not handover.target.merges and pull.head == handover.target.head:
        handover = with_replies(to, handover, pull.comments, pull.author)
        handover = _with_agents(handover, pull, to)
    first = _without_votes(handover, pull)
    handover = _with_clock(handover, first, pull.now)
    if not _may_change(handover, first, pull):
        decision = decide(of_pull_request(handover, pull, EffectiveVotes(), pull.now))
        return Evaluation(_with_new_objections(handover, pull, to), decision, pull)
    reviews = pull.reviews or fetch.reviews(to.repository, pull.number)
    pull = pull._replace(reviews=reviews)
    votes = confirmed_votes(to, handover, pull, voter_facts(to, handover, pull))
    effective = effective_votes(votes)
    decision = decide(of_pull_request(handover, pull, effective, pull.now))
    if is_outdated:
        decision = without_approval(decision)
    if decision.state == APPROVED and not handover.target.merges:
        siblings = fetch.siblings(to.repository, pull.number, pull.head, pull.check)
        pull = pull._replace(siblings=siblings)
    carried = handover.carried._replace(objections=effective.remembered())
    if any(vote.refused.startswith(_UNSURE) for vote in votes):
        # GitHub did not say whether a vote was edited; with 0 the next sweep asks again.
        carried = carried._replace(looked=0)
    return Evaluation(handover._replace(carried=carried), decision, pull, votes)


def _with_elsewhere(to: Access, handover: Handover, pull: PullRequest) -> PullRequest:
    """Add results for other bases, on other check runs, if the head may have some.

    The required check run may show a success for another base, so it is always looked for.
    """
    if handover.target.merges or pull.head != handover.target.head:
        return pull
    is_named_otherwise = pull.check != CHECK
    was_moved = handover.carried.retargeted or is_for_another_base(pull, pull.status)
    if is_named_otherwise or was_moved:
        return with_elsewhere(to, pull)
    return pull


def without_approval(decision: Decision) -> Decision:
    """Return the decision under changed settings: an approval waits for a new run."""
    if decision.state != APPROVED:
        return decision
    reason = Reason(
        state=PENDING,
        text="the settings of the base have changed since the last run",
        way_out="`/helix review` starts a new run",
        category=EXPERTISE,
    )
    return Decision(
        state=PENDING,
        reasons=(reason,),
        refused=decision.refused,
        handover=decision.handover,
    )


def settings_have_changed(
    to: Access,
    handover: Handover,
    pull: PullRequest,
    config: str,
) -> bool:
    """Return whether settings at the base have changed since the last run, or may have changed."""
    target = handover.target
    if target.base_ref != pull.base_ref:
        return True
    changed = fetch.changed_since(to.repository, target.base, pull.base_ref)
    if changed is None:
        return True
    if changed and target.settings.endswith(LINKED):
        return True  # any file may be the target of a link
    places = ours(target.approvals)
    return any(path in (*READ_FIRST, config) or path.startswith(places) for path in changed)


def _with_agents(handover: Handover, pull: PullRequest, to: Access) -> Handover:
    """Add the agents that wrote part of the change, if such a change needs more approvals."""
    policy = handover.policy
    if not handover.applies or policy.agents.minimum <= policy.deciders.minimum:
        return handover
    commits, complete = to.commits(pull.number, pull.head)
    agents = agents_in(pull.author, commits, policy.agents.names)
    if not complete:
        # An agent may have written a commit that GitHub does not list.
        agents = (*agents, UNLISTED)
    return handover._replace(agents=agents)


def _without_votes(handover: Handover, pull: PullRequest) -> Decision:
    """Return the decision without votes and before any deadline."""
    carried = handover.carried
    untouched = handover._replace(carried=carried._replace(tampered=()))
    now = carried.since or pull.now
    return decide(of_pull_request(untouched, pull, EffectiveVotes(), now))


def _with_clock(handover: Handover, first: Decision, now: int) -> Handover:
    """Start the clock of a question when it is first asked; without a question, stop the clock."""
    carried = handover.carried
    if first.asked and not handover.target.draft:
        carried = carried._replace(since=carried.since or now)
    else:
        carried = carried._replace(since=0, escalated=False)
    return handover._replace(carried=carried)


def _may_change(handover: Handover, first: Decision, pull: PullRequest) -> bool:
    """Return whether a vote could change the decision, or is an objection to store."""
    if not handover.applies or handover.failure:
        return False
    if first.state in (APPROVED, PENDING) or first.asked:
        return True
    if first.state not in (REJECTED, FAILED):
        return False
    kinds = {REJECT}
    if handover.policy.overrides:
        kinds.add(OVERRIDE)
    return any(vote.kind in kinds for vote in votes_of(pull))


def _with_new_objections(handover: Handover, pull: PullRequest, to: Access) -> Handover:
    """Store new objections while no vote changes the decision, for a later run."""
    target = handover.target
    if target.merges or pull.head != target.head:
        return handover
    if not any(vote.kind == REJECT and not vote.by.is_bot for vote in votes_of(pull)):
        return handover
    votes = effective_votes(count_votes(handover, pull, voter_facts(to, handover, pull)))
    objections = _by_source(handover.carried.objections, votes.remembered())
    carried = handover.carried._replace(objections=objections)
    return handover._replace(carried=carried)


def _by_source(*lists: tuple[Objection, ...]) -> tuple[Objection, ...]:
    """Return one objection for each comment; a later list replaces an earlier one."""
    by_source: dict[int, Objection] = {}
    for objections in lists:
        for objection in objections:
            by_source[objection.source] = objection
    return tuple(by_source.values())


def _with_earlier_state(handover: Handover, pull: PullRequest, to: Access) -> Handover:
    """Add the state that other runs have left by now, and the time of this evaluation."""
    target, carried = handover.target, handover.carried
    if target.merges or pull.head != target.head:
        return handover._replace(carried=carried._replace(looked=pull.now))
    status = last_status(pull)
    last = recorded(pull.number, status, pull.head)
    before = carried_state(pull.number, status, last)
    ledgers = [in_ledger(comment.body) for comment in stickies_of(pull.comments, to.ours)]
    objections = _by_source(carried.objections, before.objections, *ledgers)
    merged = _merged(handover, last, before, pull)
    return handover._replace(carried=merged._replace(objections=objections))


def _merged(
    handover: Handover,
    last: Handover | None,
    before: CarriedState,
    pull: PullRequest,
) -> CarriedState:
    """Return the joined state of two runs at one head. `last` is the record of the other one."""
    carried, now = handover.carried, pull.now
    merged = carried._replace(
        spent=max(carried.spent, before.spent),
        tampered=tuple(dict.fromkeys((*carried.tampered, *before.tampered))),
        seen=carried.seen or now,
        retargeted=max(carried.retargeted, before.retargeted),
        looked=now,
        rounds=with_rounds(carried.rounds, before.rounds),
        unkept=max(carried.unkept, before.unkept),
    )
    if last is None or _question(last) != _question(handover):
        # A new question: its deadline has not started.
        merged = merged._replace(since=0, escalated=False)
    if is_retargeted(pull):
        # The base branch was changed, so older approvals of this commit no longer count.
        return merged._replace(retargeted=merged.seen)
    if before.seen:
        merged = merged._replace(seen=min(merged.seen, before.seen))
    return merged


def _question(handover: Handover) -> tuple[str, str]:
    return handover.target.base_ref, handover.target.settings
