"""Access to a repository on GitHub, and the accounts in whose name the Action writes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..decision.pull_request import Commit
from ..github import client, fetch
from ..github.environment import api_url, app, bot, server

if TYPE_CHECKING:
    from github.Repository import Repository

    from ..github.answers import StoredAnswers


class Access(NamedTuple):
    """A repository on GitHub, with all that reads and writes need.

    `ours` is the number of the user in whose name comments are written, `app` that of the App of
    the check runs (0 for any App). `roles` are those fetched so far, by login, and `written` the
    commits of pull requests, by number and head. `record_key` signs decisions, and people read the
    repository at `server`. A rate limit is waited for `longest_wait` seconds.
    """

    repository: "Repository"
    ours: int
    app: int
    roles: dict[str, str]
    written: dict[tuple[int, str], tuple[tuple[Commit, ...], bool]]
    record_key: bytes = b""
    server: str = ""
    longest_wait: int = client.LONGEST_WAIT

    def role(self, login: str) -> str:
        if login not in self.roles:
            self.roles[login] = fetch.role(self.repository, login)
        return self.roles[login]

    def commits(self, number: int, head: str) -> tuple[tuple[Commit, ...], bool]:
        """Return the commits of a pull request at its head, and whether these are all."""
        if (number, head) not in self.written:
            self.written[number, head] = fetch.commits(self.repository, number)
        return self.written[number, head]


def access(
    name: str,
    environment: Mapping[str, str],
    *,
    longest_wait: int = client.LONGEST_WAIT,
    answers: "StoredAnswers | None" = None,
) -> Access:
    """Return the access that the environment gives. Raises UsageError if it does not."""
    url, token = api_url(environment), environment.get("GITHUB_TOKEN", "")
    pause = client.pause(environment)
    repository = client.repository(
        name, token, url, pause, longest_wait=longest_wait, answers=answers
    )
    return Access(
        ours=bot(environment),
        app=app(environment),
        repository=repository,
        roles={},
        written={},
        record_key=environment.get("HELIX_RECORD_KEY", "").strip().encode(),
        server=server(environment),
        longest_wait=longest_wait,
    )
