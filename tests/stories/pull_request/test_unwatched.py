"""The Action on settings that watch nothing: those of the base count, measured by the files that a merge leaves there.

Attack by a hostile pull request: settings that watch nothing, at the base or by the change; the last ADR removed.
Answer: the state is settings broken, or a person decides.
Shown by: `tests/stories/pull_request/test_unwatched.py`.
"""

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import ADR
from tests.stories.pull_request.scene import Runner, check, main_has, push, texts

SETTINGS = ".helix-hooks.yaml"
ELSEWHERE = 'paths: ["docs/decisions/**/*.md"]\n'
OTHER = "docs/decisions/0001-orders.md"
ORDERS = (
    "# 1. Take orders\n\n## Status\n\nProposed\n\n## Context\n\nOrders come by telephone, and some are lost.\n\n"
    "## Decision\n\nWe will take orders on a web page.\n\n## Consequences\n\nSomebody has to keep the page running.\n"
)


def conclusion(github: FakeGitHub, runner: Runner, number: int = 1) -> tuple[int, str]:
    done = runner.run(number)
    return done.code, check(github).conclusion


def main_lacks(repository: Repository, path: str) -> None:
    repository.git("checkout", "--quiet", "main")
    repository.git("rm", "--quiet", "-r", path)
    repository.commit()


def test_settings_of_the_base_that_watch_nothing(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, SETTINGS, ELSEWHERE)
    assert conclusion(github, runner) == (2, "failure")
    assert check(github).output["title"] == "Settings of the base are broken: repair them first"
    assert (
        ".helix-hooks.yaml:1: paths: they match no tracked file" in check(github).output["summary"]
    )
    assert "look like ADRs: write paths" in check(github).output["summary"], check(github).output[
        "summary"
    ]
    github.review(1, "anna")
    assert conclusion(github, runner) == (2, "failure"), "no vote makes up for it"


