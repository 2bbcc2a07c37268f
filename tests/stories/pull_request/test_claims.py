"""A pull request that claims to implement an ADR: the Action looks whether it does."""

import json
from pathlib import Path

import pytest

from helix_hooks.errors import GitError
from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import READER, WRITER, Ended
from tests.stories.pull_request.scene import People, Runner, check, main_has, push, texts

PATH = "docs/adr/0021-queue.md"
ADR = """---
files:
  create: [src/queue.py, src/worker.py, tests/test_queue.py]
---
# 21. Put orders into a queue

## Status

Accepted

## Context

Orders are lost when the shop restarts while the warehouse is slow, which happens each Monday.

## Decision

We will put orders into a queue, and a worker takes them out, one after the other.

## Consequences

A worker is one more program to watch, and orders arrive a second later than before.
"""
CRITERIA = """
## Acceptance Criteria

- [ ] `src/queue.py` takes orders
- [ ] `tests/test_queue.py::test_order` passes
- [ ] nobody waits for longer than a minute
"""
PARTS = {
    "src/queue.py": "def put(): return 1\n",
    "src/worker.py": "def take(): return 1\n",
    "tests/test_queue.py": "def test_order(): return 1\n",
}
CLAIM = "Take orders\n\nImplements: ADR-021"
SECTION = "**Claimed as implemented**"


@pytest.fixture(autouse=True)
def accepted(repository: Repository, github: FakeGitHub) -> None:
    """An ADR that is accepted on main, and the branch `work` with a pull request of its own."""
    repository.git("checkout", "--quiet", "main")
    repository.stage(PATH, ADR)
    repository.commit("Accept ADR-021")
    repository.stage("README.md", "# Shop\n")
    repository.commit("Say what it is")
    repository.git("checkout", "--quiet", "-b", "work")
    github.open_pull(2, head="work")


def deliver(repository: Repository, message: str, *without: str) -> None:
    for path, text in PARTS.items():
        if path not in without:
            repository.stage(path, text)
    repository.commit(message)


def says(github: FakeGitHub, text: str) -> None:
    github.pulls[2] = github.pulls[2]._replace(body=text)


def run(runner: Runner, event: str = "pull_request_target") -> Ended:
    """All steps on the pull request, of which none asks a judge."""
    return runner.job(2, event).steps()


