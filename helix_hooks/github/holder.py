"""The holder of a token: who it is, and what they may do in some repositories.

Every function raises HelixError where GitHub can't be asked.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .. import extras
from ..config.policy import Deciders
from ..decision.flow_decider import Identity
from ..decision.pull_request import Person
from . import client, fetch
from .environment import api_url
from .identity import identified, identity, user

if TYPE_CHECKING:
    from github.Repository import Repository


def login(name: str, token: str, environment: Mapping[str, str]) -> str:
    """Return the login of the holder, by way of a repository."""
    with client.reached():
        return user(_repository(name, token, environment)).login


def identity_in(
    name: str, token: str, environment: Mapping[str, str], deciders: Deciders, at: int
) -> Identity:
    """Return the holder, with all that their right in a repository depends on at a time."""
    with client.reached():
        return identity(_repository(name, token, environment), deciders, at)


def identity_of(
    person: str,
    name: str,
    token: str,
    environment: Mapping[str, str],
    deciders: Deciders,
    at: int = 0,
) -> Identity:
    """Return somebody else than the holder, with what their right in a repository depends on.

    Who they are, somebody else has confirmed, as a proxy that they signed in to.
    """
    repository = _repository(name, token, environment)
    with client.reached():
        role, number = fetch.account(repository, person)
        return identified(repository, Person(person, number), role, deciders, at)


def role_in(name: str, token: str, environment: Mapping[str, str], login: str) -> str:
    """Return the role of a user in a repository."""
    with client.reached():
        return fetch.role(_repository(name, token, environment), login)


def teams_of(
    name: str, token: str, environment: Mapping[str, str], login: str, teams: Iterable[str]
) -> tuple[str, ...]:
    """Return those of some teams that a user is in."""
    repository = _repository(name, token, environment)
    with client.reached():
        return tuple(team for team in teams if fetch.is_member(repository, team, login))


def _repository(name: str, token: str, environment: Mapping[str, str]) -> "Repository":
    extras.require_packages("a decision that GitHub confirms", "github")
    return client.repository(name, token, api_url(environment))