def test_a_change_that_makes_the_settings_watch_nothing(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    push(repository, SETTINGS, ELSEWHERE)
    assert conclusion(github, runner) == (
        2,
        "failure",
    ) and "before this change: docs/adr/" in texts(github)


def test_the_repair_of_settings_waits_for_a_person(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, SETTINGS, ELSEWHERE)
    push(repository, SETTINGS, 'paths: ["docs/adr/**/*.md"]\n')
    assert conclusion(github, runner) == (4, "action_required")
    github.review(1, "anna")
    assert conclusion(github, runner) == (0, "success")


def test_paths_deleted_waits_for_a_person(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(repository, SETTINGS, ELSEWHERE)
    repository.git("rm", "--quiet", SETTINGS)
    repository.commit()
    assert conclusion(github, runner) == (4, "action_required")


def test_the_first_adr_of_the_settings(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("rm", "--quiet", ADR)
    repository.commit()
    main_has(repository, SETTINGS, ELSEWHERE)
    push(repository, OTHER, ORDERS)
    assert conclusion(github, runner) == (0, "success"), texts(github)
    assert "1 ADR at" in texts(github)


@pytest.mark.sampled
@pytest.mark.parametrize("to", ["", "notes/0001-orders.md", "docs/adr/0001-orders.md"])
def test_the_last_adr_of_the_settings_goes(
    to: str, github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "main")
    push(repository, SETTINGS, ELSEWHERE)
    push(repository, OTHER, ORDERS)
    repository.git("checkout", "--quiet", "-b", "other")
    if to:
        (repository.root / to).parent.mkdir(parents=True, exist_ok=True)
    repository.git(*(["mv", OTHER, to] if to else ["rm", "--quiet", OTHER]))
    repository.commit()
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == (2, "failure")
    assert f"before this change: {OTHER}" in check(github).output["summary"]


@pytest.mark.further
def test_the_last_adr_goes_with_its_settings(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "main")
    push(repository, SETTINGS, ELSEWHERE)
    push(repository, OTHER, ORDERS)
    repository.git("checkout", "--quiet", "-b", "other")
    repository.git("rm", "--quiet", "-r", OTHER, SETTINGS, "docs/adr")
    repository.commit()
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == (4, "action_required")


def test_the_last_adr_goes_without_settings(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "main")
    repository.git("rm", "--quiet", "-r", "docs")
    repository.commit()
    push(repository, "docs/adr/0001-orders.md", ORDERS)
    repository.git("checkout", "--quiet", "-b", "other")
    repository.git("rm", "--quiet", "docs/adr/0001-orders.md")
    repository.commit()
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == (4, "action_required")
    assert "no ADR is left in this repository" in check(github).output["summary"]


def test_a_branch_from_before_the_adrs_were_moved(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "-b", "other", "main")
    push(repository, "src/new.py", "x = 1\n")
    repository.git("checkout", "--quiet", "main")
    repository.git("mv", "docs/adr", "docs/decisions")
    push(repository, SETTINGS, ELSEWHERE)
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == (0, "success"), (
        "it touches none of them, and the merge has them all"
    )


def test_a_file_that_looks_like_an_adr(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "main")
    push(repository, SETTINGS, ELSEWHERE)
    push(repository, OTHER, ORDERS)
    repository.git("checkout", "--quiet", "-b", "other")
    push(repository, "docs/adr/0099-cache.md", ORDERS)
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == (1, "failure") and "unwatched-adr" in texts(github)
    push(repository, SETTINGS, f'{ELSEWHERE}exclude: ["docs/adr/**"]\n')
    assert conclusion(github, runner, 2) == (4, "action_required") and "unwatched-adr" in texts(
        github
    ), "the base's `exclude` counts"


def test_a_repository_without_any_adr(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "main")
    repository.git("rm", "--quiet", "-r", "docs")
    repository.commit()
    repository.git("checkout", "--quiet", "-b", "other")
    push(repository, "src/new.py", "x = 1\n")
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == (0, "success")
    assert "no ADR in this repository" in check(github).output["summary"]


@pytest.mark.further
def test_a_new_type_without_paths(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(
        repository, "config/approvals.yaml", "approvals:\n  adr: {}\n  poetry: {enabled: true}\n"
    )
    assert conclusion(github, runner) == (2, "failure")
    assert "config/approvals.yaml:3: approvals.poetry" in check(github).output["summary"]


@pytest.mark.further
def test_a_type_that_reviews_nothing(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    main_has(
        repository, "config/approvals.yaml", "approvals:\n  adr: {}\n  code: {paths: ['scr/**']}\n"
    )
    assert conclusion(github, runner) == (0, "success")
    assert "Not checked: the approval type code reviews nothing" in check(github).output["summary"]


@pytest.mark.further
def test_an_old_branch_that_edits_the_project_file(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "-b", "other", "main")
    push(repository, "pyproject.toml", "[project]\nname = 'x'\n")
    repository.git("checkout", "--quiet", "main")
    push(repository, SETTINGS, ELSEWHERE)
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == (2, "failure"), (
        "the base watches nothing, and the change does not repair that"
    )


PLAIN = "on: push\npermissions: {contents: read}\njobs:\n  build:\n    runs-on: x\n"


@pytest.mark.parametrize(("path", "text", "asks"), [
    ("docs/CODEOWNERS", "* @acme/all\n", True),
    (".github/workflows/build.yml", PLAIN, False),
    (".github/workflows/build.yml", PLAIN.replace("contents: read", "statuses: write"), True),
    (".github/workflows/build.yml", PLAIN.replace("  build:", "  helix:"), True),
    (".github/workflows/build.yml", "on: [push\n", True),
])  # fmt: skip
def test_a_file_by_which_another_could_write_the_check(
    path: str, text: str, asks: bool, github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    """Also in a repository without a policy, whose ADRs the judge alone approves.

    Attack by a hostile pull request: a change of CODEOWNERS, a workflow whose token may write checks or statuses, a job or a matrix named like the check.
    Answer: a person decides, also without a policy.
    Shown by: `test_a_file_by_which_another_could_write_the_check`, `codeowners-*` and `workflow-*` in `tests/cases/loosened`.
    """
    repository.git("checkout", "--quiet", "main")
    repository.git("checkout", "--quiet", "-b", "other")
    push(repository, path, text)
    github.open_pull(2, head="other")
    assert conclusion(github, runner, 2) == ((4, "action_required") if asks else (0, "success"))
    assert not asks or path in check(github).output["summary"]
