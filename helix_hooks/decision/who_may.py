"""The right to decide: one answer for pull requests, flows and requests. Pure.

A right belongs to one person. A delegate uses that person's right, so both together have one vote.
A delegate can't delegate the right again. The requester of a run of a flow never approves it,
unless the policy names them as the sole maintainer.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from ..config.policy import Deciders, Delegate, Policy, givers_to, wanted
from ..phases.run_state import Decider
from .pull_request import Commit, Person

_MAINTAINERS = {"maintain", "admin"}
_NAMED = 2
"""Maximum number of people that are named."""


def whose(deciders: Deciders) -> str:
    """Return a short description of the deciders."""
    are_maintainers = _are_maintainers(deciders)
    if deciders.minimum > 1:
        return f"{deciders.minimum} {'maintainers' if are_maintainers else 'people'}"
    if are_maintainers and deciders.roles:
        return "a maintainer"
    # Where several kinds may decide, no short description has them all.
    kinds = [bool(names) for names in (deciders.roles, deciders.users, deciders.teams)]
    if kinds == [True, False, False]:
        return f"the role {deciders.roles[0]}"
    if kinds == [False, True, False] and len(deciders.users) <= _NAMED:
        return " or ".join(f"@{name}" for name in deciders.users)
    return "a person"


def _are_maintainers(deciders: Deciders) -> bool:
    return {*deciders.roles} <= _MAINTAINERS and not (deciders.users or deciders.teams)


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


ACTIONS_BY_ANYBODY = ("cancel",)
"""Actions that require no right to decide: they approve nothing and start nothing."""


class Identity(NamedTuple):
    """The user to whom a token belongs, with the facts that their right to decide depends on."""

    person: Person
    facts: VoterFacts


def refused(
    who: Identity,
    policy: Policy,
    asked_by: Decider,
    *,
    approves: bool,
    at: int = 0,
    is_proxied: bool = False,
) -> str:
    """Return why a user may not decide about a run, "" if they may.

    `at` is the time in seconds since 1970; delegations depend on it. With `is_proxied` a proxy
    names the user of a project without GitHub, where nobody confirms the requester.
    """
    login, deciders = who.person.login, policy.deciders
    if who.person.is_bot:
        return f"@{login} is a bot, and bots cannot approve"
    if not (who.person.id or is_proxied):
        return "GitHub does not say whose token this is"
    if why := decider_right(who, policy, asked_by, approves=approves, at=at).refused:
        return why
    if not approves:
        return ""
    return _requester_reason(login, deciders, asked_by, is_proxied=is_proxied)


def decider_right(
    who: Identity, policy: Policy, asked_by: Decider, *, approves: bool, at: int
) -> Right:
    """Return by which right a user decides about a run. No delegate approves for the requester."""
    deciders, requester = policy.deciders, asked_by.name
    excluded: tuple[str, ...] = ()
    if approves and not is_sole(requester, deciders):
        excluded = (requester.casefold(),)
    return right_of(who.person.login, who.facts, deciders, deciders.delegates, at, without=excluded)


def _requester_reason(
    login: str, deciders: Deciders, asked_by: Decider, *, is_proxied: bool
) -> str:
    """Return why an approval is, or could be, by the requester; "" if it can't be."""
    if is_sole(login, deciders):
        return ""
    if not (asked_by.verified or is_proxied):
        return (
            f"the requester of this run ({asked_by.name or 'unknown'}) is not verified, so "
            "self-approval can't be ruled out; start the run again with GITHUB_TOKEN"
        )
    if asked_by.name.casefold() == login.casefold():
        return f"@{login} requested this run and can't approve it (see policy.sole_maintainer)"
    return ""


def is_sole(login: str, deciders: Deciders) -> bool:
    """Return whether a user is the sole maintainer, who may approve their own requests."""
    return bool(deciders.sole) and login.casefold() == deciders.sole.casefold()


def needs_several(policy: Policy) -> str:
    """Return why one approval is not enough for a run, "" if it is."""
    if policy.deciders.minimum <= 1:
        return ""
    return (
        f"policy.minimum_approvals is {policy.deciders.minimum}, but a run of a flow supports only "
        "one approval; approve on the pull request"
    )


def refused_without_github(*, is_on_github: bool, names_deciders: bool) -> str:
    """Return why a person at a terminal, whom GitHub has not confirmed, may not decide."""
    if not (is_on_github and names_deciders):
        return ""
    return (
        "the policy of the base branch names deciders, so GitHub must confirm who you are: set "
        "GITHUB_TOKEN, or log in with `gh auth login`"
    )


def not_confirmed(asker: str) -> str:
    """Return why a person at a terminal may not approve the request of a GitHub user.

    They could be that user, without the token.
    """
    return (
        f"GitHub confirmed that @{asker} asked, so it must confirm who approves, too: set "
        "GITHUB_TOKEN, or log in with `gh auth login`"
    )
