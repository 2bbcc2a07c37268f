"""The sweep compares the ids of new ADRs with the base as it is by now.

Attack by a hostile pull request: an id that another pull request took meanwhile.
Answer: the sweep turns the later one red, and no vote changes it.
Shown by: `tests/stories/pull_request/test_taken_ids.py`.
"""

from collections.abc import Callable

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub, Fault
from tests.stories.pull_request.scene import (
    FORBIDDEN,
    REPOSITORY,
    UNSURE,
    People,
    check,
    main_has,
    push,
    push_all,
)

TREE = f"{REPOSITORY}/git/trees/main"


def at_main(repository: Repository, change: Callable[[], object]) -> None:
    """Something is merged into main meanwhile."""
    branch = repository.git("branch", "--show-current").stdout.strip()
    repository.git("checkout", "--quiet", "main")
    change()
    repository.git("checkout", "--quiet", branch)


def taken_by(repository: Repository, path: str) -> None:
    number = int("".join(filter(str.isdigit, path.rpartition("/")[2]))[:4])

    def merge() -> None:
        text = (repository.root / "docs/adr/0001-records.md").read_text()
        push(repository, path, text.replace("# 1.", f"# {number}."))

    at_main(repository, merge)


def shown(github: FakeGitHub, number: int = 1) -> str:
    head = github.head(number)
    run = [run for run in github.runs.values() if run.sha == head][-1]
    return str(run.output["summary"]).replace("\u200b", "").replace("\\", "")


def reads(github: FakeGitHub) -> list[str]:
    return [seen.path.removeprefix(REPOSITORY) for seen in github.requests]


def state(github: FakeGitHub, number: int = 1) -> str | None:
    head = github.head(number)
    return [run.conclusion for run in github.runs.values() if run.sha == head][-1]


