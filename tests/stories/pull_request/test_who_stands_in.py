"""Who decides in the place of somebody else, and what coding agents wrote: on the page, in the record, in the audit."""

import json
from collections.abc import Callable

import pytest

from tests.conftest import Repository, Result, Run
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import READER
from tests.stories.pull_request.scene import (
    People,
    after,
    answers,
    check,
    policy,
    push,
    summary,
)

DAYS = "since: 2026-01-01, until: 2026-01-31"
STANDS_IN = f"{{delegates: [{{from: Max, to: eve, {DAYS}}}]}}"
CLAUDE = "Use Kafka\n\nCo-Authored-By: Claude Opus 4.8 <noreply@anthropic.com>"


@pytest.fixture
def audit(github: FakeGitHub, run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("GITHUB_TOKEN", READER)
    monkeypatch.setenv("GITHUB_API_URL", github.url)
    monkeypatch.setenv("GITHUB_REPOSITORY", "acme/decisions")
    return run


def sticky(github: FakeGitHub) -> str:
    (body,) = (item.body for item in github.comments.values() if "helix:sticky" in item.body)
    return body


def said(people: People, by: str, line: str) -> str:
    """Return what the check concludes after a comment."""
    people.says(by, line)
    return str(check(people.github).conclusion)


def by_claude(repository: Repository) -> None:
    repository.git("commit", "--quiet", "--amend", "-m", CLAUDE)


def test_a_delegate_decides_and_it_is_said_for_whom(
    repository: Repository, github: FakeGitHub, people: People, audit: Callable[..., Result]
) -> None:
    policy(repository, STANDS_IN)
    head = people.pending()
    assert "Delegates: eve for Max until 2026-01-31." in summary(github)
    done = people.says("eve", f"/helix approve {head}")
    assert (done.code, check(github).conclusion) == (0, "success")
    assert "@\u200beve (as delegate of @\u200bMax) approved" in sticky(github)
    shown = audit("audit", "1")
    assert shown.code == 0, shown.out
    assert "[counts (as delegate of @Max)]" in shown.out
    assert "@eve for @Max, 2026-01-01 to 2026-01-31" in shown.out
    (line,) = json.loads(audit("audit", "1", "--format", "json").out)["recorded"]["decisions"][-1:]
    assert line["delegates"] == ["@eve for @Max, 2026-01-01 to 2026-01-31"]
    assert [(vote["by"], vote["as"], vote["delegate_of"]) for vote in line["votes"]] == [
        ("eve", "role", "Max")
    ]


def test_both_have_one_vote_together(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{minimum_approvals: 2, delegates: [{{from: max, to: eve, {DAYS}}}]}}")
    head = people.pending()
    assert said(people, "max", f"/helix approve {head}") == "action_required"
    assert said(people, "eve", f"/helix approve {head}") == "action_required"
    assert "share one vote" in summary(github)
    assert said(people, "anna", f"/helix approve {head}") == "success"
    assert "Approved by" in check(github).output["title"]


def test_a_delegate_whose_days_are_over_is_told_so(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, "{delegates: [{from: max, to: eve, since: 2025-12-01, until: 2026-01-04}]}")
    head = people.pending()
    assert "Delegates: " not in summary(github)
    assert said(people, "eve", f"/helix approve {head}") == "action_required"
    assert "on other days: 2025-12-01 to 2026-01-04" in answers(github)[-1]


@pytest.mark.further
def test_nobody_approves_their_own_change_through_a_delegate(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, f"{{delegates: [{{from: alice, to: eve, {DAYS}}}]}}")
    github.people["alice"] = "admin"
    head = people.pending()
    assert said(people, "eve", f"/helix approve {head}") == "action_required"
    assert "who is an author" in answers(github)[-1]


@pytest.mark.further
def test_the_objection_of_a_delegate_counts(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, STANDS_IN)
    head = people.pending()
    assert said(people, "eve", "/helix reject it needs a diagram") == "failure"
    assert "as delegate of" in sticky(github)
    assert said(people, "max", f"/helix approve {head}") == "failure"
    assert said(people, "eve", f"/helix approve {head}") == "success"


def test_two_people_approve_what_an_agent_wrote(
    repository: Repository, github: FakeGitHub, people: People, audit: Callable[..., Result]
) -> None:
    policy(repository, "{authors: {agents: {minimum_approvals: 2}}}")
    by_claude(repository)
    head = people.pending()
    told = "Coding agents wrote part of the change (Claude Opus 4.8), so it needs 2 approvals."
    assert told in summary(github) and "2 maintainers" in check(github).output["title"]
    assert said(people, "max", f"/helix approve {head}") == "action_required"
    assert said(people, "anna", f"/helix approve {head}") == "success"
    shown = audit("audit", "1")
    assert shown.code == 0 and "coding agents wrote part of it: Claude Opus 4.8" in shown.out
    line = json.loads(audit("audit", "1", "--format", "json").out)["recorded"]["decisions"][-1]
    assert (line["minimum_approvals"], line["agents"]) == (2, ["Claude Opus 4.8"])


@pytest.mark.further
def test_one_person_approves_what_people_wrote(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    policy(repository, "{authors: {agents: {minimum_approvals: 2}}}")
    head = people.pending()
    assert "Coding agents" not in summary(github)
    assert said(people, "max", f"/helix approve {head}") == "success"
    push(repository, "docs/adr/0009-more.md", "# 9. More\n")
    by_claude(repository)


def test_a_judge_asks_for_a_person(
    repository: Repository, github: FakeGitHub, people: People, audit: Callable[..., Result]
) -> None:
    """Attack by a hostile pull request: make a judge ask for a person, or forge a mark so that the named deciders are not called.
    Answer: a person decides, and a deadline never does; only marks in our own comments count.
    Shown by: `test_a_judge_asks_for_a_person`, `test_a_mark_of_somebody_else_keeps_nobody_from_being_called`.
    """
    policy(repository, "{deadlines: {expertise: 24h}, on_expiry: {action: auto_approve}}")
    asked = {"needs_person": "Is a second broker worth its costs? </details> @octocat"}
    head = people.pending(structured=asked)
    shown = summary(github)
    assert "adr: the judge asks for a person: Is a second broker worth its costs?" in shown
    assert "@octocat" not in shown and "</details> @" not in shown
    line = json.loads(audit("audit", "1", "--format", "json").out)["recorded"]["decisions"][-1]
    assert (line["status"], line["category"]) == ("pending", "expertise")
    after(github, 25)
    people.sweep()
    assert check(github).conclusion == "failure"  # nothing of it is approved by time
    assert said(people, "max", f"/helix approve {head}") == "failure"
