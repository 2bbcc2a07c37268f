"""Groups of a merge queue: GitHub names the last pull request of a group, and merges them all."""

import json
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub, Fault
from tests.fakes.runner import READER, WRITER, Ended
from tests.stories.pull_request.scene import (
    FORBIDDEN,
    REPOSITORY,
    UNSURE,
    People,
    check,
    main_has,
    push,
    summary,
)

ADR = """\
# {number}. Keep the logs of {name} for a month

## Status

Proposed

## Context

The logs of {name} are deleted after a day, and errors that users report later cannot be explained.

## Decision

The logs of {name} are kept for thirty days and deleted by the platform after that.

## Consequences

The storage costs ten euros a month more, and errors of the last weeks can be explained.
"""


def adds(github: FakeGitHub, repository: Repository, number: int, **more: Any) -> None:
    """Another pull request, which adds the ADR of its number."""
    repository.git("checkout", "--quiet", "-b", f"change-{number}", "main")
    text = ADR.format(number=number + 10, name=f"service {number}")
    push(repository, f"docs/adr/{number + 10:04}-logs-{number}.md", text)
    github.open_pull(number, head=f"change-{number}", title=f"Logs {number}", **more)


def joins(github: FakeGitHub, repository: Repository, number: int, how: str) -> None:
    """GitHub puts a pull request into the group, on what is there already."""
    branch = github.pulls[number].head
    if how == "merge":
        message = f"Merge pull request #{number} from acme/{branch}"
        repository.git("merge", "--quiet", "--no-ff", "-m", message, branch)
    elif how == "squash":
        repository.git("merge", "--quiet", "--squash", branch)
        repository.commit(f"{github.pulls[number].title} (#{number})")
    else:
        repository.git("cherry-pick", f"main..{branch}")


def queue(
    github: FakeGitHub,
    repository: Repository,
    people: People,
    *numbers: int,
    how: str = "squash",
    named: int = 0,
) -> Ended:
    """The run for a group; the event names the last pull request."""
    repository.git("checkout", "--quiet", "-B", "group", "main")
    for number in numbers:
        joins(github, repository, number, how)
    return queued(repository, people, named or numbers[-1])


def queued(repository: Repository, people: People, last: int) -> Ended:
    """The run for the branch `group`."""
    job = people.job(last, "merge_group")
    event = json.loads((job.folder / "event.json").read_text())
    event["merge_group"]["head_sha"] = repository.git("rev-parse", "group").stdout.strip()
    (job.folder / "event.json").write_text(json.dumps(event))
    return told(job.steps(people.judge()))


def told(ended: Ended) -> Ended:
    """Without the signs that keep a number from becoming a link."""
    return ended._replace(out=ended.out.replace("\u200b", ""))


def reasons(github: FakeGitHub) -> str:
    return summary(github).replace("\u200b", "").replace("\\", "")


@pytest.mark.parametrize("how", ["merge", "squash"])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_group_whose_pull_requests_are_all_approved(
    how: str, count: int, github: FakeGitHub, repository: Repository, people: People
) -> None:
    numbers = range(2, 2 + count)
    for number in numbers:
        adds(github, repository, number)
        assert people.run(number).code == 0
    ended = queue(github, repository, people, *numbers, how=how)
    assert (ended.code, check(github).name, check(github).conclusion) == (0, "helix", "success")
    text = json.dumps(check(github).output)
    assert "approved" in text.lower()


