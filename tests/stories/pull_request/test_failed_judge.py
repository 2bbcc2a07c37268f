"""A judge that gave no verdict is a question to people. A step that failed is none: no vote turns it."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helix_hooks.decision.commands import APPROVE
from helix_hooks.decision.counting import count_votes
from helix_hooks.decision.states import FAILED
from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import WRITER
from tests.stories.pull_request.test_people import People, after, answers, people, policy, summary
from tests.stories.pull_request.test_steps import check, github, push, repository
from tests.unit.decision.table import Facts, seconds
from tests.unit.decision.test_properties import DECIDERS, EVERYBODY, OBJECTIONS, OTHERS, policies, row, times, votes

__all__ = ["github", "people", "repository"]

FAILS: dict[str, Any] = {"result": {"is_error": True}}
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
    return {item.vote.by.login for item in found if item.vote.kind == APPROVE and not item.refused}


@settings(max_examples=400, deadline=None)
@given(policies, st.sampled_from(FAILED_JUDGES), st.lists(votes(), max_size=6), times)
def test_nothing_but_an_eligible_approval_of_this_head_turns_it(policy: str, found: str, said: list[str], now: str) -> None:
    facts = row(policy, found, said, now)
    decided = facts.decided()
    if decided.exit_code == 0:
        assert len(approvals(facts)) >= facts.given.policy.deciders.minimum
    if not approvals(facts):
        assert decided.state == FAILED


@settings(max_examples=300, deadline=None)
@given(policies, st.sampled_from(FAILED_JUDGES), st.lists(votes(OTHERS) | votes(DECIDERS, OBJECTIONS), max_size=6), times)
def test_who_may_not_decide_and_who_objects_never_turn_it(policy: str, found: str, said: list[str], now: str) -> None:
    if "sole=" not in policy:
        assert row(policy, found, said, now).decided().state == FAILED


@settings(max_examples=300, deadline=None)
@given(policies, st.sampled_from((*FAILED_STEPS, *BROKEN_SETTINGS)), st.lists(votes(EVERYBODY), max_size=6), times)
def test_no_vote_turns_a_step_that_failed(policy: str, found: str, said: list[str], now: str) -> None:
    decided = row(policy, found, said, now).decided()
    assert (decided.state, decided.asked) == (row(policy, found, [], now).decided().state, ())
    assert decided.exit_code == (2 if found in BROKEN_SETTINGS else 3)


@settings(max_examples=300, deadline=None)
@given(policies, st.sampled_from((*FAILED_JUDGES, "adr=unsure", "adr=ok protected", "missing", "adr=reject", "unjudged")),
       st.lists(votes(), max_size=4), times)  # fmt: skip
def test_an_approval_is_asked_for_only_where_it_would_count(policy: str, found: str, said: list[str], now: str) -> None:
    """Approvals of all three people who may decide, a moment later, make it green."""
    at = seconds(now)
    said = [vote for vote in said if seconds(vote.rpartition("@")[2]) < at]  # in the same second, the strictest word counts
    facts = row(policy, found, said, now)
    enough = row(policy, found, [*said, *(f"{who}+full@{at}" for who in DECIDERS)], now)
    if facts.decided().asked:
        assert enough.decided().state == "approved"


def test_a_person_decides_where_the_judge_failed(github: FakeGitHub, repository: Repository, people: People) -> None:
    """A stranger does not turn it, somebody who may decide does, and a push asks anew."""
    assert people.run(**FAILS).code == 3
    head = github.head(1)
    assert f"/helix approve {head}" in summary(github) and check(github).conclusion == "failure"
    people.says("eve", f"/helix approve {head[:7]}")
    assert check(github).conclusion == "failure" and "@eve has the role write" in answers(github)[-1].replace("\u200b", "")
    people.says("max", f"/helix approve {head[:7]}")
    assert check(github).conclusion == "success" and f"max approved {head[:7]}" in summary(github)
    push(repository, "docs/adr/0007-kafka.md", (repository.root / "docs/adr/0007-kafka.md").read_text() + "\nA sentence more.\n")
    assert people.run(**FAILS).code == 3 and check(github).conclusion == "failure", "an approval is of one commit"


def test_a_deadline_escalates_it_and_never_approves_it(github: FakeGitHub, repository: Repository, people: People) -> None:
    policy(repository, "{deadlines: {expertise: 1h}, on_expiry: {action: escalate, escalate_to: [anna]}}")
    people.run(**FAILS)
    after(github, 1)
    people.sweep()
    calls = [item.body for item in github.comments.values() if item.body.startswith("@anna")]
    assert len(calls) == 1 and f"/helix approve {github.head(1)}" in calls[0]
    after(github, 24)
    people.sweep()
    assert check(github).conclusion == "failure" and "nobody decided before the deadline" in summary(github)
    assert "/helix approve" not in summary(github), "no line that would not be counted"


@pytest.mark.parametrize("lost", ["check", "judge"])
def test_a_step_that_did_not_run_is_for_nobody_to_approve(lost: str, github: FakeGitHub, people: People) -> None:
    job = people.job()
    job.step("snapshot", GITHUB_TOKEN=WRITER)
    if lost == "judge":
        job.step("check")
    assert job.step("publish", GITHUB_TOKEN=WRITER).code == 3
    people.says("max", f"/helix approve {github.head(1)}")
    assert check(github).conclusion == "failure" and "/helix approve" not in summary(github)
