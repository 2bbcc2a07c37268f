"""By which right somebody decides: their own, or that of a person for whom they stand in. Pure.

A right is that of one person. Whoever stands in for another one uses their right, so both together
have one vote. Nobody passes on a right that was given to them.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from ..config.delegates import Delegate, givers_to
from ..config.policy import Deciders, wanted
from .pull_request import Commit

_DELEGATE = "delegate of @"


class VoterFacts(NamedTuple):
    """GitHub's facts about the voters.

    Roles by login, members of deciding teams, authors of the commits. `complete` says that
    `commits` are all. `contents` are hashes of the reviewed content at other commits, keyed by the
    commit as approvals name it, and `since` is the time from which approvals of these count.
    `unread` are teams that the token can't read.
    """

    roles: dict[str, str]
    commits: tuple[Commit, ...]
    complete: bool
    members: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()
    contents: dict[str, str] = {}  # noqa: RUF012 - nobody changes it
    since: dict[str, int] = {}  # noqa: RUF012


def role_of(roles: Mapping[str, str], login: str) -> str:
    """Return the role of a user, "" for none; the policy may write a login in other letters."""
    if login in roles:
        return roles[login]
    folded = login.casefold()
    return next((role for name, role in roles.items() if name.casefold() == folded), "")


class Right(NamedTuple):
    """The reason why somebody may not decide, "" if they may, and then their right, in words."""

    refused: str
    text: str = ""


def right_of(
    login: str,
    facts: VoterFacts,
    deciders: Deciders,
    delegates: tuple[Delegate, ...],
    at: int,
    without: Collection[str] = (),
) -> Right:
    """Return by which right a user decides at a time, in seconds since 1970; their own comes first.

    `facts` have the roles and teams of those for whom the user stands in, too. The right of those
    in `without`, logins in small letters, can't be used by a delegate: they wrote the change, or
    asked for it.
    """
    why = lacks_right(login, facts, deciders)
    if not why:
        return Right("", _own(login, facts, deciders))
    givers = givers_to(delegates, login, at)
    for giver in givers:
        if giver.casefold() not in without and not lacks_right(giver, facts, deciders):
            return Right("", f"{_DELEGATE}{giver}")
    return Right(why + _about_delegation(login, delegates, givers, without))


def _own(login: str, facts: VoterFacts, deciders: Deciders) -> str:
    role = role_of(facts.roles, login)
    if role in deciders.roles:
        return f"role {role}"
    return "named by the policy" if deciders.are_named(login) else "member of a team"


def _about_delegation(
    login: str,
    delegates: tuple[Delegate, ...],
    givers: tuple[str, ...],
    without: Collection[str],
) -> str:
    """Return why a delegation does not help, "" where there is none."""
    if givers:
        giver = givers[0]
        if giver.casefold() in without:
            return f" (@{giver}, for whom @{login} stands in, wrote part of it or asked for it)"
        return f" (@{giver}, for whom @{login} stands in, may not decide)"
    mine = [item for item in delegates if item.to.casefold() == login.casefold()]
    if not mine:
        return ""
    days = ", ".join(f"{item.since} to {item.until}" for item in mine)
    return f" (@{login} stands in for @{mine[0].giver} on other days: {days})"


def lacks_right(login: str, voters: VoterFacts, deciders: Deciders) -> str:
    """Return why a user is none of the deciders, "" for a decider. Delegates are left out."""
    role = role_of(voters.roles, login) or "none"
    if role in deciders.roles or deciders.are_named(login) or login.casefold() in voters.members:
        return ""
    teams = ", ".join(voters.unread)
    unread = (
        f" (whether @{login} is in {teams} can't be read with this token)" if voters.unread else ""
    )
    return f"deciding needs {wanted(deciders)}, and @{login} has the role {role}{unread}"


def giver_of(right: str) -> str:
    """Return for whom somebody decides, by the words of their right; "" for themselves."""
    return right.removeprefix(_DELEGATE) if right.startswith(_DELEGATE) else ""


def rights_used(votes: Iterable[tuple[str, str]]) -> int:
    """Return how many rights stand behind votes, each a login and the words of its right.

    A person and their delegate have one right together.
    """
    return len({(giver_of(right) or login).casefold() for login, right in votes})
