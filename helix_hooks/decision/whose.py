"""A short description of the deciders. Pure."""

from ..config.policy import Deciders

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
    kinds = [names for names in (deciders.roles, deciders.users, deciders.teams) if names]
    # Where several kinds may decide, no short description has them all.
    if len(kinds) == 1 and deciders.roles:
        return f"the role {deciders.roles[0]}"
    if len(kinds) == 1 and 0 < len(deciders.users) <= _NAMED:
        return " or ".join(f"@{name}" for name in deciders.users)
    return "a person"


def _are_maintainers(deciders: Deciders) -> bool:
    return {*deciders.roles} <= _MAINTAINERS and not (deciders.users or deciders.teams)
