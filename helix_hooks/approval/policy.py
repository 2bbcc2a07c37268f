"""`config/approvals.yaml`, strictly read.

Files of the original design load as they stand: `retry_on_failure: true` is `max_retries: 1`. Runs = `max_retries` + 1.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from ..strict import Value

_RUN_KEYS = (
    "agent", "model", "fallback_model", "timeout", "max_retries", "retry_on_failure", "required_confidence", "semantic", "max_cost_usd", "max_turns",
)  # fmt: skip
_TYPE_KEYS = (*_RUN_KEYS, "enabled", "checks", "paths", "after")
_POLICY_KEYS = ("autonomy", "minimum_approvals", "approvers", "protected_paths", "deadlines", "on_expiry", "budget_per_pull_request_usd")
AUTONOMY = ("full_control", "milestone", "autonomous")
CATEGORIES = ("critical", "milestone", "routine", "uncertainty", "expertise")
ROLES = ("read", "triage", "write", "maintain", "admin")


class ApprovalType(NamedTuple):
    """An approval type as configured: its briefs ("" of none named means all), and the type that must come first."""

    name: str
    enabled: bool
    checks: tuple[tuple[str, Value], ...]
    after: str


def parse(root: Value) -> tuple[ApprovalType, ...]:
    """The approval types of a file, or a ConfigError for the first thing in it that is not as described.

    Whether the briefs exist is a question to the repository, which this function does not ask.
    """
    entries = root.mapping(("defaults", "approvals", "agents", "policy"))
    agents = _agents(entries.get("agents"))
    if "defaults" in entries:
        _run(entries["defaults"].mapping(_RUN_KEYS), agents)
    types = entries["approvals"].mapping() if "approvals" in entries else {}
    if "policy" in entries:
        _policy(entries["policy"])
    found = tuple(_type(name, value, agents, list(types)) for name, value in types.items())
    _no_cycle(found, types)
    return found


def _agents(value: Value | None) -> list[str]:
    found = ["claude"]
    for name, agent in (value.mapping() if value else {}).items():
        agent.mapping(("command",), ("command",))["command"].texts()
        found.append(name)
    return list(dict.fromkeys(found))


def _run(entries: dict[str, Value], agents: list[str]) -> None:
    readers: dict[str, Callable[[Value], object]] = {
        "agent": lambda value: value.choice(agents),
        "model": Value.text,
        "fallback_model": lambda value: value.data is None or value.text(),
        "timeout": lambda value: value.integer(1),
        "max_turns": lambda value: value.integer(1),
        "max_retries": lambda value: value.integer(0),
        "retry_on_failure": Value.boolean,
        "required_confidence": lambda value: value.number(0, 1),
        "semantic": lambda value: value.choice(("auto", "true", "false")),
        "max_cost_usd": lambda value: value.number(0),
    }
    for key, value in entries.items():
        if key in readers:
            readers[key](value)
    if "retry_on_failure" in entries and "max_retries" in entries:
        raise entries["retry_on_failure"].fail("max_retries is given as well; keep one of the two")


def _type(name: str, value: Value, agents: list[str], names: list[str]) -> ApprovalType:
    entries = value.mapping(_TYPE_KEYS) if value.data is not None else {}
    _run(entries, agents)
    enabled = entries["enabled"].boolean() if "enabled" in entries else True
    checks = tuple((item.text(), item) for item in entries["checks"].sequence()) if "checks" in entries else ()
    if "paths" in entries:
        entries["paths"].texts()
    after = entries["after"].choice([other for other in names if other != name]) if "after" in entries else ""
    return ApprovalType(name, enabled, checks, after)


def _no_cycle(found: tuple[ApprovalType, ...], values: dict[str, Value]) -> None:
    before = {type.name: type.after for type in found}
    for name, first in before.items():
        seen, step = {name}, first
        while step:
            if step in seen:
                raise values[name].fail("`after` leads in a circle; one type must come first")
            seen.add(step)
            step = before.get(step, "")


def _policy(value: Value) -> None:
    entries = value.mapping(_POLICY_KEYS)
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
