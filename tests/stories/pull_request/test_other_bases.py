"""Pull requests for a branch that is neither the default one nor protected, and pull requests that get another base."""

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub, Fault, Token
from tests.fakes.runner import ADR, BROKEN, READER, WRITER, WRITES, Ended, Job
from tests.stories.pull_request.scene import (
    FORBIDDEN,
    LOST,
    REPOSITORY,
    UNSURE,
    People,
    Runner,
    push,
)

FEATURE = "helix (feature/x)"
BRANCH = f"{REPOSITORY}/branches/feature%2Fx"


def conclusions(github: FakeGitHub) -> dict[str, str | None]:
    """The conclusion of the latest check run of each name at the head."""
    head = github.head(1)
    return {run.name: run.conclusion for run in github.runs.values() if run.sha == head}


def goes_to(github: FakeGitHub, base: str) -> None:
    github.pulls[1] = github.pulls[1]._replace(base=base)
    github.touch(1)


def retargeted(github: FakeGitHub, people: Runner, base: str, **case: object) -> Ended:
    """The run that GitHub starts when somebody chooses another base."""
    return edited(github, people, base).steps(people.judge(**case))


def edited(github: FakeGitHub, people: Runner, base: str) -> Job:
    before = github.pulls[1].base
    goes_to(github, base)
    job = people.job()
    text = (job.folder / "event.json").read_text()
    changes = f'{{"action": "edited", "changes": {{"base": {{"ref": {{"from": "{before}"}}}}}}, '
    (job.folder / "event.json").write_text(changes + text[1:])
    return job


@pytest.fixture
def feature(github: FakeGitHub, repository: Repository) -> FakeGitHub:
    """The pull request is for a branch that anybody could have created."""
    repository.git("branch", "feature/x", "main")
    goes_to(github, "feature/x")
    return github


def test_a_branch_that_anybody_may_create_writes_no_helix(
    feature: FakeGitHub, runner: Runner
) -> None:
    assert runner.run().code == 0
    assert conclusions(feature) == {FEATURE: "success"}
    assert runner.run().code == 0 and len(feature.runs) == 1, (
        "a second run edits the same check run"
    )
    (told,) = [
        seen for seen in feature.requests if seen.verb == "POST" and "check-runs" in seen.path
    ]
    assert told.body["name"] == FEATURE
    assert "neither the default branch nor protected" in told.body["output"]["summary"]


def test_a_token_of_no_app_writes_a_status_of_that_name(
    feature: FakeGitHub, runner: Runner
) -> None:
    feature.tokens[WRITER] = Token("max", WRITES)
    assert runner.job().steps(runner.judge()).code == 0
    assert [status.context for status in feature.statuses.values()] == [FEATURE]


def test_a_protected_branch_has_the_required_check(feature: FakeGitHub, runner: Runner) -> None:
    feature.protected = ("feature/x",)
    assert runner.run().code == 0 and conclusions(feature) == {"helix": "success"}


@pytest.mark.parametrize("status", [403, 404])
def test_a_protection_that_is_not_shown_is_none(
    status: int, feature: FakeGitHub, runner: Runner
) -> None:
    feature.protected = ("feature/x",)
    feature.faults.append(Fault("GET", BRANCH, status, FORBIDDEN, times=99))
    assert runner.run().code == 0 and conclusions(feature) == {FEATURE: "success"}


def test_a_protection_that_github_fails_to_tell_is_no_result(
    feature: FakeGitHub, runner: Runner
) -> None:
    feature.faults.append(Fault("GET", BRANCH, 503, LOST, times=99))
    assert runner.run().code == 3 and not conclusions(feature)


def test_a_protection_that_ends_takes_the_success_along(
    feature: FakeGitHub, runner: Runner
) -> None:
    """Otherwise a pull request for main at the same commit would be green."""
    feature.protected = ("feature/x",)
    assert runner.run().code == 0
    feature.protected = ()
    assert runner.run().code == 0
    assert conclusions(feature) == {"helix": "cancelled", FEATURE: "success"}


