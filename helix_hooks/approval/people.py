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


class Policy(NamedTuple):
    """Who decides: `minimum` people with one of some roles, or named. `protected` are globs; `budget` is in US dollars for a pull request."""

    autonomy: str = ""
    minimum: int = 1
    roles: tuple[str, ...] = ("maintain", "admin")
    users: tuple[str, ...] = ()
    protected: tuple[str, ...] = ()
    budget: float | None = None


def parse_policy(value: Value) -> Policy:
    """Raises ConfigError for the first thing that is not as described."""
    entries = value.mapping(_KEYS)
    given: dict[str, object] = {}
    if "autonomy" in entries:
        given["autonomy"] = entries["autonomy"].choice(AUTONOMY)
    if "minimum_approvals" in entries:
        given["minimum"] = entries["minimum_approvals"].integer(1)
    if "protected_paths" in entries:
        given["protected"] = entries["protected_paths"].texts()
    if "budget_per_pull_request_usd" in entries:
        given["budget"] = entries["budget_per_pull_request_usd"].number(0)
    given |= _approvers(entries.get("approvers"))
    for deadline in (entries["deadlines"].mapping(CATEGORIES) if "deadlines" in entries else {}).values():
        if not re.fullmatch(r"[1-9]\d*[mhd]", deadline.text()):
            raise deadline.fail(f"{deadline.data!r} is no deadline; write minutes, hours or days, as in 30m, 24h or 3d")
    _on_expiry(entries.get("on_expiry"))
    return Policy(**given)  # type: ignore[arg-type]


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
