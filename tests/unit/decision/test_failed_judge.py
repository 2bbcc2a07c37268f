"""No vote but an approval that counts turns a judge that gave no verdict, and none turns a step that failed."""

from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.decision.commands import APPROVE
from helix_hooks.decision.states import FAILED
from helix_hooks.decision.votes import count_votes
from tests import series
from tests.unit.decision.draws import (
    DECIDERS,
    EVERYBODY,
    OBJECTIONS,
    OTHERS,
    policies,
    row,
    times,
    votes,
)
from tests.unit.decision.table import Facts, seconds

FAILED_JUDGES = ("adr=timeout", "adr=timeout code=ok", "adr=timeout code=timeout", "adr=timeout code=unsure", "adr=timeout protected",
                 "adr=timeout hidden", "adr=timeout,pr_merge", "draft adr=timeout")  # fmt: skip


FAILED_STEPS = (
    "unjudged",
    "unchecked",
    "unreachable",
    "unchecked adr=timeout",
    "unreachable adr=timeout",
    "unreachable protected",
    "unreachable adr=ok",
)


BROKEN_SETTINGS = ("broken", "broken adr=timeout")


def approvals(facts: Facts) -> set[str]:
    """The people whose approval of this head counts."""
    found = count_votes(facts.given, facts.pull, facts.known)
    return {vote.by.login for vote in found if vote.kind == APPROVE and not vote.refused}


@settings(max_examples=series.examples(400), deadline=None)
@given(policies, st.sampled_from(FAILED_JUDGES), st.lists(votes(), max_size=6), times)
def test_nothing_but_an_eligible_approval_of_this_head_turns_it(
    policy: str, found: str, said: list[str], now: str
) -> None:
    """Attack by a hostile pull request: a judge that is made to fail, so that a step or a stranger turns the check.
    Answer: only an approval of this commit by a decider; no vote changes the check if a step failed.
    Shown by: `test_nothing_but_an_eligible_approval_of_this_head_turns_it`, `test_no_vote_turns_a_step_that_failed`.
    """
    facts = row(policy, found, said, now)
    decided = facts.decided()
    if decided.exit_code == 0:
        assert len(approvals(facts)) >= facts.given.policy.deciders.minimum
    if not approvals(facts):
        assert decided.state == FAILED


@settings(max_examples=series.examples(300), deadline=None)
@given(
    policies,
    st.sampled_from(FAILED_JUDGES),
    st.lists(votes(OTHERS) | votes(DECIDERS, OBJECTIONS), max_size=6),
    times,
)
def test_who_may_not_decide_and_who_objects_never_turn_it(
    policy: str, found: str, said: list[str], now: str
) -> None:
    if "sole=" not in policy:
        assert row(policy, found, said, now).decided().state == FAILED


@settings(max_examples=series.examples(300), deadline=None)
@given(
    policies,
    st.sampled_from((*FAILED_STEPS, *BROKEN_SETTINGS)),
    st.lists(votes(EVERYBODY), max_size=6),
    times,
)
def test_no_vote_turns_a_step_that_failed(
    policy: str, found: str, said: list[str], now: str
) -> None:
    decided = row(policy, found, said, now).decided()
    assert (decided.state, decided.asked) == (row(policy, found, [], now).decided().state, ())
    assert decided.exit_code == (2 if found in BROKEN_SETTINGS else 3)


@settings(max_examples=series.examples(300), deadline=None)
@given(policies, st.sampled_from((*FAILED_JUDGES, "adr=unsure", "adr=ok protected", "missing", "adr=reject", "unjudged")),
       st.lists(votes(), max_size=4), times)  # fmt: skip
def test_an_approval_is_asked_for_only_where_it_would_count(
    policy: str, found: str, said: list[str], now: str
) -> None:
    """Approvals of all three people who may decide, a moment later, make it green."""
    at = seconds(now)
    said = [
        vote for vote in said if seconds(vote.rpartition("@")[2]) < at
    ]  # in the same second, the strictest word counts
    facts = row(policy, found, said, now)
    enough = row(policy, found, [*said, *(f"{who}+full@{at}" for who in DECIDERS)], now)
    if facts.decided().asked:
        assert enough.decided().state == "approved"
