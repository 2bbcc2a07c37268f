"""Fetch the facts about a pull request and compute its decision, for every step that decides."""

from typing import NamedTuple

from ..config.policy import EXPERTISE
from ..config.workflows import CHECK
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
from ..paths import READ_FIRST
from ..verdict.injection.signs import ours
from . import comparison, fetch
from .access import Access
from .author_replies import with_replies
from .earlier_runs import (
    carried_state,
    is_for_another_base,
    is_retargeted,
    last_status,
    recorded,
    with_elsewhere,
)
from .sticky import stickies_of
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
    if any(item.refused.startswith(_UNSURE) for item in votes):
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
    changed = comparison.changed_since(to.repository, target.base, pull.base_ref)
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
