"""The holder of a bot's token. The REST API does not name it; the GraphQL API does."""

from collections.abc import Mapping

from ..errors import HelixError
from . import client
from .client import text_field
from .environment import api_url
from .write import Writer

_QUERY = "query { viewer { login } }"


def bot_login(name: str, token: str, environment: Mapping[str, str]) -> str:
    """Return the login of a bot by its token, e.g. github-actions[bot].

    Raises:
        HelixError: GitHub can't be reached, or does not name the holder.
    """
    with client.reached():
        # The Writer sends GraphQL; a query changes nothing.
        writer = Writer(client.repository(name, token, api_url(environment)))
        viewer = writer.change(_QUERY, {}).get("viewer")
    login = text_field(viewer, "login")
    if not login:
        raise HelixError("GitHub does not name the holder of this token")
    return login
