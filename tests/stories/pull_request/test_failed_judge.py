"""A judge that gave no verdict is a question to people. A step that failed is none: no vote turns it."""

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import WRITER
from tests.stories.pull_request.scene import (
    FAILS,
    People,
    after,
    answers,
    check,
    policy,
    push,
    summary,
)


@pytest.mark.further
def test_a_person_decides_where_the_judge_failed(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """A stranger does not turn it, somebody who may decide does, and a push asks anew."""
    assert people.run(**FAILS).code == 3
    head = github.head(1)
    assert f"/helix approve {head}" in summary(github) and check(github).conclusion == "failure"
    people.says("eve", f"/helix approve {head[:7]}")
    assert check(github).conclusion == "failure" and "@eve has the role write" in answers(github)[
        -1
    ].replace("\u200b", "")
    people.says("max", f"/helix approve {head[:7]}")
    assert check(github).conclusion == "success" and f"max approved {head[:7]}" in summary(github)
    push(
        repository,
        "docs/adr/0007-kafka.md",
        (repository.root / "docs/adr/0007-kafka.md").read_text() + "\nA sentence more.\n",
    )
    assert people.run(**FAILS).code == 3 and check(github).conclusion == "failure", (
        "an approval is of one commit"
    )


@pytest.mark.further
def test_a_deadline_escalates_it_and_never_approves_it(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    policy(
        repository,
        "{deadlines: {expertise: 1h}, on_expiry: {action: escalate, escalate_to: [anna]}}",
    )
    people.run(**FAILS)
    after(github, 1)
    people.sweep()
    calls = [item.body for item in github.comments.values() if item.body.startswith("@anna")]
    assert len(calls) == 1 and f"/helix approve {github.head(1)}" in calls[0]
    after(github, 24)
    people.sweep()
    assert check(
        github
    ).conclusion == "failure" and "nobody decided before the deadline" in summary(github)
    assert "/helix approve" not in summary(github), "no line that would not be counted"


@pytest.mark.parametrize("lost", ["check", "judge"])
def test_a_step_that_did_not_run_is_for_nobody_to_approve(
    lost: str, github: FakeGitHub, people: People
) -> None:
    job = people.job()
    job.step("snapshot", GITHUB_TOKEN=WRITER)
    if lost == "judge":
        job.step("check")
    assert job.step("publish", GITHUB_TOKEN=WRITER).code == 3
    people.says("max", f"/helix approve {github.head(1)}")
    assert check(github).conclusion == "failure" and "/helix approve" not in summary(github)
