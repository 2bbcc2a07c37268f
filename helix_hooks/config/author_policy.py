"""`policy.authors`: more approvals for what coding agents wrote."""

import re
from typing import NamedTuple

from ..yaml_values import Value

_NAME = re.compile(r"[^\x00-\x1f<>]{1,100}")
_MOST_NAMES = 100


class AgentPolicy(NamedTuple):
    """The approvals that a change needs which agents wrote, 0 for as many as any other.

    `names` are names, logins and addresses of agents that the table of `coding_agents` lacks.
    """

    minimum: int = 0
    names: tuple[str, ...] = ()


def parse_authors(value: Value | None, minimum: int) -> AgentPolicy:
    """Parse `policy.authors`. `minimum` is that of any change. Raises ConfigError."""
    if not value:
        return AgentPolicy()
    entries = value.mapping(("agents",), ("agents",))["agents"].mapping(
        ("minimum_approvals", "names"), ("minimum_approvals",)
    )
    needed = entries["minimum_approvals"]
    found = AgentPolicy(needed.integer(1), _names(entries.get("names")))
    if found.minimum < minimum:
        raise needed.fail(
            f"{found.minimum} is below policy.minimum_approvals, which is {minimum} for any change"
        )
    return found


def _names(value: Value | None) -> tuple[str, ...]:
    items = value.one_or_more() if value else []
    if value and len(items) > _MOST_NAMES:
        raise value.fail(f"{len(items)} entries; allowed are at most {_MOST_NAMES}")
    for item in items:
        if not _NAME.fullmatch(item.text()):
            raise item.fail("write a name, a login or an e-mail address, without < and >")
    return tuple(item.text() for item in items)