def test_two_files_are_missing_then_delivered(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    deliver(repository, CLAIM, "src/worker.py", "tests/test_queue.py")
    ended = run(runner)
    assert (ended.code, ended.out) == (1, "Author to fix: ADR-021 is not implemented\n")
    (sticky,) = github.comments.values()
    page = sticky.body
    assert check(github).conclusion == "failure"
    assert json.loads((runner.folder / "job-1/helix/handover.json").read_text())["no_judge"] == ""
    for text in (page, check(github).output["summary"]):
        assert SECTION in text
        assert "❌ **Not implemented:** " in text
        assert "1 shown, 2 missing of 3 promises" in text
        assert "- missing: create `src/worker.py`: the file does not exist" in text
        assert "withdraws the claim" in text and "`helix-hooks verify ADR-021`" in text
    deliver(repository, "Hand them on")
    ended = run(runner)
    assert (ended.code, ended.out) == (0, "Approved: no judge was needed\n")
    assert check(github).conclusion == "success"
    assert "✅ **Implemented:** " in check(github).output["summary"] + texts(github)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- Implements: ADR-021 -->",
        "<!--\nImplements: ADR-021\n-->",
        "> Implements: ADR-021",
        "> It was asked:\n> - Implements: ADR-021",
        "```\nImplements: ADR-021\n```",
        "    Implements: ADR-021",
        "`Implements: ADR-021`",
        "~~Implements: ADR-021~~",
        "<pre>\nImplements: ADR-021\n</pre>",
        "[x]: /y 'Implements: ADR-021'",
    ],
)
def test_what_is_not_stated_is_no_claim(
    text: str, repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    deliver(repository, "Take orders", "src/worker.py")
    says(github, f"I take orders.\n\n{text}\n")
    assert run(runner).code == 0 and SECTION not in check(github).output["summary"]


@pytest.mark.parametrize(
    "text",
    ["Implements: `ADR-021`", "* **Implements:** [ADR-021](x.md)", "- Implements: ADR-021"],
)
def test_what_is_stated_is_a_claim(
    text: str, repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    deliver(repository, "Take orders", "src/worker.py")
    says(github, f"I take orders.\n\n{text}\n")
    assert run(runner).code == 1 and SECTION in check(github).output["summary"]


def test_the_text_of_the_pull_request_claims(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    deliver(repository, "Take orders", "src/worker.py")
    assert run(runner).code == 0
    assert SECTION not in check(github).output["summary"]
    says(github, "I am done.\r\n\r\nImplements: ADR-021\r\n")
    assert run(runner).code == 1
    assert "`src/worker.py`" in texts(github)
    says(github, "Not done yet.")
    assert run(runner).code == 0


@pytest.mark.sampled
@pytest.mark.parametrize("commits", [1, 110])
def test_every_commit_may_claim(
    commits: int, repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    for number in range(commits):
        repository.commit(f"Change {number}")
    deliver(repository, CLAIM, *PARTS)
    push(repository, "src/more.py", "x = 1\n")
    assert run(runner).code == 1
    assert "3 missing" in texts(github)


def test_a_contract_that_the_same_change_weakens_counts_as_it_was(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    weak = ADR.replace("src/worker.py, ", "")
    repository.stage(PATH, weak.replace("Accepted", "Implemented"))
    deliver(repository, "Done", "src/worker.py")
    job = runner.job(2)
    job.step("snapshot", GITHUB_TOKEN=READER)
    assert job.step("check").code == 1
    assert "ADR-021 is not implemented: 1 of 3 promises is missing" in job.step("check").err
    job.step("judge", **runner.judge())
    assert job.step("publish", GITHUB_TOKEN=WRITER).code == 1
    assert "`src/worker.py`" in texts(github) and "**Judges**" not in texts(github)


@pytest.mark.further
def test_a_second_pull_request_counts_the_first(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    deliver(repository, "Take orders", "src/worker.py", "tests/test_queue.py")
    repository.git("checkout", "--quiet", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "Merge the first", "work")
    repository.git("checkout", "--quiet", "-b", "second")
    deliver(repository, CLAIM)
    github.pulls[2] = github.pulls[2]._replace(head="second")
    assert run(runner).code == 0
    assert "3 shown of 3 promises" in check(github).output["summary"]


@pytest.mark.sampled
@pytest.mark.parametrize(("commits", "depths"), [(3, (50,)), (60, (50, 1000)), (3, (2,))])
def test_a_history_that_was_fetched_in_part_is_fetched_deeper(
    commits: int,
    depths: tuple[int, ...],
    repository: Repository,
    github: FakeGitHub,
    runner: Runner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deliver(repository, CLAIM, "src/worker.py")
    repository.git("checkout", "--quiet", "main")
    for number in range(commits):
        repository.commit(f"Change {number}")
    repository.git("rebase", "--quiet", "main", "work")
    monkeypatch.setattr("helix_hooks.pull.snapshot._DEPTHS", depths)
    assert run(runner).code == 1
    assert "2 shown, 1 missing of 3 promises" in check(github).output["summary"]


def test_without_the_history_nothing_is_green(
    repository: Repository,
    github: FakeGitHub,
    runner: Runner,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deliver(repository, CLAIM)

    def lost(*_: object) -> None:
        raise GitError("the server does not answer")

    monkeypatch.setattr("helix_hooks.pull.objects.deepen", lost)
    ended = run(runner)
    assert (ended.code, ended.out) == (3, "No result: run it again\n")
    assert "❌ **Not verified:** " in texts(github)
    assert "is not in this clone, since its history could not be fetched" in texts(github)
    monkeypatch.undo()
    assert run(runner).code == 0


def test_a_claim_of_an_adr_that_nobody_accepted_asks_a_person(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    main_has(repository, PATH, ADR.replace("Accepted", "Proposed"))
    repository.git("checkout", "--quiet", "work")
    repository.git("rebase", "--quiet", "main")
    deliver(repository, CLAIM)
    ended = people.job(2).steps()
    assert (ended.code, ended.out) == (4, "Waiting for a maintainer: 1 question\n")
    assert "⏳ **Not approved:** " in texts(github)
    assert "the ADR is not accepted in main" in texts(github)
    people.says("max", f"/helix approve {github.head(2)[:7]}", number=2)
    assert check(github).conclusion == "success"


def test_a_vote_makes_nothing_green_that_is_not_there(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    deliver(repository, CLAIM, "src/worker.py")
    assert people.job(2).steps().code == 1
    people.says("max", f"/helix approve {github.head(2)[:7]}", number=2)
    assert check(github).conclusion == "failure"
    assert "`src/worker.py`" in texts(github)


@pytest.mark.further
def test_a_new_adr_that_says_implemented_is_only_shown(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    new = ADR.replace("# 21.", "# 22.").replace("Accepted", "Implemented")
    repository.stage("docs/adr/0022-queue.md", new)
    deliver(repository, "Decide and do\n\nImplements: ADR-022")
    job = runner.job(2)
    ended = job.steps(runner.judge())
    assert "⚪ **Not approved:** " in texts(github), texts(github)
    assert texts(github).count("it is new, so it was never approved") == 1
    assert (ended.code, ended.out) == (0, "Approved by the judge\n")


def test_settings_of_the_base_say_that_it_is_only_shown(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    main_has(repository, "config/approvals.yaml", "verify: {blocks: false}\n")
    repository.git("checkout", "--quiet", "work")
    repository.git("rebase", "--quiet", "main")
    deliver(repository, CLAIM, "src/worker.py")
    ended = run(runner)
    assert (ended.code, ended.out) == (0, "Approved: no judge was needed\n")
    assert "⚪ **Not implemented:** " in check(github).output["summary"]


@pytest.mark.further
def test_a_change_cannot_say_that_it_is_only_shown(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    repository.stage("config/approvals.yaml", "verify: {blocks: false}\n")
    deliver(repository, CLAIM, "src/worker.py")
    assert run(runner).code == 1
    assert "verify.blocks true -\\> false" in texts(github)


def test_commands_of_the_settings_do_not_run(
    repository: Repository, github: FakeGitHub, runner: Runner, tmp_path: Path
) -> None:
    mark = tmp_path / "ran"
    command = f'verify: {{commands: {{tests: ["touch", "{mark}"]}}}}\n'
    main_has(repository, "config/approvals.yaml", command)
    repository.git("checkout", "--quiet", "work")
    repository.git("rebase", "--quiet", "main")
    deliver(repository, CLAIM)
    assert run(runner).code == 4
    assert "3 shown, 1 unchecked of 4 promises" in check(github).output["summary"]
    assert not mark.exists()


def test_what_nothing_ran_for_waits_for_one_approval(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    main_has(repository, PATH, f"{ADR}{CRITERIA}")
    repository.git("checkout", "--quiet", "work")
    repository.git("rebase", "--quiet", "main")
    deliver(repository, CLAIM)
    ended = people.job(2).steps()
    assert (ended.code, ended.out) == (4, "Waiting for a maintainer: 1 question\n")
    page = check(github).output["summary"]
    assert "⏳ **A person must look:** " in page
    assert "3 shown, 2 present, 1 unchecked of 6 promises" in page
    people.says("max", f"/helix approve {github.head(2)[:7]}", number=2)
    assert check(github).conclusion == "success"
    push(repository, "src/queue.py", "def put(): return 2\n")
    assert people.job(2).steps().code == 4, "the approval was for another commit"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("body", "named", "shown"),
    [
        ("\n".join(f"Implements: ADR-{number}" for number in range(100, 3_100)), 20, 2_980),
        (f"Implements: {', '.join(f'ADR-{number}' for number in range(10_000))}", 20, 0),
        ("Implements: ADR-<b>1</b>\nImplements: [ADR-77](https://evil.example)", 2, 0),
        ("Implements: ADR-021@max\nImplements: ADR-021\u202e1\nImplements: ADR-021<!--", 1, 0),
        (f"Implements: ADR-{'1' * 250}", 0, 0),
        ("Implements: ../../../../etc/passwd.md", 1, 0),
        ("Implements: SHOP-77", 0, 0),
        (None, 0, 0),
    ],
)
def test_hostile_texts_claim_little(
    body: str | None,
    named: int,
    shown: int,
    repository: Repository,
    github: FakeGitHub,
    runner: Runner,
) -> None:
    repository.commit("Nothing")
    github.pulls[2] = github.pulls[2]._replace(body=body)
    job = runner.job(2)
    ended = job.steps()
    found = json.loads((job.folder / "helix" / "handover.json").read_text())
    assert (len(found["claimed"]), found["claims_left_out"] >= shown) == (named, True)
    assert ended.code == (4 if named else 0)
    assert "evil" not in json.dumps(found) and "<b>" not in texts(github)
    assert not shown or f"{shown} further names" in texts(github)


def test_a_merge_queue_verifies_the_merged_tree(
    repository: Repository, github: FakeGitHub, people: People
) -> None:
    deliver(repository, "Take orders")
    says(github, "Implements: ADR-021")
    assert people.job(2).steps().code == 0
    assert queued(github, repository, people) == 0
    repository.git("checkout", "--quiet", "main")
    (repository.root / "src/worker.py").parent.mkdir(exist_ok=True)
    repository.stage("src/worker.py", "def take(): return 1\n")
    repository.commit("Take them elsewhere")
    repository.git("rm", "--quiet", "src/worker.py")
    repository.commit("Not so")
    assert queued(github, repository, people, without="src/worker.py") == 1


def queued(github: FakeGitHub, repository: Repository, people: People, without: str = "") -> int:
    """The exit code of the queue, whose commit may lack a file."""
    repository.git("checkout", "--quiet", "-B", "queued", "main")
    repository.git("merge", "--quiet", "--no-ff", "-m", "queue", "work")
    if without:
        repository.git("rm", "--quiet", without)
        repository.git("commit", "--quiet", "--amend", "-m", "queue")
    job = people.job(2, "merge_group")
    event = json.loads((job.folder / "event.json").read_text())
    event["merge_group"]["head_sha"] = repository.git("rev-parse", "queued").stdout.strip()
    (job.folder / "event.json").write_text(json.dumps(event))
    return job.steps().code


@pytest.mark.further
def test_an_unprivileged_run_shows_it_in_its_summary(
    repository: Repository, github: FakeGitHub, runner: Runner
) -> None:
    deliver(repository, CLAIM, "src/worker.py")
    job = runner.job(2, "pull_request")
    job.step("snapshot", GITHUB_TOKEN=READER)
    ended = job.step("check")
    assert ended.code == 1
    assert (
        "ADR-021 is not implemented: 1 of 3 promises is missing; the author completes" in ended.err
    )
    assert "create `src/worker.py`" in (job.folder / "summary").read_text()
