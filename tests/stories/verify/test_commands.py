"""Commands of the settings as evidence: real programs, as the settings at the base name them."""

import json
import sys

import pytest

from tests.conftest import Repository, Run
from tests.stories.check.samples import expect
from tests.stories.verify.work import ADR, PATH, START, commit_all, deliver, start
from tests.stories.verify.work import states as states_of

SETTINGS = "config/approvals.yaml"
LINT = f"{sys.executable} lint.py"


def with_commands(repository: Repository, lint: str, adr: str = ADR, more: str = "") -> None:
    settings = f"verify:\n  commands:\n    lint: {LINT}\n{more}"
    start(repository, adr, {**START, SETTINGS: settings, "lint.py": lint})


def test_a_command_that_succeeds_is_evidence(repository: Repository, run: Run) -> None:
    adr = f"{ADR}\n## Acceptance Criteria\n\n- [ ] `git diff --check` finds nothing\n"
    settings = "verify:\n  commands:\n    blanks: git diff --check\n"
    start(repository, adr, {**START, SETTINGS: settings})
    deliver(repository)
    found = states_of(run, "ADR-014")
    assert found["command git diff --check"] == "shown"
    assert found["criterion git diff --check finds nothing"] == "shown"
    assert run("verify", "ADR-014").code == 0


@pytest.mark.parametrize(
    ("lint", "more", "reason"),
    [
        (
            "print('one\\ntwo is wrong')\nraise SystemExit(1)\n",
            "",
            "it ended with exit code 1: two is wrong",
        ),
        ("import time\ntime.sleep(60)\n", "  timeout: 1\n", "it was stopped after 1 seconds"),
    ],
)
def test_a_command_that_fails_or_hangs_is_missing_work(
    lint: str, more: str, reason: str, repository: Repository, run: Run
) -> None:
    with_commands(repository, lint, more=more)
    deliver(repository)
    expect(run("verify", "ADR-014"), 1, f"`{LINT}` failed: {reason}")


def test_a_command_that_is_not_there_fails_the_run(repository: Repository, run: Run) -> None:
    settings = "verify:\n  commands:\n    lint: no-such-program x\n"
    start(repository, files={**START, SETTINGS: settings})
    deliver(repository)
    reason = "there is no program no-such-program, so it could not be started"
    expect(run("verify", "ADR-014"), 3, f"`no-such-program x` was not run: {reason}")


@pytest.mark.parametrize("arguments", [["--no-commands"], ["--head", "HEAD"]])
def test_without_commands_they_show_nothing(
    arguments: list[str], repository: Repository, run: Run
) -> None:
    with_commands(repository, "raise SystemExit(1)\n")
    deliver(repository)
    commit_all(repository, "All")
    result = run("verify", "ADR-014", "--format", "json", *arguments)
    assert result.code == 4
    (found,) = json.loads(result.out)["results"]
    states = [item["state"] for item in found["expectations"] if item["kind"] == "command"]
    assert states == ["unchecked"]


def test_the_commands_of_the_change_are_not_run(delivered: Repository, run: Run) -> None:
    """Attack on a verification: commands in the settings of the change.
    Answer: not run; those of the base run in the work tree only, and never in a job with a secret.
    """
    delivered.write(SETTINGS, "verify:\n  commands:\n    evil: touch evil\n")
    commit_all(delivered, "All")
    run("verify", "ADR-014")
    assert not (delivered.root / "evil").exists()


def test_no_command_runs_without_a_contract(repository: Repository, run: Run) -> None:
    with_commands(repository, "open('ran', 'w')\n", ADR.replace("Accepted", "Proposed"))
    assert run("verify", PATH).code == 4
    assert run("verify").code == 0
    assert not (repository.root / "ran").exists()
