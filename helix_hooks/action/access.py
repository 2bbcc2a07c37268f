"""Access to a repository on GitHub, and the accounts in whose name the Action writes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ..decision.pull_request import GITHUB_ACTIONS
from ..errors import UsageError
from ..github import client, fetch

if TYPE_CHECKING:
    from github.Repository import Repository

_ACTIONS_APP = 15368
"""The number of the App GitHub Actions, in whose name a workflow's token writes."""


class Access(NamedTuple):
    """A repository on GitHub, with all that reads and writes need.

    `ours` is the number of the user in whose name comments are written, `app` that of the App of
    the check runs (0 for any App). `roles` are those fetched so far, by login. `record_key` signs
    decisions, and people read the repository at `server`.
    """

    repository: "Repository"
    ours: int
    app: int
    roles: dict[str, str]
    record_key: bytes = b""
    server: str = ""

    def role(self, login: str) -> str:
        if login not in self.roles:
            self.roles[login] = fetch.role(self.repository, login)
        return self.roles[login]


def access(name: str, environment: Mapping[str, str]) -> Access:
    """Return the access that the environment gives. Raises UsageError if it does not."""
    ours = bot(environment)
    usual_app = _ACTIONS_APP if ours == GITHUB_ACTIONS else 0
    app = _number(environment, "HELIX_APP_ID", usual_app, "an App")
    url, token = environment.get("GITHUB_API_URL", ""), environment.get("GITHUB_TOKEN", "")
    return Access(
        repository=client.repository(name, token, url, client.pause(environment)),
        ours=ours,
        app=app,
        roles={},
        record_key=environment.get("HELIX_RECORD_KEY", "").strip().encode(),
        server=server(environment),
    )


def server(environment: Mapping[str, str]) -> str:
    """Return the address of GitHub for people and git."""
    return environment.get("GITHUB_SERVER_URL", "https://github.com").rstrip("/")


def bot(environment: Mapping[str, str]) -> int:
    """Return the number of the user in whose name comments are written."""
    return _number(environment, "HELIX_BOT_ID", GITHUB_ACTIONS, "a user")


def _number(environment: Mapping[str, str], name: str, usual: int, whose: str) -> int:
    text = environment.get(name) or str(usual)
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"{name} is {text!r} (expected the number of {whose})")
    return int(text)
