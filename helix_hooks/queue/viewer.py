"""The person who looks at the queue: the user of a token, or the person that git names."""

import getpass
from collections.abc import Iterable, Mapping

from .. import git
from ..errors import HelixError
from ..pull import identity
from ..pull.identity import token
from ..text import printable
from ..waiting.entry import QueueEntry, Viewer
from ..waiting.right import deciding_teams, givers
from .place import QueuePlace

_NAME = ["config", "--get", "user.name"]
_LONGEST_NAME = 100


def own_name(root: str) -> str:
    """Return the name that git has for the user, else that of their account."""
    name = git.run(_NAME, root, check=False).stdout.decode(errors="replace").strip()
    return printable(name or getpass.getuser(), _LONGEST_NAME)


def viewer(
    place: QueuePlace, entries: Iterable[QueueEntry], environment: Mapping[str, str], now: int
) -> tuple[Viewer, tuple[str, ...]]:
    """Return the viewer, and a line for each role that could not be read.

    One request is made for the user, one for each project, one for each team that decides, and one
    for each person for whom the user decides as a delegate.
    """
    on_github = [entry for entry in entries if entry.repository]
    names = sorted({*(entry.repository for entry in on_github), place.repository} - {""})
    secret = token(environment) if names else ""
    unconfirmed = Viewer(name=own_name(place.root), at=now, is_here=True)
    if not secret:
        return unconfirmed, ()
    try:
        login = identity.login(names[0], secret, environment)
    except HelixError as error:
        return unconfirmed, (
            f"GitHub did not confirm who you are, so no entry is shown as yours: {error}",
        )
    own, unread = _roles([(name, login) for name in names], secret, environment)
    lent, unread_lent = _roles(givers(on_github, login, now), secret, environment)
    unread += unread_lent
    own_roles = {name: role for name, _, role in own}
    teams: tuple[str, ...] = ()
    try:
        deciding = deciding_teams(on_github, own_roles, login)
        teams = identity.teams_of(names[0], secret, environment, login, deciding)
    except HelixError as error:
        unread.append(f"your teams could not be read: {error}")
    confirmed = Viewer(
        name=login,
        login=login,
        roles=tuple(own_roles.items()),
        teams=teams,
        at=now,
        lent=tuple(lent),
        is_here=True,
    )
    return confirmed, tuple(unread)


def _roles(
    pairs: Iterable[tuple[str, str]], secret: str, environment: Mapping[str, str]
) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Return project, login and role of each pair, and a line for each unread role."""
    roles, unread = list[tuple[str, str, str]](), list[str]()
    for name, login in pairs:
        try:
            roles.append((name, login, identity.role_in(name, secret, environment, login)))
        except HelixError as error:
            unread.append(f"the role of @{login} in {name} could not be read: {error}")
    return roles, unread
