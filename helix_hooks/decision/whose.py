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
    # Where several kinds may decide, no short description has them all.
    kinds = [bool(names) for names in (deciders.roles, deciders.users, deciders.teams)]
    if kinds == [True, False, False]:
        return f"the role {deciders.roles[0]}"
    if kinds == [False, True, False] and len(deciders.users) <= _NAMED:
        return " or ".join(f"@{name}" for name in deciders.users)
    return "a person"


def _are_maintainers(deciders: Deciders) -> bool:
    return {*deciders.roles} <= _MAINTAINERS and not (deciders.users or deciders.teams)
