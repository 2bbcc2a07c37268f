"""The right of a person to decide about a run of a flow, by the policy of the base branch. Pure.

It is the same right as for a vote on a pull request. The requester of a run never approves it,
unless the policy names them as the sole maintainer.
"""

from typing import NamedTuple

from ..config.policy import Deciders, Policy
from ..phases.run_state import Decider
from .pull_request import Person
from .rights import Right, VoterFacts, right_of

ACTIONS_BY_ANYBODY = ("cancel",)
"""Actions that require no right to decide: they approve nothing and start nothing."""


class Identity(NamedTuple):
    """The user to whom a token belongs, with the facts that their right to decide depends on."""

    person: Person
    facts: VoterFacts


def refused(
    who: Identity, policy: Policy, asked_by: Decider, *, approves: bool, at: int = 0
) -> str:
    """Return why a user may not decide about a run, "" if they may.

    `at` is the time in seconds since 1970; delegations depend on it.
    """
    login, deciders = who.person.login, policy.deciders
    if who.person.is_bot:
        return f"@{login} is a bot, and bots cannot approve"
    if not who.person.id:
        return "GitHub does not say whose token this is"
    if why := decider_right(who, policy, asked_by, approves=approves, at=at).refused:
        return why
    if not approves:
        return ""
    return _requester_reason(login, deciders, asked_by)


def decider_right(
    who: Identity, policy: Policy, asked_by: Decider, *, approves: bool, at: int
) -> Right:
    """Return by which right a user decides about a run. No delegate approves for the requester."""
    deciders, requester = policy.deciders, asked_by.name
    excluded: tuple[str, ...] = ()
    if approves and not is_sole(requester, deciders):
        excluded = (requester.casefold(),)
    return right_of(who.person.login, who.facts, deciders, deciders.delegates, at, without=excluded)


def _requester_reason(login: str, deciders: Deciders, asked_by: Decider) -> str:
    """Return why an approval is, or could be, by the requester; "" if it can't be."""
    if is_sole(login, deciders):
        return ""
    if not asked_by.verified:
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
