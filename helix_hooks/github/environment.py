"""GitHub's server, repository and writer, from the environment and the clone."""

from collections.abc import Mapping

from ..decision.pull_request import GITHUB_ACTIONS
from ..errors import UsageError
from ..repository import commits
from ..safety import remote
from ..safety.branch import ACTIONS_APP

_GITHUB = "https://github.com"


def server(environment: Mapping[str, str]) -> str:
    """Return the address of GitHub for people and git, without a slash at the end."""
    return (environment.get("GITHUB_SERVER_URL") or _GITHUB).rstrip("/")


def api_url(environment: Mapping[str, str]) -> str:
    """Return the address of the API that belongs to the server, "" for that of github.com.

    So a token for another server is never sent to github.com.
    """
    named = environment.get("GITHUB_API_URL", "")
    address = server(environment)
    return named or ("" if address == _GITHUB else f"{address}/api/v3")


def repository_name(root: str, option: str, environment: Mapping[str, str]) -> str:
    """Return OWNER/NAME as the user or the runner names it, else that of `origin`.

    It is "" if `origin` is not on the server. Raises UsageError for what is not OWNER/NAME.
    """
    name = option or environment.get("GITHUB_REPOSITORY", "")
    if name and not remote.is_name(name):
        raise UsageError(f"{name!r} is no repository; write OWNER/NAME")
    return name or remote.name_of(commits.remote_address(root, "origin"), server(environment))


def bot(environment: Mapping[str, str]) -> int:
    """Return the number of the user in whose name comments are written. Raises UsageError."""
    own = _number(environment, "HELIX_BOT_ID", "a user")
    return GITHUB_ACTIONS if own is None else own


def app(environment: Mapping[str, str]) -> int:
    """Return the number of the App that writes check runs; 0 for any App. Raises UsageError."""
    own = own_app(environment)
    if own is not None:
        return own
    return ACTIONS_APP if bot(environment) == GITHUB_ACTIONS else 0


def own_app(environment: Mapping[str, str]) -> int | None:
    """Return the number of the App that the environment names. Raises UsageError."""
    return _number(environment, "HELIX_APP_ID", "an App")


def _number(environment: Mapping[str, str], name: str, whose: str) -> int | None:
    text = environment.get(name)
    if not text:
        return None
    if not (text.isascii() and text.isdigit()):
        raise UsageError(f"{name} is {text!r} (expected the number of {whose})")
    return int(text)
