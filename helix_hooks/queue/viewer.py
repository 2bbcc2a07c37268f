"""Who looks at the queue: the user of a token with roles and teams, or whoever git names."""

import getpass
from collections.abc import Iterable, Mapping

from ..errors import HelixError
from ..github import holder
from ..github.identity import token
from ..repository import runner
from ..text.sanitize import printable
from ..waiting.entry import QueueEntry, Viewer
from .place import QueuePlace

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
    needing = [item for item in entries if "/" in item.project]
    names = sorted({*(item.project for item in needing), place.repository} - {""})
    secret = token(environment) if names else ""
    unconfirmed = Viewer(own_name(place.root))
    if not secret:
        return unconfirmed, ()
    try:
        login = holder.login(names[0], secret, environment)
    except HelixError as error:
        return unconfirmed, (f"GitHub did not say who you are, so no turn is yours: {error}",)
    roles, unread = dict[str, str](), list[str]()
    for name in names:
        try:
            roles[name] = holder.role_in(name, secret, environment, login)
        except HelixError as error:
            unread.append(f"your role in {name} could not be read: {error}")
    teams: tuple[str, ...] = ()
    try:
        asked = _asked_teams(needing, roles, login)
        teams = holder.teams_of(names[0], secret, environment, login, asked)
    except HelixError as error:
        unread.append(f"your teams could not be read: {error}")
    return Viewer(login, login, tuple(roles.items()), teams), tuple(unread)


def _asked_teams(
    entries: Iterable[QueueEntry], roles: Mapping[str, str], login: str
) -> tuple[str, ...]:
    """Return the deciding teams of the entries where somebody's role is not enough."""
    asked = {
        team
        for entry in entries
        if roles.get(entry.project, "") not in entry.deciders.roles
        and not entry.deciders.are_named(login)
        for team in entry.deciders.teams
    }
    return tuple(sorted(asked))
