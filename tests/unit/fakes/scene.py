"""A repository on the fake GitHub, and PyGithub before it."""

from typing import Any, NamedTuple

import pytest
from github import Auth, Github, GithubException
from github.PullRequest import PullRequest
from github.Repository import Repository as Remote

from tests.conftest import Repository
from tests.fakes.github.server import FakeGitHub, Token

BOT = "github-actions[bot]"


ALL = dict.fromkeys(("checks", "contents", "issues", "pull-requests", "statuses"), "write")


LONG = "docs/long.md"


def text(*changed: int) -> str:
    return "".join(
        f"line {number}{' changed' if number in changed else ''}\n" for number in range(1, 41)
    )


def history(repository: Repository) -> None:
    """A change with a file of each kind: modified in two places, added, removed, renamed, and one that is not text."""
    for path, content in (
        (LONG, text()),
        ("docs/gone.md", "gone\n"),
        ("docs/old.md", text() + "old\n"),
        ("docs/picture", b"\0\1"),
    ):
        repository.stage(path, content)
    repository.commit("Begin")
    repository.git("switch", "--quiet", "--create", "change")
    repository.git("rm", "--quiet", "docs/gone.md")
    repository.git("mv", "docs/old.md", "docs/new.md")
    for path, content in (
        (LONG, text(5, 30)),
        ("docs/added.md", "new\n"),
        ("docs/new.md", text() + "new\n"),
        ("docs/picture", b"\0\2"),
    ):
        repository.stage(path, content)
    repository.git(
        "commit",
        "--quiet",
        "--message",
        "Change\n\nWhy.",
        "--author",
        "Bob <7+bob@users.noreply.github.com>",
    )


class Scene(NamedTuple):
    fake: FakeGitHub
    git: Repository

    def remote(self, token: str = "bot") -> Remote:
        options: dict[str, Any] = {
            "seconds_between_requests": 0,
            "seconds_between_writes": 0,
            "retry": None,
            "lazy": True,
        }
        return Github(auth=Auth.Token(token), base_url=self.fake.url, **options).get_repo(
            "acme/decisions"
        )

    def pull(self, token: str = "bot") -> PullRequest:
        return self.remote(token).get_pull(1)

    def ask(self, verb: str, path: str, body: Any = None, token: str = "bot") -> Any:
        """Send a request for a path of the repository; return headers and data of the answer."""
        url = f"/repos/acme/decisions/{path}"
        return self.remote(token).requester.requestJsonAndCheck(verb, url, input=body)

    def sha(self, name: str = "change") -> str:
        return self.git.git("rev-parse", name).stdout.strip()


def populate(fake: FakeGitHub) -> None:
    fake.people |= {
        "alice": "write",
        "carol": "maintain",
        "dave": "triage",
        "eve": "architect",
        "zoe": "none",
    }
    fake.roles["architect"] = "write"
    fake.tokens |= {
        "bot": Token(BOT, ALL),
        "alice": Token("alice", ALL),
        "other": Token("helix[bot]", ALL),
        "poor": Token(BOT, {"contents": "read"}),
    }
    fake.open_pull(1, title="Add a decision")


def refusal(caught: pytest.ExceptionInfo[GithubException]) -> tuple[int, str, Any]:
    data: Any = caught.value.data
    return caught.value.status, data["message"], data.get("errors")