@pytest.mark.parametrize("how", ["merge", "squash"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_that_is_not_approved(
    how: str, place: int, github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The event may name another one, which is approved.

    Attack by a hostile pull request: a pull request that rides along in a group of the merge queue, or a commit that claims an approved one in its title.
    Answer: each commit must belong to a pull request that is approved at its own head, as its second parent or by the same patch.
    Shown by: `test_one_that_is_not_approved`, `test_a_commit_that_claims_an_approved_pull_request`.
    """
    for number in (2, 3, 4):
        adds(github, repository, number)
        case = UNSURE if number == place + 2 else {}
        people.run(number, **case)
    ended = queue(github, repository, people, 2, 3, 4, how=how)
    assert (ended.code, check(github).conclusion) == (4, "action_required")
    number = place + 2
    assert ended.out == f"Not approved: take #{number} out of the queue\n"
    assert f"#{number} is not approved at {github.head(number)[:7]}" in reasons(github).replace(
        "\u200b", ""
    )


@pytest.mark.parametrize("how", ["merge", "squash"])
@pytest.mark.parametrize("was_read", [True, False])
def test_an_objection_to_the_first_of_two(
    was_read: bool, how: str, github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The objection counts in the group, also if the run for the comment has not ended yet."""
    for number in (2, 3):
        adds(github, repository, number)
        assert people.run(number).code == 0
    comment = github.comment(2, "max", "/helix reject the platform keeps them already")
    if was_read:
        people.told(comment)
    ended = queue(github, repository, people, 2, 3, how=how)
    assert check(github).conclusion == "action_required" and ended.code == 4
    assert f"#2 is not approved at {github.head(2)[:7]}" in reasons(github)
    assert f"#3 is approved at {github.head(3)[:7]}" not in ended.out


@pytest.mark.parametrize("how", ["merge", "squash"])
def test_the_success_of_another_pull_request_at_the_same_head_is_none(
    how: str, github: FakeGitHub, repository: Repository, people: People
) -> None:
    adds(github, repository, 2)
    assert people.run(2).code == 0
    github.close_pull(2)
    github.open_pull(3, head="change-2", title="Logs 3")
    ended = queue(github, repository, people, 3, how=how)
    assert ended.code == 4 and ended.out == "Not approved: take it out of the queue\n"
    assert f"#3 is not approved at {github.head(3)[:7]}" in reasons(github)


def test_two_that_are_not_approved_are_both_named(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    for number in (2, 3, 4):
        adds(github, repository, number)
    assert people.run(4).code == 0
    ended = queue(github, repository, people, 2, 3, 4)
    assert ended.code == 4 and ended.out == "Not approved: take #2 and #3 out of the queue\n"
    assert "no run has finished" in reasons(github)


def test_a_commit_of_nobody(github: FakeGitHub, repository: Repository, people: People) -> None:
    adds(github, repository, 2)
    assert people.run(2).code == 0
    repository.git("checkout", "--quiet", "-B", "group", "main")
    push(repository, "docs/adr/0099-more.md", ADR.format(number=99, name="nobody"))
    joins(github, repository, 2, "squash")
    assert queued(repository, people, 2).code == 4
    assert reasons(github).count("has the change of no open pull request for main") == 1
    assert "#2" not in reasons(github), (
        "it is approved, and the commit of somebody else is in the way"
    )


def test_a_commit_that_claims_an_approved_pull_request(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The title of a commit proves nothing; its change does."""
    for number in (2, 3):
        adds(github, repository, number)
        assert people.run(number).code == 0
    repository.git("checkout", "--quiet", "-B", "group", "main")
    push(repository, "docs/adr/0099-more.md", ADR.format(number=99, name="nobody"))
    repository.git("commit", "--quiet", "--amend", "-m", "Logs 3 (#3)")
    joins(github, repository, 2, "squash")
    assert queued(repository, people, 2).code == 4
    assert "(Logs 3 (#3)) has the change of no open pull request" in reasons(github)


def test_a_squash_with_other_content_than_the_approved_head(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    adds(github, repository, 2)
    assert people.run(2).code == 0
    repository.git("checkout", "--quiet", "-B", "group", "main")
    repository.git("merge", "--quiet", "--squash", "change-2")
    repository.stage("docs/adr/0012-logs-2.md", ADR.format(number=12, name="another service"))
    repository.commit("Logs 2 (#2)")
    assert queued(repository, people, 2).code == 4


def test_commits_that_were_rebased(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Several commits of one pull request count together, if GitHub names it."""
    adds(github, repository, 2)
    push(repository, "README.md", "# More\n")
    assert people.run(2).code == 0
    assert queue(github, repository, people, 2, how="rebase").code == 0


def test_a_push_after_it_was_queued(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    for number in (2, 3):
        adds(github, repository, number)
        assert people.run(number).code == 0
    repository.git("checkout", "--quiet", "-B", "group", "main")
    for number in (2, 3):
        joins(github, repository, number, "merge")
    job = people.job(3, "merge_group")
    event = json.loads((job.folder / "event.json").read_text())
    event["merge_group"]["head_sha"] = repository.git("rev-parse", "group").stdout.strip()
    (job.folder / "event.json").write_text(json.dumps(event))
    job.step("snapshot", GITHUB_TOKEN=READER)
    job.step("check")
    repository.git("checkout", "--quiet", "change-2")
    push(repository, "README.md", "# Meanwhile\n")
    assert people.run(2).code == 0, "the new head is green by itself"
    assert job.step("publish", GITHUB_TOKEN=WRITER).code == 4
    assert "was pushed meanwhile" in reasons(github)


def test_the_group_before_is_part_of_what_is_merged(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The base of the event may be the head of a pull request that is not merged yet, with settings of its own."""
    adds(github, repository, 2)
    push(repository, ".helix-hooks.yaml", "severities: {section-missing: off}\n")
    adds(github, repository, 3)
    assert people.run(3).code == 0
    repository.git("checkout", "--quiet", "-B", "group", "main")
    joins(github, repository, 2, "squash")
    before = repository.git("rev-parse", "group").stdout.strip()
    joins(github, repository, 3, "squash")
    job = people.job(3, "merge_group")
    event = json.loads((job.folder / "event.json").read_text())
    event["merge_group"] |= {
        "base_sha": before,
        "head_sha": repository.git("rev-parse", "group").stdout.strip(),
    }
    (job.folder / "event.json").write_text(json.dumps(event))
    ended = told(job.steps(people.judge()))
    assert ended.code == 4 and "#2" in ended.out


def test_the_same_number_in_two_of_a_group(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Each is green alone; the tree that would be merged has the number twice."""
    adds(github, repository, 2)
    assert people.run(2).code == 0
    repository.git("checkout", "--quiet", "-b", "change-3", "main")
    push(repository, "docs/adr/0012-other.md", ADR.format(number=12, name="the others"))
    github.open_pull(3, head="change-3", title="Others")
    assert people.run(3).code == 0
    assert queue(github, repository, people, 2, 3).code == 1
    assert "duplicate-id" in {item["title"] for item in check(github).annotations}


def test_a_list_that_github_cuts(
    github: FakeGitHub,
    repository: Repository,
    people: People,
) -> None:
    """Nobody can say to whom the further commits belong."""
    adds(github, repository, 2)
    assert people.run(2).code == 0
    repository.git("checkout", "--quiet", "-B", "group", "main")
    for _ in range(250):
        repository.git("commit", "--quiet", "--allow-empty", "-m", "more")
    joins(github, repository, 2, "squash")
    assert queued(repository, people, 2).code == 4
    assert "the group has 251 commits; at most 250" in reasons(github)


@pytest.mark.parametrize("path", ["commits/.*/pulls", "compare/.*"])
def test_a_list_that_github_refuses(
    path: str, github: FakeGitHub, repository: Repository, people: People
) -> None:
    adds(github, repository, 2)
    assert people.run(2).code == 0
    github.faults.append(Fault("GET", f"{REPOSITORY}/{path}", 403, FORBIDDEN, times=99))
    assert queue(github, repository, people, 2).code == 3


def test_a_group_without_watched_files(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """All of its change is known, so nobody has to be found."""
    repository.git("checkout", "--quiet", "-b", "change-2", "main")
    push(repository, "src/pay.py", "x = 1\n")
    github.open_pull(2, head="change-2", title="Pay")
    ended = queue(github, repository, people, 2)
    assert (ended.code, ended.out) == (0, "Approved: no relevant changes\n")


def test_a_protected_file_in_the_first_of_a_group(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The approval of a person carries over, and its withdrawal too."""
    main_has(repository, "config/approvals.yaml", 'policy: {protected_paths: ["docs/**"]}\n')
    for number in (2, 3):
        adds(github, repository, number)
        github.review(number, "max")
        assert people.run(number).code == 0
    assert queue(github, repository, people, 2, 3).code == 0
    github.review(2, "max", "CHANGES_REQUESTED")
    assert queue(github, repository, people, 2, 3).code == 4


def test_a_pull_request_for_another_branch_is_none_of_the_group(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Its approval was for another branch, although its change is the same."""
    repository.git("branch", "mild", "main")
    adds(github, repository, 2, base="mild")
    assert people.run(2).code == 0
    adds(github, repository, 3)
    assert people.run(3).code == 0
    assert queue(github, repository, people, 2, 3).code == 4
