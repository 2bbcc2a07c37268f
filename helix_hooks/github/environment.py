"""The server, the repository and the writing account on GitHub, from environment and clone."""

from collections.abc import Mapping

from ..decision.pull_request import GITHUB_ACTIONS
from ..errors import UsageError
from ..git import commits
from ..safety import remote
from ..safety.branch import ACTIONS_APP

_GITHUB = "https://github.com"


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
    if name and not remote.is_name(name):
        raise UsageError(f"invalid repository {name!r} (expected OWNER/NAME)")
    return name or remote.name_of(commits.remote_address(root, "origin"), server(environment))


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
