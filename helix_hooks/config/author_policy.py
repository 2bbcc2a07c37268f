"""`policy.authors`: more approvals for changes that coding agents wrote."""

import re
from typing import NamedTuple

from ..yaml_reader import Value

_NAME = re.compile(r"[^\x00-\x1f<>]{1,100}")
_MAX_NAMES = 100


class AgentPolicy(NamedTuple):
    """The approvals that changes by agents need; 0 for as many as any other change.

    `names` are names, logins and addresses of agents that the table of `coding_agents` lacks.
    """

    minimum: int = 0
    names: tuple[str, ...] = ()


def parse_authors(value: Value | None, minimum: int) -> AgentPolicy:
    """Parse `policy.authors`. `minimum` is the number of approvals for any change.

    Raises:
        ConfigError: A value is invalid, or requires less than any change.
    """
    if not value:
        return AgentPolicy()
    agents = value.mapping(("agents",), ("agents",))["agents"]
    entries = agents.mapping(("minimum_approvals", "names"), ("minimum_approvals",))
    required = entries["minimum_approvals"]
    policy = AgentPolicy(required.integer(1), _names(entries.get("names")))
    if policy.minimum < minimum:
        raise required.fail(f"{policy.minimum} is less than policy.minimum_approvals ({minimum})")
    return policy


def _names(value: Value | None) -> tuple[str, ...]:
    if value is None:
        return ()
    items = value.one_or_more()
    if len(items) > _MAX_NAMES:
        raise value.fail(f"too many entries ({len(items)}, maximum {_MAX_NAMES})")
    for item in items:
        if not _NAME.fullmatch(item.text()):
            raise item.fail("expected a name, a login or an e-mail address, without < and >")
    return tuple(item.text() for item in items)
