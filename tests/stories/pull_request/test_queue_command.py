"""`helix-hooks queue` on pull requests: listed, shown and approved by the person's own comment."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub, Token
from tests.fakes.program import PROGRAM
from tests.stories.pull_request.scene import People, check

pytestmark = [pytest.mark.slow, pytest.mark.further]
READS = {"contents": "read", "pull-requests": "read", "checks": "read", "issues": "write"}
SERVER = "https://github.example"


class Caller:
    """The program in the clone of a person."""

    def __init__(self, github: FakeGitHub, repository: Repository, folder: Path) -> None:
        self.github, self.root = github, repository.root
        repository.git("remote", "add", "upstream", f"{SERVER}/acme/decisions.git")
        for login in ("max", "alice", "eve"):
            github.tokens[login] = Token(login, READS)
        self.environment = {
            **os.environ,
            "GITHUB_API_URL": github.url,
            "GITHUB_SERVER_URL": SERVER,
            "XDG_CACHE_HOME": str(folder / "cache"),
            "HELIX_GITHUB_PAUSE": "0",
        }

    def __call__(self, *arguments: str, token: str = "max") -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [str(PROGRAM), "queue", *arguments, *self.repository(arguments)],
            cwd=self.root,
            env={**self.environment, "GITHUB_TOKEN": token},
            capture_output=True,
            text=True,
            check=False,
        )

    def repository(self, arguments: Sequence[str]) -> tuple[str, ...]:
        """Return the option for a list; an id names its repository."""
        return ("--repository", "acme/decisions") if "list" in arguments else ()

    def entries(self, *arguments: str, token: str = "max") -> list[dict[str, Any]]:
        done = self("list", "--format", "json", *arguments, token=token)
        assert done.returncode == 0, done.stderr
        found: list[dict[str, Any]] = json.loads(done.stdout)["entries"]
        return found


@pytest.fixture
def queue(github: FakeGitHub, repository: Repository, tmp_path: Path) -> Caller:
    return Caller(github, repository, tmp_path)


def test_a_pull_request_from_the_list_to_a_green_check(
    queue: Caller, github: FakeGitHub, people: People
) -> None:
    head = people.pending()
    (entry,) = queue.entries("--mine")
    assert entry["id"] == "acme/decisions#1" and queue.entries("--mine", token="alice") == []
    shown = queue("show", entry["id"]).stdout
    assert shown.startswith("acme/decisions#1 waiting: it is your turn\n  A change\n")
    assert f"or in a comment: /helix approve {head}" in shown
    documents = json.loads(queue("show", entry["id"], "--format", "json").stdout)["documents"]
    assert "docs/adr/0007-kafka.md" in [item["path"] for item in documents]
    assert f"helix-hooks queue approve {entry['id']}@{head}" in shown
    other = queue("approve", f"{entry['id']}@{'0' * 12}")
    assert other.returncode == 2 and "has changed since 000000000000 was shown" in other.stderr
    own = queue("approve", f"{entry['id']}@{head}", token="alice")
    assert own.returncode == 2 and "would not count" in own.stderr
    done = queue("approve", f"{entry['id']}@{head}")
    assert done.returncode == 0, done.stderr
    assert "acme/decisions#1: approved in your comment: " in done.stdout
    (entry,) = queue.entries()
    assert entry["answered"] == ["max"] and queue.entries("--mine") == []
    (comment,) = (item.id for item in github.comments.values() if item.author == "max")
    assert people.told(comment).code == 0
    assert check(github).conclusion == "success"
    assert queue.entries() == []
