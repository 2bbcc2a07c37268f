"""Access to a repository on GitHub, with names and accounts from environment and clone."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from ..decision.pull_request import GITHUB_ACTIONS, Commit
from ..errors import UsageError
from ..git import commits
from . import client, fetch

if TYPE_CHECKING:
    from github.Repository import Repository

ACTIONS_APP = 15368
"""The id of the App GitHub Actions on github.com. The token of a workflow writes as this App."""

_GITHUB = "https://github.com"
_NAME = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)
_ADDRESS = re.compile(
    r"(?:(?:https?|ssh|git)://(?:[^@/\s]*@)?|[\w.-]+@)"
    r"(?P<host>[^/:@\s]+)(?::\d+)?[/:](?P<name>[\w.-]+/[\w.-]+?)(?:\.git)?/?",
    re.ASCII,
)
"""The address of a repository, in any form that git accepts."""
_SCP = re.compile(r"(?:[\w.-]+@)?(?P<host>[\w.-]{2,}):(?!//)/*(?P<path>[\w.~/-]+)", re.ASCII)
_PATH = re.compile(r"[\w.~-]+(?:/[\w.~-]+)*", re.ASCII)
_PORTS = {"http": 80, "https": 443, "ssh": 22, "git": 9418}


def server(environment: Mapping[str, str]) -> str:
    """Return the address of GitHub for people and git, without a slash at the end."""
    return (environment.get("GITHUB_SERVER_URL") or _GITHUB).rstrip("/")


def api_url(environment: Mapping[str, str]) -> str:
    """Return the address of the API of the server; "" for github.com."""
    url = environment.get("GITHUB_API_URL", "")
    address = server(environment)
    if url or address == _GITHUB:
        return url
    # A token for another server must never be sent to github.com.
    return f"{address}/api/v3"


def repository_name(root: str, option: str, environment: Mapping[str, str]) -> str:
    """Return OWNER/NAME: the option, else GITHUB_REPOSITORY, else the remote `origin`.

    It is "" if `origin` is not on the server.

    Raises:
        UsageError: The option or the variable is not OWNER/NAME.
    """
    name = option or environment.get("GITHUB_REPOSITORY", "")
    if name and not is_name(name):
        raise UsageError(f"invalid repository {name!r} (expected OWNER/NAME)")
    return name or name_of(commits.remote_address(root, "origin"), server(environment))


def is_name(text: str) -> bool:
    """Return whether a text is OWNER/NAME."""
    return bool(_NAME.fullmatch(text)) and not {".", ".."} & {*text.split("/")}


def name_of(address: str, server: str) -> str:
    """Return OWNER/NAME of the repository at a URL; "" if it is not on the server.

    `server` is a URL as in GITHUB_SERVER_URL. On another server the same name is another
    repository. NOTE: never print `address`, which may contain a token.
    """
    match = _ADDRESS.fullmatch(address.strip())
    if not match or not is_name(match["name"]):
        return ""
    host = server.partition("://")[2].rstrip("/")
    # SSH over port 443 has a host of its own.
    if match["host"].lower() not in (host, f"ssh.{host}"):
        return ""
    return match["name"]


def forge_name(address: str) -> str:
    """Return HOST/PATH of the repository at a URL of any forge; "" for a path on the disk.

    A URL and the short form of ssh have the same name. It has no user and no token.
    """
    address = address.strip()
    if match := _SCP.fullmatch(address):
        host, path = match["host"], match["path"]
    else:
        try:
            parts = urlsplit(address)
            port = parts.port
        except ValueError:
            return ""
        if parts.scheme not in _PORTS or not parts.hostname:
            return ""
        host, path = parts.hostname, parts.path
        if port not in (None, _PORTS[parts.scheme]):
            host = f"{host}:{port}"
    path = path.strip("/").removesuffix(".git")
    return f"{host.lower()}/{path}" if _PATH.fullmatch(path) else ""


def bot(environment: Mapping[str, str]) -> int:
    """Return the number of the user who writes the comments.

    Raises:
        UsageError: HELIX_BOT_ID is not a number.
    """
    number = _number(environment, "HELIX_BOT_ID", "a user")
    if number is None:
        return GITHUB_ACTIONS
    return number


def app(environment: Mapping[str, str]) -> int:
    """Return the number of the App that writes check runs; 0 for any App.

    Raises:
        UsageError: HELIX_APP_ID or HELIX_BOT_ID is not a number.
    """
    number = own_app(environment)
    if number is not None:
        return number
    if bot(environment) == GITHUB_ACTIONS:
        return ACTIONS_APP
    return 0


def own_app(environment: Mapping[str, str]) -> int | None:
    """Return the number of the App that the environment names; None if it names none.

    Raises:
        UsageError: HELIX_APP_ID is not a number.
    """
    return _number(environment, "HELIX_APP_ID", "an App")


def _number(environment: Mapping[str, str], name: str, whose: str) -> int | None:
    text = environment.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"{name} is {text!r} (expected the number of {whose})")
    return int(text)


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
) -> Access:
    """Return the access that the environment gives.

    Raises:
        UsageError: A variable is missing or has a wrong value.
    """
    url, token = api_url(environment), environment.get("GITHUB_TOKEN", "")
    pause = client.pause(environment)
    repository = client.repository(name, token, url, pause, longest_wait=longest_wait)
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
