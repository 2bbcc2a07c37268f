"""The name OWNER/NAME of the repository that a command is about."""

from collections.abc import Mapping

from ..errors import UsageError
from ..repository import commits
from ..safety import remote

_GITHUB = "https://github.com"


def repository_name(root: str, option: str, environment: Mapping[str, str]) -> str:
    """Return the repository that the user or the runner names, else that of `origin`.

    It is "" if `origin` is not on GitHub. Raises UsageError for what is not OWNER/NAME.
    """
    name = option or environment.get("GITHUB_REPOSITORY", "")
    if name and not remote.is_name(name):
        raise UsageError(f"{name!r} is no repository; write OWNER/NAME")
    return name or remote.name_of(commits.remote_address(root, "origin"), server(environment))


def server(environment: Mapping[str, str]) -> str:
    """Return the address of the GitHub server."""
    return environment.get("GITHUB_SERVER_URL") or _GITHUB
