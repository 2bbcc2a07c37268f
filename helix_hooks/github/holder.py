"""The holder of a token, and their rights in repositories.

Every function raises HelixError if GitHub refuses a request or can't be reached.
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
    """Return the login of the holder. The repository only gives the connection."""
    with client.reached():
        return user(_repository(name, token, environment)).login


def identity_in(
    name: str, token: str, environment: Mapping[str, str], deciders: Deciders, at: int
) -> Identity:
    """Return the holder, with the facts on which their right in a repository depends at a time."""
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
    """Return another person than the holder, with the facts on which their right depends.

    The caller must know who the person is, e.g. from a proxy with a sign-in.
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
    """Return the teams of which a user is a member."""
    repository = _repository(name, token, environment)
    with client.reached():
        return tuple(team for team in teams if fetch.is_member(repository, team, login))


def _repository(name: str, token: str, environment: Mapping[str, str]) -> "Repository":
    extras.require("a decision that GitHub confirms", "github")
    return client.repository(name, token, api_url(environment))
