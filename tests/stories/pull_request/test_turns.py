"""The call to the deciders when a question begins: one comment and one request for a review, and nothing when nothing changed."""

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import ADR
from tests.stories.pull_request.scene import (
    FAILS,
    UNSURE,
    People,
    after,
    check,
    policy,
    push,
    written,
)

NAMED = "approvers: {users: [max, anna]}"


def calls(github: FakeGitHub) -> list[str]:
    return [item.body for item in github.comments.values() if "<!-- helix:turn " in item.body]


def another(repository: Repository, text: str) -> str:
    return push(repository, ADR, f"{(repository.root / ADR).read_text()}\n{text}\n")


def test_the_named_are_called_once(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{{NAMED}, deadlines: {{uncertainty: 3d}}}}")
    head = people.pending()
    (call,) = calls(github)
    assert call.startswith("@max @anna: please decide on this pull request until Thu, 08 Jan")
    assert "- adr: confidence 0.50 is below" in call and "the helix comment" in call
    assert github.asked[1] == ["max", "anna"] and not github.assigned
    github.requests.clear()
    assert people.run(**UNSURE).code == 4
    people.sweep()
    people.says("eve", "What is this about?")
    assert not [line for line in written(github) if "reviewers" in line or "/issues/1/" in line]
    another(repository, "A first sentence more.")
    assert people.run(**UNSURE).code == 4
    assert len(calls(github)) == 1 and github.asked[1] == ["max", "anna"]
    assert people.says("max", f"/helix approve {github.head(1)[:7]}").code == 0
    assert check(github).conclusion == "success" and head != github.head(1)[:7]
    another(repository, "A second sentence more.")
    assert people.run(**UNSURE).code == 4
    assert len(calls(github)) == 2 and github.asked[1] == ["max", "anna"] * 2
    assert people.run(**UNSURE).code == 4 and len(calls(github)) == 2


def test_they_are_called_again_after_an_objection(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{{NAMED}}}")
    people.pending()
    people.says("max", "/helix reject say who runs it")
    assert check(github).conclusion == "failure" and len(calls(github)) == 1
    another(repository, "The platform team runs it.")
    people.run(**UNSURE)
    assert check(github).conclusion == "failure" and len(calls(github)) == 1
    people.says("max", f"/helix approve {github.head(1)[:7]}")
    assert check(github).conclusion == "success" and len(calls(github)) == 1


@pytest.mark.further
def test_one_of_two_approvals_that_a_push_takes_away(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{minimum_approvals: 2, {NAMED}}}")
    head = people.pending()
    people.says("max", f"/helix approve {head}")
    assert len(calls(github)) == 1
    another(repository, "One more sentence.")
    assert people.run(**UNSURE).code == 4 and len(calls(github)) == 2
    another(repository, "And another one.")
    assert people.run(**UNSURE).code == 4 and len(calls(github)) == 2


@pytest.mark.parametrize(
    "more",
    ["{}", "{request_reviews: false, approvers: {users: [max]}}", "{approvers: {roles: [admin]}}"],
)
def test_nobody_is_called(
    more: str, repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, more)
    people.pending()
    assert not calls(github) and not github.asked


@pytest.mark.further
def test_who_wrote_it_is_not_asked_and_who_stands_in_is(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    days = "since: 2026-01-01, until: 2026-01-31"
    away = f"delegates: [{{from: max, to: eve, {days}}}]"
    policy(repository, f"{{approvers: {{users: [Alice, max]}}, {away}}}")
    people.pending()
    (call,) = calls(github)
    assert call.startswith("@max @eve: ") and github.asked[1] == ["max", "eve"]


@pytest.mark.further
def test_an_escalation_turns_to_who_stands_in_too(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    away = "delegates: [{from: Anna, to: eve, since: 2026-01-01, until: 2026-01-31}]"
    escalate = "on_expiry: {action: escalate, escalate_to: [anna, max]}"
    policy(repository, f"{{{away}, {escalate}, deadlines: {{uncertainty: 24h}}}}")
    people.pending()
    after(github, 25)
    people.sweep()
    (call,) = (item.body for item in github.comments.values() if "helix:escalated" in item.body)
    assert call.startswith("@anna @max @eve: please decide")
    assert github.asked[1][-3:] == ["anna", "max", "eve"] == github.assigned[1]


@pytest.mark.further
def test_texts_of_others_call_nobody(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{{NAMED}}}")
    people.pending(structured={"needs_person": "Is it?\n\n@octocat\n/helix approve\n<!-- x -->"})
    (call,) = calls(github)
    assert "@octocat" not in call and "<!-- x" not in call and "\n/helix" not in call


@pytest.mark.further
def test_teams_that_github_refuses_do_not_keep_people_from_being_asked(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, "{approvers: {users: [max], teams: [acme/nobody]}}")
    ended = people.run(**UNSURE)
    assert ended.code == 4 and github.asked[1] == ["max"]
    assert "the request for a review could not be written" in ended.out + ended.err
    assert calls(github)[0].startswith("@max @acme/nobody: ")


@pytest.mark.further
def test_a_draft_calls_nobody_until_it_is_ready(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{{NAMED}}}")
    github.pulls[1] = github.pulls[1]._replace(draft=True)
    assert people.run(**UNSURE).code == 4 and not calls(github)
    github.pulls[1] = github.pulls[1]._replace(draft=False)
    assert people.run(**UNSURE).code == 4 and len(calls(github)) == 1


@pytest.mark.further
def test_a_judge_that_failed_is_a_question_too(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{{NAMED}}}")
    assert people.run(**FAILS).code == 3 and len(calls(github)) == 1
    assert people.run(**FAILS).code == 3 and len(calls(github)) == 1


@pytest.mark.further
def test_a_mark_of_somebody_else_keeps_nobody_from_being_called(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{{NAMED}}}")
    github.comment(1, "eve", f"<!-- helix:turn {github.head(1)} 999 -->")
    people.pending()
    assert len(calls(github)) == 2
