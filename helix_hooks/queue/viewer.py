"""Who looks at the queue: the user of a token with roles and teams, or whoever git names."""

import getpass
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from .. import extras
from ..errors import HelixError
from ..github import client, fetch
from ..github.environment import api_url
from ..github.identity import token, user
from ..repository import runner
from ..text.sanitize import printable
from ..waiting.entry import QueueEntry, Viewer
from .place import QueuePlace

if TYPE_CHECKING:
    from github.Repository import Repository

_NAME = ["config", "--get", "user.name"]
_LONGEST_NAME = 100


def own_name(root: str) -> str:
    """Return the name that git has for the user, else that of their account."""
    name = runner.run(_NAME, root, check=False).stdout.decode(errors="replace").strip()
    return printable(name or getpass.getuser(), _LONGEST_NAME)


def viewer(
    place: QueuePlace, entries: Iterable[QueueEntry], environment: Mapping[str, str]
) -> tuple[Viewer, tuple[str, ...]]:
    """Return who looks, and a line for each role that could not be read.

    One request is made for the user, one for each project, and one for each team that decides.
    """
    unconfirmed = Viewer(own_name(place.root))
    needing = [item for item in entries if "/" in item.project]
    names = sorted({*(item.project for item in needing), place.repository} - {""})
    secret = token(environment) if names else ""
    if not secret:
        return unconfirmed, ()
    extras.require_packages("the queue of pull requests", "github")
    url = api_url(environment)
    try:
        with client.reached():
            login = user(client.repository(names[0], secret, url)).login
            roles = {
                name: fetch.role(client.repository(name, secret, url), login) for name in names
            }
            teams = _teams(client.repository(names[0], secret, url), needing, roles, login)
    except HelixError as error:
        return unconfirmed, (f"GitHub did not say who you are, so whose turn is open: {error}",)
    return Viewer(login, login, tuple(roles.items()), teams), ()


def _teams(
    repository: "Repository", entries: Iterable[QueueEntry], roles: Mapping[str, str], login: str
) -> tuple[str, ...]:
    """Return those of the deciding teams that somebody is in, where their role is not enough."""
    asked = {
        team
        for entry in entries
        if roles.get(entry.project, "") not in entry.deciders.roles
        and not entry.deciders.are_named(login)
        for team in entry.deciders.teams
    }
    return tuple(team for team in sorted(asked) if fetch.is_member(repository, team, login))
