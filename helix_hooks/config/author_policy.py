"""`policy.authors`: more approvals for changes that coding agents wrote."""

import re
from typing import NamedTuple

from ..yaml_reader import Value
from .declaration import Key, Type, integer, section

_NAME = re.compile(r"[^\x00-\x1f<>]{1,100}")
_MAX_NAMES = 100


class AgentPolicy(NamedTuple):
    """The approvals that changes by agents need; 0 for as many as any other change.

    `names` are names, logins and addresses of agents that the table of `coding_agents` lacks.
    """

    minimum: int = 0
    names: tuple[str, ...] = ()


def _names(value: Value) -> tuple[str, ...]:
    items = value.one_or_more()
    if len(items) > _MAX_NAMES:
        raise value.fail(f"too many entries ({len(items)}, maximum {_MAX_NAMES})")
    for item in items:
        if not _NAME.fullmatch(item.text()):
            raise item.fail("expected a name, a login or an e-mail address, without < and >")
    return tuple(item.text() for item in items)


class _Agents:
    minimum_approvals = Key(integer(1), None, field="minimum", example=2, required=True)
    """Number of people who must approve; at least `policy.minimum_approvals`."""
    names = Key(Type(_names, {"one or more": "author", "maxItems": _MAX_NAMES}), None)
    """Names, logins and addresses of further coding agents."""


class _Authors:
    agents = Key(section(_Agents, AgentPolicy()), field=".", required=True)
    """Requirements for changes by coding agents."""


AUTHORS = section(_Authors)
