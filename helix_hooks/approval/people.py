"""The `policy` section of `config/approvals.yaml`: who decides beside the judge.

This release checks its form, and goes by who may approve, how many, what is protected and what may be spent; where `autonomy` is set, a person
decides in every case.
"""

import re
from typing import NamedTuple

from ..strict import Value

_KEYS = ("autonomy", "minimum_approvals", "approvers", "protected_paths", "deadlines", "on_expiry", "budget_per_pull_request_usd")
AUTONOMY = ("full_control", "milestone", "autonomous")
CATEGORIES = ("critical", "milestone", "routine", "uncertainty", "expertise")
ROLES = ("read", "triage", "write", "maintain", "admin")


class Deciders(NamedTuple):
    """Who may decide what is pending: `minimum` people with one of some roles, or named."""

    minimum: int = 1
    roles: tuple[str, ...] = ("maintain", "admin")
    users: tuple[str, ...] = ()


class Policy(NamedTuple):
    """`protected` are globs of what a person decides about; `budget` is in US dollars for a pull request, None for no limit."""

    autonomy: str = ""
    deciders: Deciders = Deciders()
    protected: tuple[str, ...] = ()
    budget: float | None = None


def parse_policy(value: Value) -> Policy:
    """Raises ConfigError for the first thing that is not as described."""
    entries = value.mapping(_KEYS)
    given: dict[str, object] = {}
    deciders = _approvers(entries.get("approvers"))
    if "autonomy" in entries:
        given["autonomy"] = entries["autonomy"].choice(AUTONOMY)
    if "minimum_approvals" in entries:
        deciders["minimum"] = entries["minimum_approvals"].integer(1)
    if "protected_paths" in entries:
        given["protected"] = entries["protected_paths"].texts()
    if "budget_per_pull_request_usd" in entries:
        given["budget"] = entries["budget_per_pull_request_usd"].number(0)
    for deadline in (entries["deadlines"].mapping(CATEGORIES) if "deadlines" in entries else {}).values():
        if not re.fullmatch(r"[1-9]\d*[mhd]", deadline.text()):
            raise deadline.fail(f"{deadline.data!r} is no deadline; write minutes, hours or days, as in 30m, 24h or 3d")
    _on_expiry(entries.get("on_expiry"))
    return Policy(deciders=Deciders(**deciders), **given)  # type: ignore[arg-type]


def _approvers(value: Value | None) -> dict[str, object]:
    entries = value.mapping(("roles", "users", "teams")) if value else {}
    found: dict[str, object] = {key: entries[key].texts() for key in ("users", "teams") if key in entries}
    found.pop("teams", None)  # which the token of a workflow can't read
    if entries:
        found["roles"] = tuple(role.choice(ROLES) for role in entries["roles"].sequence()) if "roles" in entries else ()
    return found


def _on_expiry(value: Value | None) -> None:
    entries = value.mapping(("action", "escalate_to"), ("action",)) if value else {}
    if entries and entries["action"].choice(("block", "escalate", "auto_approve")) == "escalate":
        if "escalate_to" not in entries:
            raise entries["action"].fail("escalate needs escalate_to: the user or team to turn to")
        entries["escalate_to"].texts()
