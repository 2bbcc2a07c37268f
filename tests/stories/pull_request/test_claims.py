"""A pull request that claims to implement an ADR: the Action looks whether it does."""

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub
from tests.fakes.runner import Ended
from tests.stories.pull_request.scene import Runner, check, texts

PATH = "docs/adr/0021-queue.md"
ADR = """# 21. Put orders into a queue

## Status

Accepted

## Context

Orders are lost when the shop restarts while the warehouse is slow, which happens each Monday.

## Decision

We will put orders into a queue, and a worker takes them out, one after the other.

## Consequences

A worker is one more program to watch, and orders arrive a second later than before.

## Acceptance Criteria

- [ ] `src/queue.py` takes orders
- [ ] `src/worker.py` hands them on
- [ ] `tests/test_queue.py::test_order` passes
- [ ] nobody waits for longer than a minute
"""
PARTS = {
    "src/queue.py": "def put(): ...\n",
    "src/worker.py": "def take(): ...\n",
    "tests/test_queue.py": "def test_order(): ...\n",
}
CLAIM = "Take orders\n\nImplements: ADR-021"
SECTION = "**What is claimed to be implemented**"


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
    print(page)
    assert check(github).conclusion == "failure"
    for text in (page, check(github).output["summary"]):
        assert SECTION in text
        assert "❌ **Not implemented:** " in text
        assert "1 of 4 promises kept, 2 missing, 1 can't be shown here" in text
        assert "- `src/worker.py` hands them on: the file does not exist" in text
        assert "takes back the claim" in text and "`helix-hooks verify ADR-021`" in text
    deliver(repository, "Hand them on")
    ended = run(runner)
    assert (ended.code, ended.out) == (0, "Approved: no judge was needed\n")
    assert check(github).conclusion == "success"
    assert "✅ **Implemented:** " in check(github).output["summary"] + texts(github)
