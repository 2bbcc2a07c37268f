"""Approval types with `agent: skip` and `agent: manual`: nobody or a person approves, no judge is asked."""

from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import ADR, BROKEN, Ended
from tests.stories.pull_request.scene import Runner, check, main_has, push, push_all, texts

APPROVALS = "config/approvals.yaml"
SKIP = "approvals: {adr: {agent: skip}}\n"
MANUAL = "approvals: {adr: {agent: manual}}\n"


def run(runner: Runner, judge: dict[str, str] | None = None) -> Ended:
    return runner.job().steps(judge)


def test_nobody_approves_and_it_is_said(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    main_has(repository, APPROVALS, SKIP)
    assert run(runner).code == 0
    assert check(github).conclusion == "success"
    assert "agent: skip runs no judge; only the rules decide" in texts(github)


def test_the_rules_still_reject(repository: Repository, github: FakeGitHub, runner: Runner) -> None:
    main_has(repository, APPROVALS, SKIP)
    push(repository, ADR, BROKEN)
    assert run(runner).code == 1 and check(github).conclusion == "failure"


@pytest.mark.parametrize("has_key", [False, True])
def test_a_person_approves(
    has_key: bool, repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    main_has(repository, APPROVALS, MANUAL)
    judge: dict[str, Any] = runner.judge(structured={}) if has_key else {}
    assert run(runner, judge).code == 4 and check(github).conclusion == "action_required"
    assert "no judge reviews this type, so a person decides" in texts(github)
    head = repository.git("rev-parse", "HEAD").stdout.strip()
    github.review(1, "max", "APPROVED", head)
    assert run(runner, judge).code == 0 and check(github).conclusion == "success"


@pytest.mark.parametrize(("before", "after"), [(MANUAL, SKIP), ("approvals: {adr: {}}\n", SKIP)])
def test_a_change_to_skip_is_decided_by_a_person(
    before: str, after: str, repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    """Attack on a custom gate: `agent: skip` in the change.
    Answer: a person decides.
    """
    main_has(repository, APPROVALS, before)
    push_all(repository, {APPROVALS: after})
    assert run(runner, runner.judge(structured={})).code == 4
    assert check(github).conclusion == "action_required"
    assert "approvals.adr.agent" in texts(github) and "skip" in texts(github)
