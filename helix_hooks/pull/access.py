"""Access to a repository on GitHub, with the accounts that the Action writes as."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..decision.pull_request import Commit
from . import client, fetch
from .environment import api_url, app, bot, server

if TYPE_CHECKING:
    from github.Repository import Repository


class Access(NamedTuple):
    """A repository on GitHub, with the values that reads and writes need.

    `ours` is the number of the user who writes the comments, `app` the number of the App that
    writes the check runs (0 for any App). `roles` caches roles by login, `written` commits by
    number and head of a pull request, and `checks` the names of check runs by branch. `record_key`
    signs decisions, and `server` is the address of GitHub for people. `longest_wait` is the maximum
    wait for a rate limit in seconds.
    """

    repository: "Repository"
    ours: int
    app: int
    roles: dict[str, str]
    written: dict[tuple[int, str], tuple[tuple[Commit, ...], bool]]
    checks: dict[str, str]
    record_key: bytes = b""
    server: str = ""
    longest_wait: int = client.LONGEST_WAIT

    def role(self, login: str) -> str:
        if login not in self.roles:
            self.roles[login] = fetch.role(self.repository, login)
        return self.roles[login]

    def check_name(self, branch: str, default: str) -> str:
        """Return the name of the check run for a branch. `default` is the default branch."""
        if branch not in self.checks:
            self.checks[branch] = fetch.check_name(self.repository, branch, default)
        return self.checks[branch]

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
    conditional: bool = False,
) -> Access:
    """Return the access that the environment gives; `conditional` sends conditional requests.

    Raises:
        UsageError: A variable is missing or has a wrong value.
    """
    url, token = api_url(environment), environment.get("GITHUB_TOKEN", "")
    pause = client.pause(environment)
    repository = client.repository(
        name, token, url, pause, longest_wait=longest_wait, conditional=conditional
    )
    return Access(
        ours=bot(environment),
        app=app(environment),
        repository=repository,
        roles={},
        written={},
        checks={},
        record_key=environment.get("HELIX_RECORD_KEY", "").strip().encode(),
        server=server(environment),
        longest_wait=longest_wait,
    )