def test_a_lenient_branch_makes_nothing_green_for_main(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    repository.git("checkout", "--quiet", "-b", "mild", "main")
    push(
        repository,
        ".helix-hooks.yaml",
        "severities: {section-missing: off, section-too-short: off}\n",
    )
    repository.git("checkout", "--quiet", "change")
    push(repository, ADR, BROKEN)
    github.open_pull(2, base="mild")
    assert runner.run(2).code == 0
    assert conclusions(github) == {"helix (mild)": "success"}
    assert runner.run(1).code == 1
    assert conclusions(github) == {"helix (mild)": "success", "helix": "failure"}


def test_a_sibling_of_unknown_protection_counts(
    github: FakeGitHub, repository: Repository, runner: Runner
) -> None:
    """Another pull request at this commit may need `helix` too."""
    repository.git("branch", "release", "main")
    github.open_pull(2, base="release")
    github.faults.append(Fault("GET", f"{REPOSITORY}/branches/release", 403, FORBIDDEN, times=99))
    assert runner.run(1).code == 0 and conclusions(github) == {"helix": "action_required"}


def test_from_a_feature_branch_to_main(feature: FakeGitHub, people: People) -> None:
    """The vote for the other branch does not count, and nothing is green before the run for main ends."""
    head = people.pending()
    people.says("max", f"/helix approve {head} fine for the feature")
    assert conclusions(feature) == {FEATURE: "success"}
    goes_to(feature, "main")
    people.sweep()
    assert "helix" not in conclusions(feature)
    assert retargeted(feature, people, "main", **UNSURE).code == 4
    assert conclusions(feature) == {FEATURE: "cancelled", "helix": "action_required"}
    people.says("max", f"/helix approve {feature.head(1)}")
    assert conclusions(feature)["helix"] == "success"


@pytest.mark.parametrize("told", [True, False])
def test_from_main_to_a_feature_branch_and_back(
    told: bool, github: FakeGitHub, repository: Repository, people: People
) -> None:
    """With and without the event that says it: a run may be lost."""

    def runs(base: str) -> int:
        if told:
            return retargeted(github, people, base, **UNSURE).code
        goes_to(github, base)
        return people.run(**UNSURE).code

    repository.git("branch", "feature/x", "main")
    head = people.pending()
    people.says("max", f"/helix approve {head}")
    assert conclusions(github) == {"helix": "success"}
    assert runs("feature/x") == 4
    assert conclusions(github) == {"helix": "cancelled", FEATURE: "action_required"}
    people.says("max", f"/helix approve {head} fine for the feature")
    goes_to(github, "main")
    assert conclusions(github) == {"helix": "cancelled", FEATURE: "success"}
    people.sweep()
    people.says("max", "/helix status")
    assert conclusions(github) == {"helix": "cancelled", FEATURE: "cancelled"}
    assert runs("main") == 4
    assert conclusions(github) == {"helix": "action_required", FEATURE: "cancelled"}
    assert runs("feature/x") == 4


def test_an_objection_goes_along(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    repository.git("branch", "feature/x", "main")
    people.pending()
    comment = github.comment(1, "max", "/helix reject the way back is missing")
    people.told(comment)
    github.delete_comment(comment)
    assert retargeted(github, people, "feature/x", **UNSURE).code == 1


def test_the_sweep_withdraws_a_success_for_another_protected_branch(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Both need `helix`, and the run for the new base was lost."""
    repository.git("branch", "release", "main")
    github.protected = ("release",)
    assert people.run().code == 0 and conclusions(github) == {"helix": "success"}
    goes_to(github, "release")
    assert people.sweep().code == 0
    assert conclusions(github) == {"helix": "cancelled"}
    github.requests.clear()
    people.sweep()
    assert not [seen for seen in github.requests if seen.verb != "GET"], "once is enough"
    assert people.run().code == 0 and conclusions(github) == {"helix": "success"}


def test_a_run_that_ends_after_the_move_withdraws_what_it_wrote_before(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    repository.git("branch", "release", "main")
    github.protected = ("release",)
    assert people.run().code == 0
    job = people.job()
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    job.step("judge", **people.judge())
    goes_to(github, "release")
    assert job.step("publish", GITHUB_TOKEN=WRITER).code == 3
    assert conclusions(github) == {"helix": "cancelled"}


def test_a_late_run_leaves_the_result_of_the_new_base(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    repository.git("branch", "release", "main")
    github.protected = ("release",)
    job = people.job()
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    job.step("judge", **people.judge())
    goes_to(github, "release")
    assert people.run().code == 0
    assert job.step("publish", GITHUB_TOKEN=WRITER).code == 3
    assert conclusions(github) == {"helix": "success"}


def test_a_renamed_default_branch(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """GitHub moves the pull request without a run."""
    assert people.run().code == 0
    repository.git("branch", "trunk", "main")
    github.default_branch = "trunk"
    goes_to(github, "trunk")
    assert people.sweep().code == 0 and conclusions(github) == {"helix": "cancelled"}
    assert people.run().code == 0 and conclusions(github) == {"helix": "success"}


def test_runs_that_people_start(feature: FakeGitHub, people: People) -> None:
    """By hand, and by a comment that asks the judge again."""
    assert people.job(event="workflow_dispatch").steps(people.judge()).code == 0
    assert conclusions(feature) == {FEATURE: "success"}
    people.says("max", "/helix review")
    assert people.last.outputs["again"] == "yes"
    assert people.last.steps(people.judge(**UNSURE), HELIX_ANEW="yes").code == 4
    assert conclusions(feature) == {FEATURE: "action_required"}


def test_a_base_that_was_deleted(
    feature: FakeGitHub, repository: Repository, people: People
) -> None:
    """GitHub closes the pull request; its check run stays where it was."""
    head = people.pending()
    feature.close_pull(1)
    repository.git("branch", "--quiet", "-D", "feature/x")
    people.says("max", f"/helix approve {head}")
    people.sweep()
    assert conclusions(feature) == {FEATURE: "action_required"}


@pytest.mark.parametrize("protected", [True, False])
def test_nothing_is_green_while_the_run_for_the_new_base_goes_on(
    protected: bool, github: FakeGitHub, repository: Repository, people: People
) -> None:
    """A judge may take minutes."""
    repository.git("branch", "feature/x", "main")
    github.protected = ("feature/x",) if protected else ()
    assert people.run().code == 0
    job = edited(github, people, "feature/x")
    assert job.step("command", GITHUB_TOKEN=WRITER).code == 0
    assert conclusions(github) == {"helix": "cancelled"}
    assert job.steps(people.judge()).code == 0
    assert conclusions(github)["helix" if protected else FEATURE] == "success"


def test_a_result_for_the_same_base_is_left(github: FakeGitHub, people: People) -> None:
    """The run for the new base may be faster, or the event may come twice."""
    assert people.run().code == 0
    job = edited(github, people, "main")
    github.requests.clear()
    assert job.step("command", GITHUB_TOKEN=WRITER).code == 0
    assert conclusions(github) == {"helix": "success"}
    assert not [seen for seen in github.requests if seen.verb != "GET"]


def test_a_withdrawal_that_github_refuses(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    repository.git("branch", "feature/x", "main")
    assert people.run().code == 0
    github.faults += [
        Fault(verb, f"{REPOSITORY}/(check-runs|statuses).*", 403, FORBIDDEN, times=99)
        for verb in ("PATCH", "POST")
    ]
    job = edited(github, people, "feature/x")
    ended = job.step("command", GITHUB_TOKEN=WRITER)
    assert ended.code == 0 and "could not be withdrawn yet" in ended.err
    assert job.steps(people.judge()).code == 3, "the run fails too, and says so"
