"""Fetch the facts about a pull request and compute its decision, for every step that decides."""

from typing import NamedTuple

from ..config.autonomy import EXPERTISE
from ..decision.agent_authors import UNLISTED, agents_in
from ..decision.commands import OVERRIDE, REJECT
from ..decision.counting import CountedVote, count_votes
from ..decision.decide import Decision, decide
from ..decision.effective_votes import EffectiveVotes, effective_votes
from ..decision.facts import of_pull_request
from ..decision.handover import LINKED, Handover
from ..decision.pull_request import UNKNOWN, PullRequest
from ..decision.rounds import with_rounds
from ..decision.run_state import CarriedState, Objection, in_ledger
from ..decision.states import APPROVED, FAILED, PENDING, REJECTED, Reason
from ..decision.votes import votes_of
from ..github import fetch
from ..paths import READ_FIRST
from ..publish.sticky import stickies_of
from ..verdict.injection.signs import ours
from .access import Access
from .author_replies import with_replies
from .earlier_runs import carried_state, recorded
from .voters import confirmed_votes, voter_facts

_UNSURE = UNKNOWN.partition("(")[0]


class Evaluation(NamedTuple):
    """A decision, with the facts on which it rests."""

    handover: Handover
    decision: Decision
    pull: PullRequest
    votes: tuple[CountedVote, ...] = ()


def evaluate(
    to: Access,
    handover: Handover,
    pull: PullRequest,
    *,
    is_outdated: bool = False,
) -> Evaluation:
    """Decide about a pull request by the votes of now.

    Voters are fetched only if a vote could change something. With `is_outdated` settings nothing is
    approved.
    """
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
        decision = held(decision)
    if decision.state == APPROVED and not handover.target.merges:
        siblings = fetch.siblings(to.repository, pull.number, pull.head)
        pull = pull._replace(siblings=siblings)
    is_sure = not any(item.refused.startswith(_UNSURE) for item in votes)
    looked = handover.carried.looked if is_sure else 0  # with 0 the next sweep asks again
    carried = handover.carried._replace(objections=effective.remembered(), looked=looked)
    return Evaluation(handover._replace(carried=carried), decision, pull, votes)


def held(decision: Decision) -> Decision:
    """Return the decision by settings that have changed since: an approval waits for a new run."""
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
    """Return whether settings at the base have changed since the last run, or may have."""
    target = handover.target
    if target.base_ref != pull.base_ref:
        return True
    changed = fetch.changed_since(to.repository, target.base, pull.base_ref)
    if changed is None:
        return True
    if changed and target.settings.endswith(LINKED):
        return True  # any file may be one that a link leads to
    places = ours(target.approvals)
    return any(path in (*READ_FIRST, config) or path.startswith(places) for path in changed)


def _with_agents(handover: Handover, pull: PullRequest, to: Access) -> Handover:
    """Add the agents that wrote part of the change, if more people must approve that."""
    policy = handover.policy
    if not handover.applies or policy.agents.minimum <= policy.deciders.minimum:
        return handover
    commits, complete = to.commits(pull.number, pull.head)
    agents = agents_in(pull.author, commits, policy.agents.names)
    return handover._replace(agents=agents if complete else (*agents, UNLISTED))


def _without_votes(handover: Handover, pull: PullRequest) -> Decision:
    """Return the decision before any deadline, and before anybody voted."""
    carried = handover.carried
    untouched = handover._replace(carried=carried._replace(tampered=()))
    now = carried.since or pull.now
    return decide(of_pull_request(untouched, pull, EffectiveVotes(), now))


def _with_clock(handover: Handover, first: Decision, now: int) -> Handover:
    """Start the clock of a question when it is first asked; without one there is no clock."""
    carried = handover.carried
    is_asked = bool(first.asked) and not handover.target.draft
    since = carried.since or now
    carried = carried._replace(
        since=since if is_asked else 0,
        escalated=carried.escalated and is_asked,
    )
    return handover._replace(carried=carried)


def _may_change(handover: Handover, first: Decision, pull: PullRequest) -> bool:
    """Return whether a vote could change the decision, or is an objection to remember."""
    if not handover.applies or handover.failure:
        return False
    if first.state in (APPROVED, PENDING) or first.asked:
        return True
    if first.state not in (REJECTED, FAILED):
        return False
    kinds = (REJECT, OVERRIDE) if handover.policy.overrides else (REJECT,)
    return any(vote.kind in kinds for vote in votes_of(pull))


def _with_new_objections(handover: Handover, pull: PullRequest, to: Access) -> Handover:
    """Add the objections that were made while no vote changes anything, for a run that counts."""
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
    """Return one objection for each comment, the last one of several."""
    objections = {objection.source: objection for known in lists for objection in known}
    return tuple(objections.values())


def _with_earlier_state(handover: Handover, pull: PullRequest, to: Access) -> Handover:
    """Add what other runs know by now, and the time of this look."""
    target, carried = handover.target, handover.carried
    if target.merges or pull.head != target.head:
        return handover._replace(carried=carried._replace(looked=pull.now))
    last = recorded(pull.number, pull.status, pull.head)
    before = carried_state(pull.number, pull.status, last)
    comments = stickies_of(pull.comments, to.ours)
    noted = tuple(objection for comment in comments for objection in in_ledger(comment.body))
    merged = _merged(handover, last, before, pull.now)
    objections = _by_source(carried.objections, before.objections, noted)
    return handover._replace(carried=merged._replace(objections=objections))


def _merged(
    handover: Handover,
    last: Handover | None,
    before: CarriedState,
    now: int,
) -> CarriedState:
    """Return the state by two runs at one head. The clock goes on only for the same question."""
    target, carried = handover.target, handover.carried
    is_same = last is not None and _question(last) == _question(handover)
    is_elsewhere = last is not None and last.target.base_ref != target.base_ref
    seen = carried.seen or now
    return carried._replace(
        spent=max(carried.spent, before.spent),
        tampered=tuple(dict.fromkeys((*carried.tampered, *before.tampered))),
        since=carried.since if is_same else 0,
        escalated=carried.escalated and is_same,
        seen=seen if is_elsewhere or not before.seen else min(seen, before.seen),
        retargeted=seen if is_elsewhere else max(carried.retargeted, before.retargeted),
        looked=now,
        rounds=with_rounds(carried.rounds, before.rounds),
        unkept=max(carried.unkept, before.unkept),
    )


def _question(handover: Handover) -> tuple[str, str]:
    return handover.target.base_ref, handover.target.settings
