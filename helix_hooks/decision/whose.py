"""A short description of the deciders. Pure."""

from ..config.policy import Deciders

_MAINTAINERS = {"maintain", "admin"}
_NAMED = 2
"""People that are named."""


def whose(deciders: Deciders) -> str:
    """Return a short description of the deciders."""
    if deciders.minimum > 1:
        return f"{deciders.minimum} {'maintainers' if _are_maintainers(deciders) else 'people'}"
    if deciders.roles and not (deciders.users or deciders.teams):
        return "a maintainer" if _are_maintainers(deciders) else f"the role {deciders.roles[0]}"
    if deciders.users and not (deciders.roles or deciders.teams) and len(deciders.users) <= _NAMED:
        return " or ".join(f"@{name}" for name in deciders.users)
    return "a person"


def _are_maintainers(deciders: Deciders) -> bool:
    return {*deciders.roles} <= _MAINTAINERS and not (deciders.users or deciders.teams)
