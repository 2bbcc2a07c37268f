"""The person who looks at the queue: the user of a token, or whoever git names."""

import getpass
from collections.abc import Iterable, Mapping

from ..config.delegates import givers_to
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
    place: QueuePlace, entries: Iterable[QueueEntry], environment: Mapping[str, str], now: int
) -> tuple[Viewer, tuple[str, ...]]:
    """Return who looks, and a line for each role that could not be read.

    One request is made for the user, one for each project, one for each team that decides, and one
    for each person in whose place the user decides.
    """
    needing = [item for item in entries if "/" in item.project]
    names = sorted({*(item.project for item in needing), place.repository} - {""})
    secret = token(environment) if names else ""
    unconfirmed = Viewer(name=own_name(place.root), at=now, is_here=True)
    if not secret:
        return unconfirmed, ()
    try:
        login = holder.login(names[0], secret, environment)
    except HelixError as error:
        return unconfirmed, (f"GitHub did not say who you are, so no turn is yours: {error}",)
    roles, unread = dict[tuple[str, str], str](), list[str]()
    for name, who in [*((name, login) for name in names), *_givers(needing, login, now)]:
        try:
            roles[name, who] = holder.role_in(name, secret, environment, who)
        except HelixError as error:
            unread.append(f"the role of @{who} in {name} could not be read: {error}")
    own = {name: role for (name, who), role in roles.items() if who == login}
    teams: tuple[str, ...] = ()
    try:
        asked = _asked_teams(needing, own, login)
        teams = holder.teams_of(names[0], secret, environment, login, asked)
    except HelixError as error:
        unread.append(f"your teams could not be read: {error}")
    lent = tuple((name, who, role) for (name, who), role in roles.items() if who != login)
    found = Viewer(
        name=login,
        login=login,
        roles=tuple(own.items()),
        teams=teams,
        at=now,
        lent=lent,
        is_here=True,
    )
    return found, tuple(unread)


def _givers(entries: Iterable[QueueEntry], login: str, now: int) -> tuple[tuple[str, str], ...]:
    """Return the projects and logins in whose place somebody decides at a time, each once."""
    pairs = [
        (entry.project, giver)
        for entry in entries
        for giver in givers_to(entry.deciders.delegates, login, now)
    ]
    return tuple(dict.fromkeys(pairs))


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
