"""The `policy` section of `config/approvals.yaml`: who decides beside the judge. This release checks its form."""

import re

from ..strict import Value

_KEYS = ("autonomy", "minimum_approvals", "approvers", "protected_paths", "deadlines", "on_expiry", "budget_per_pull_request_usd")
AUTONOMY = ("full_control", "milestone", "autonomous")
CATEGORIES = ("critical", "milestone", "routine", "uncertainty", "expertise")
ROLES = ("read", "triage", "write", "maintain", "admin")


def check_policy(value: Value) -> None:
    """Raises ConfigError for the first thing that is not as described."""
    entries = value.mapping(_KEYS)
    if "autonomy" in entries:
        entries["autonomy"].choice(AUTONOMY)
    if "minimum_approvals" in entries:
        entries["minimum_approvals"].integer(1)
    if "protected_paths" in entries:
        entries["protected_paths"].texts()
    if "budget_per_pull_request_usd" in entries:
        entries["budget_per_pull_request_usd"].number(0)
    _approvers(entries.get("approvers"))
    for deadline in (entries["deadlines"].mapping(CATEGORIES) if "deadlines" in entries else {}).values():
        if not re.fullmatch(r"[1-9]\d*[mhd]", deadline.text()):
            raise deadline.fail(f"{deadline.data!r} is no deadline; write minutes, hours or days, as in 30m, 24h or 3d")
    _on_expiry(entries.get("on_expiry"))


def _approvers(value: Value | None) -> None:
    entries = value.mapping(("roles", "users", "teams")) if value else {}
    for role in entries["roles"].sequence() if "roles" in entries else []:
        role.choice(ROLES)
    for key in ("users", "teams"):
        if key in entries:
            entries[key].texts()


def _on_expiry(value: Value | None) -> None:
    entries = value.mapping(("action", "escalate_to"), ("action",)) if value else {}
    if entries and entries["action"].choice(("block", "escalate", "auto_approve")) == "escalate":
        if "escalate_to" not in entries:
            raise entries["action"].fail("escalate needs escalate_to: the user or team to turn to")
        entries["escalate_to"].texts()
