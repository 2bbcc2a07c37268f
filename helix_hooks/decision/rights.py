"""The right of a person to decide: their own, or as the delegate of another person. Pure.

A right belongs to one person. A delegate uses that person's right, so both together have one vote.
A delegate can't delegate the right again.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..config.policy import Deciders, Delegate, givers_to, wanted
from .pull_request import Commit

_DELEGATE = "delegate of @"


class VoterFacts(NamedTuple):
    """GitHub's facts about the voters.

    `roles` are keyed by login, and `members` are the members of deciding teams. `complete`:
    `commits` are all commits. `contents` are hashes of the reviewed content at other commits, keyed
    by the commit as approvals name it, and `since` is the time from which approvals of these count.
    `unread` are teams that the token can't read.
    """

    roles: dict[str, str]
    commits: tuple[Commit, ...]
    complete: bool
    members: frozenset[str] = frozenset()
    unread: tuple[str, ...] = ()
    contents: dict[str, str] = {}  # noqa: RUF012 - never modified
    since: dict[str, int] = {}  # noqa: RUF012


def role_of(roles: Mapping[str, str], login: str) -> str:
    """Return the role of a user, "" for none. The case of a login in the policy may differ."""
    if login in roles:
        return roles[login]
    folded = login.casefold()
    return next((role for name, role in roles.items() if name.casefold() == folded), "")


class Right(NamedTuple):
    """The reason why a user may not decide, "" if they may; and the right of those who may."""

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
    """Return the right by which a user decides at a time, in seconds since 1970.

    The user's own right comes first. `facts` include the people whom the user represents. The right
    of people in `without`, lowercase logins, can't be used by a delegate: they wrote the change, or
    requested it.
    """
    why = lacks_right(login, facts, deciders)
    if not why:
        return Right("", _own_right(login, facts, deciders))
    givers = givers_to(delegates, login, at)
    for giver in givers:
        if giver.casefold() not in without and not lacks_right(giver, facts, deciders):
            return Right("", f"{_DELEGATE}{giver}")
    return Right(why + _about_delegation(login, delegates, givers, without))


def _own_right(login: str, facts: VoterFacts, deciders: Deciders) -> str:
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
    """Return why a delegation does not help, "" if there is none."""
    if givers:
        giver = givers[0]
        if giver.casefold() in without:
            return f" (@{login} is a delegate of @{giver}, who is an author or the requester)"
        return f" (@{login} is a delegate of @{giver}, who may not decide)"
    to_user = [item for item in delegates if item.to.casefold() == login.casefold()]
    if not to_user:
        return ""
    days = ", ".join(f"{item.since} to {item.until}" for item in to_user)
    return f" (@{login} is a delegate of @{to_user[0].giver} on other days: {days})"


def lacks_right(login: str, voters: VoterFacts, deciders: Deciders) -> str:
    """Return why a user is not one of the deciders, "" for a decider. Delegates are not checked."""
    role = role_of(voters.roles, login) or "none"
    if role in deciders.roles or deciders.are_named(login) or login.casefold() in voters.members:
        return ""
    reason = f"deciding requires {wanted(deciders)}, but @{login} has the role {role}"
    if not voters.unread:
        return reason
    teams = ", ".join(voters.unread)
    return f"{reason} (whether @{login} is in {teams} can't be read with this token)"


def giver_of(right: str) -> str:
    """Return the person whom a delegate represents by this right, "" for none."""
    if not right.startswith(_DELEGATE):
        return ""
    return right.removeprefix(_DELEGATE)
