"""Whether an answer counts, and what it decides."""

import pytest

from helix_hooks.config.policy import Policy
from helix_hooks.waiting.answering import (
    already_decided,
    approvals,
    is_repeated,
    refusal,
    swept,
    with_vote,
)
from helix_hooks.waiting.request import APPROVED, PENDING, REJECTED, ApprovalRequest, Asker
from tests.unit.waiting.asked import JANE, START, policy, request, vote

BOT = Asker("ci[bot]", verified=True, on_behalf_of="Zoe")
SOMEBODY = Asker("jane", verified=False)


def asked_by(asker: Asker, by: Policy | None = None) -> ApprovalRequest:
    return request(by)._replace(requested_by=asker)


@pytest.mark.parametrize(
    ("asker", "voter", "verified", "words"),
    [
        (JANE, "max", True, ""),
        (JANE, "JANE", True, "@JANE requested this and can't approve it"),
        (BOT, "max", True, ""),
        (BOT, "zoe", True, "requested this on behalf of @zoe, who can't approve it"),
        (BOT, "ci[bot]", True, "bots cannot approve"),
        (BOT, "other[bot]", True, "bots cannot approve"),
        (SOMEBODY, "max", True, "is not verified, so self-approval can't be ruled out"),
        (SOMEBODY, "jane", False, ""),
        (JANE, "jane", False, "GitHub confirmed that @jane asked, so it must confirm who approves"),
        (JANE, "max", False, "set GITHUB_TOKEN, or log in with `gh auth login`"),
        (BOT, "max", False, "GitHub confirmed that @ci[bot] asked"),
    ],
)
def test_who_approves(asker: Asker, voter: str, verified: bool, words: str) -> None:
    why = refusal(asked_by(asker), vote(voter, verified=verified), policy())
    assert words in why and bool(words) == bool(why)


@pytest.mark.parametrize("asker", [JANE, BOT, SOMEBODY])
@pytest.mark.parametrize("voter", ["jane", "zoe", "max"])
def test_everybody_with_the_right_may_reject(asker: Asker, voter: str) -> None:
    assert refusal(asked_by(asker), vote(voter, approves=False), policy()) == ""


def test_a_bot_does_not_reject_either() -> None:
    assert "bots cannot approve" in refusal(request(), vote("x[bot]", approves=False), policy())


@pytest.mark.parametrize("asker", [JANE, SOMEBODY])
def test_the_sole_maintainer_approves_what_they_asked_for(asker: Asker) -> None:
    assert refusal(asked_by(asker), vote("jane"), policy(sole="Jane")) == ""


def test_names_that_nobody_confirmed_are_no_two_people() -> None:
    two = policy(minimum=2)
    told = refusal(asked_by(SOMEBODY, two), vote("a", verified=False), two)
    assert "GitHub must confirm each" in told
    tightened = refusal(asked_by(SOMEBODY), vote("a", verified=False), two)
    assert "2 people must approve" in tightened, "the policy of now counts as well"


def test_several_approvals() -> None:
    """Attack on the queue: approve twice, under two names that nobody confirmed, or beside one's own delegate.
    Answer: one vote.
    Shown by: `test_several_approvals`, `test_names_that_nobody_confirmed_are_no_two_people`, `test_a_person_and_their_delegate_have_one_vote`.
    """
    two = policy(minimum=2)
    first = with_vote(request(two), vote("max"), two)
    again = with_vote(first, vote("MAX", at=START + 70), two)
    assert (first.status, again.status, approvals(again)) == (PENDING, PENDING, 1)
    second = with_vote(again, vote("eve", at=START + 80, reason="fine"), two)
    assert (second.status, second.decided_at, second.comment) == (APPROVED, START + 80, "fine")


def test_one_objection_rejects_after_an_approval() -> None:
    two = policy(minimum=2)
    first = with_vote(request(two), vote("max"), two)
    ended = with_vote(first, vote("eve", approves=False, reason="no"), two)
    assert (ended.status, ended.comment) == (REJECTED, "no")
    own = with_vote(first, vote("max", approves=False), two)
    assert (own.status, len(own.votes)) == (REJECTED, 1)


def test_a_minimum_never_falls_below_that_of_the_request() -> None:
    first = with_vote(request(policy(minimum=2)), vote("max"), policy(minimum=1))
    assert (first.status, first.minimum) == (PENDING, 2)
    raised = with_vote(request(policy(minimum=1)), vote("max"), policy(minimum=3))
    assert (raised.status, raised.minimum) == (PENDING, 3)


def test_whoever_comes_second_is_told_who_was_first() -> None:
    ended = with_vote(request(), vote("max"), policy())
    assert already_decided(ended, vote("eve", approves=False)).startswith(
        f"request {ended.id} was approved by @max on Fri, 15 Jan 2027 08:01 UTC; the rejection by "
        "@eve was not recorded"
    )
    assert "the approval by @eve" in already_decided(ended, vote("eve"))


@pytest.mark.parametrize(("approves", "other"), [(True, False), (False, True)])
def test_the_same_answer_of_the_same_person_stands(approves: bool, other: bool) -> None:
    ended = with_vote(request(), vote("max", approves=approves), policy())
    assert is_repeated(ended, vote("Max", approves=approves, at=START + 90))
    assert already_decided(ended, vote("Max", approves=approves)) == ""
    assert already_decided(ended, vote("max", approves=other))
    assert not is_repeated(ended, vote("max", approves=approves, verified=False))


def test_of_two_who_are_not_confirmed_the_second_is_told_who_was_first() -> None:
    ended = with_vote(asked_by(SOMEBODY), vote("jane", verified=False), policy())
    other = vote("max", verified=False)
    assert not is_repeated(ended, other)
    assert "was approved by jane (not verified) on" in already_decided(ended, other)
    assert is_repeated(ended, vote("jane", verified=False, at=START + 90))


def test_a_vote_that_did_not_suffice_is_no_approval_after_the_deadline() -> None:
    two = policy(minimum=2, deadline=100)
    ended, _ = swept(with_vote(request(two), vote("max"), two), START + 100)
    why = already_decided(ended, vote("max", at=START + 101))
    assert "has expired on" in why and "by @max was not recorded" in why


def test_a_person_and_their_delegate_have_one_vote() -> None:
    two = policy(minimum=2)
    first = with_vote(request(two), vote("alice"), two)
    second = with_vote(first, vote("bob", right="delegate of @Alice"), two)
    assert (second.status, approvals(second), len(second.votes)) == (PENDING, 1, 2)
    assert with_vote(second, vote("max"), two).status == APPROVED


def test_the_delegate_of_the_asker_does_not_approve() -> None:
    why = refusal(request(), vote("bob", right="delegate of @Jane"), policy())
    assert why == "@bob is a delegate of @Jane, who requested this"
    own = vote("bob", right="delegate of @jane", approves=False)
    assert refusal(request(), own, policy()) == ""
