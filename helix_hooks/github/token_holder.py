"""Whose token it is, where it is no person's: a bot, which REST does not name."""

from collections.abc import Mapping

from ..errors import HelixError
from . import client
from .environment import api_url
from .write import Writer

_QUERY = "query { viewer { login } }"


def bot_login(name: str, token: str, environment: Mapping[str, str]) -> str:
    """Return the login of a bot by its token, as in github-actions[bot]. Raises HelixError."""
    with client.reached():
        writer = Writer(client.repository(name, token, api_url(environment)))
        viewer = writer.change(_QUERY, {}).get("viewer")
    login = viewer.get("login") if isinstance(viewer, dict) else None
    if not isinstance(login, str) or not login:
        raise HelixError("GitHub does not say whose token this is")
    return login