def test_a_number_that_main_has_given_to_another(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    assert people.run().code == 0
    taken_by(repository, "docs/adr/0007-other.md")
    assert people.sweep().code == 0 and state(github) == "failure"
    assert "id 7 is taken on main by docs/adr/0007-other.md" in shown(github)
    assert "give the new ADR the next free id" in shown(github)
    people.sweep()  # the comment of the first one has changed the pull request
    github.requests.clear()
    assert people.sweep().code == 0 and len(github.requests) == 3, (
        "the list, the check and the tree"
    )
    people.says("max", f"/helix approve {github.head(1)}")
    assert state(github) == "failure", "no vote gives the number back"
    assert people.run().code == 1, "the rules of a new run find it too, after the base was fetched"


def test_a_new_number(github: FakeGitHub, repository: Repository, people: People) -> None:
    assert people.run().code == 0
    taken_by(repository, "docs/adr/0007-other.md")
    people.sweep()
    repository.git("rebase", "--quiet", "main")
    repository.git("mv", "docs/adr/0007-kafka.md", "docs/adr/0008-kafka.md")
    text = (repository.root / "docs/adr/0008-kafka.md").read_text().replace("# 7.", "# 8.")
    push(repository, "docs/adr/0008-kafka.md", text)
    assert people.run().code == 0
    people.sweep()
    assert state(github) == "success"


def test_a_number_that_is_free_again(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    assert people.run().code == 0
    taken_by(repository, "docs/adr/0007-other.md")
    people.sweep()
    assert state(github) == "failure"

    def revert() -> None:
        repository.git("rm", "--quiet", "docs/adr/0007-other.md")
        repository.commit()

    at_main(repository, revert)
    people.sweep()
    assert state(github) == "success"


def test_a_question_to_a_person(github: FakeGitHub, repository: Repository, people: People) -> None:
    """Nobody approves in vain."""
    people.pending()
    taken_by(repository, "docs/adr/0007-other.md")
    people.sweep()
    assert state(github) == "failure" and "id 7 is taken" in shown(github)


@pytest.mark.parametrize(
    "path",
    [
        "docs/adr/0008-other.md",
        "other/adr/0007-other.md",
        "docs/adr/0007-kafka.v2.md",
        "docs/adr/0007-picture.png",
    ],
)
def test_what_takes_no_number(
    path: str, github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Another number, another collection, a translation, no ADR."""
    assert people.run().code == 0
    at_main(repository, lambda: push(repository, path, "# 7. Other\n"))
    people.sweep()
    assert state(github) == "success"


def test_an_edited_adr_that_main_renames(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The pull request adds no id."""
    text = (repository.root / "docs/adr/0007-kafka.md").read_text().replace("# 7.", "# 5.")
    at_main(repository, lambda: push(repository, "docs/adr/0005-queue.md", text))
    repository.git("rebase", "--quiet", "main")
    push(repository, "docs/adr/0005-queue.md", f"{text}\nMore is said in the wiki.\n")
    assert people.run().code == 0
    before = state(github)

    def rename() -> None:
        repository.git("mv", "docs/adr/0005-queue.md", "docs/adr/0005-queues.md")
        repository.commit()

    at_main(repository, rename)
    people.sweep()
    assert state(github) == before and "is taken" not in shown(github)


def test_a_renamed_adr_keeps_its_number(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    taken_by(repository, "docs/adr/0005-queue.md")
    repository.git("rebase", "--quiet", "main")
    repository.git("mv", "docs/adr/0005-queue.md", "docs/adr/0005-queues.md")
    repository.commit()
    people.run(**UNSURE)
    before = state(github)
    people.sweep()
    assert state(github) == before and "is taken" not in shown(github)


def test_two_pull_requests_with_the_same_number(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """Both stay green; the first to be merged keeps the number, and the sweep stops the other."""
    repository.git("checkout", "--quiet", "-b", "second", "main")
    text = (repository.root / "docs/adr/0001-records.md").read_text().replace("# 1.", "# 7.")
    push(repository, "docs/adr/0007-second.md", text)
    github.open_pull(2, head="second")
    assert people.run(1).code == 0 and people.run(2).code == 0
    ended = people.sweep()
    assert (state(github, 1), state(github, 2)) == ("success", "success")
    assert "add the id 7 to docs/adr of main; the first to be merged keeps it" in ended.err
    at_main(
        repository, lambda: repository.git("merge", "--quiet", "--no-ff", "--no-edit", "second")
    )
    github.close_pull(2, merged=True)
    people.sweep()
    assert state(github, 1) == "failure"
    assert "id 7 is taken on main by docs/adr/0007-second.md" in shown(github)


def test_an_id_that_the_base_had_before(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The settings allow it, so the run was green."""
    main_has(repository, ".helix-hooks.yaml", "severities: {duplicate-id: off}\n")
    taken_by(repository, "docs/adr/0007-other.md")
    repository.git("rebase", "--quiet", "main")
    assert people.run().code == 0
    people.sweep()
    assert state(github) == "success"


def test_another_base_branch(github: FakeGitHub, repository: Repository, people: People) -> None:
    """What main has is no matter of a pull request for a release."""
    repository.git("branch", "release", "main")
    github.pulls[1] = github.pulls[1]._replace(base="release")
    assert people.run().code == 0
    taken_by(repository, "docs/adr/0007-other.md")
    people.sweep()
    assert state(github) == "success"


def test_few_requests(github: FakeGitHub, repository: Repository, people: People) -> None:
    for number in range(2, 6):
        repository.git("checkout", "--quiet", "-b", f"more-{number}", "main")
        text = (repository.root / "docs/adr/0001-records.md").read_text()
        path = f"docs/adr/{number + 10:04}-more.md"
        push(repository, path, text.replace("# 1.", f"# {number + 10}."))
        github.open_pull(number, head=f"more-{number}")
        people.run(number)
    people.run(1)
    people.sweep()
    github.requests.clear()
    assert people.sweep().code == 0
    assert sorted(reads(github), key=len)[:2] == ["/pulls", "/git/trees/main"]
    assert len(github.requests) == 5 + 2


def test_a_pull_request_without_adrs_needs_no_tree(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    github.close_pull(1)
    repository.git("checkout", "--quiet", "-b", "code", "main")
    push(repository, "src/pay.py", "x = 1\n")
    github.open_pull(2, head="code")
    assert people.run(2).code == 0
    github.requests.clear()
    people.sweep()
    assert "/git/trees/main" not in reads(github)


def test_a_tree_that_github_cuts(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    """The folder is listed by itself: what is missing from a cut list may exist."""
    assert people.run().code == 0
    others = {f"a/{number}.txt": "x\n" for number in range(9)}
    at_main(repository, lambda: push_all(repository, others))
    taken_by(repository, "docs/adr/0007-other.md")
    github.most_entries = 8
    assert people.sweep().code == 0 and state(github) == "failure"


def test_a_folder_that_github_cuts(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    assert people.run().code == 0
    taken_by(repository, "docs/adr/0007-other.md")
    github.most_entries = 1
    ended = people.sweep()
    assert ended.code == 3
    assert "#1: GitHub does not list all files of" in ended.err
    assert "the ids of ADRs were not compared" in ended.err


def test_a_tree_that_is_refused(github: FakeGitHub, repository: Repository, people: People) -> None:
    assert people.run().code == 0
    taken_by(repository, "docs/adr/0007-other.md")
    github.faults.append(Fault("GET", TREE, 403, FORBIDDEN))
    assert people.sweep().code == 3 and check(github).conclusion == "success"
    assert people.sweep().code == 0 and check(github).conclusion == "failure"


def test_more_adrs_than_a_record_has(
    github: FakeGitHub, repository: Repository, people: People
) -> None:
    text = (repository.root / "docs/adr/0001-records.md").read_text()
    for number in range(20, 45):
        repository.stage(f"docs/adr/{number:04}-many.md", text.replace("# 1.", f"# {number}."))
    repository.commit()
    people.run()
    before = state(github)
    taken_by(repository, "docs/adr/0044-other.md")
    people.sweep()
    assert before in ("success", "action_required") and state(github) == "failure"
    assert "id 44 is taken on main by docs/adr/0044-other.md" in shown(github)
