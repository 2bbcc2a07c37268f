"""The asker of an approval: a user or a bot whom GitHub confirms, or a name."""

from collections.abc import Mapping
from typing import NamedTuple

from ..errors import HelixError, UsageError
from ..pull import identity
from ..pull.identity import bot_login, token
from ..waiting.request import Asker
from .place import QueuePlace
from .viewer import own_name

_ACTOR = "GITHUB_ACTOR"
"""The variable with the user who started a job of GitHub Actions."""


_NO_TOKEN = "set GITHUB_TOKEN, or log in with `gh auth login`, before you ask"


class KnownAsker(NamedTuple):
    """The asker, and why GitHub did not confirm it, "" where it did or could not."""

    asker: Asker
    doubt: str = ""


def asker_of(place: QueuePlace, environment: Mapping[str, str], agent: str) -> KnownAsker:
    """Return the requester. With a token and an `origin` on GitHub, GitHub confirms the login."""
    own = Asker(own_name(place.root), verified=False, agent=agent)
    if not place.repository:
        return KnownAsker(own)
    secret = token(environment)
    if not secret:
        return KnownAsker(own, _NO_TOKEN)
    try:
        return KnownAsker(_confirmed(place, secret, environment, agent))
    except HelixError as error:
        return KnownAsker(own, str(error))


def _confirmed(place: QueuePlace, secret: str, environment: Mapping[str, str], agent: str) -> Asker:
    try:
        login = identity.login(place.repository, secret, environment)
        return Asker(login, verified=True, agent=agent)
    except UsageError:  # it is no person's
        login = bot_login(place.repository, secret, environment)
        actor = environment.get(_ACTOR, "").strip()
        return Asker(login, verified=True, agent=agent, on_behalf_of=actor)
