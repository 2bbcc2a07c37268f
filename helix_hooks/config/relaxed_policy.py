"""List the settings of the policy that a change relaxes."""

from collections.abc import Iterator

from .autonomy import LEVELS
from .places import Places, place_of
from .policy import AUTO_APPROVE, BLOCK, CONTENT, ESCALATE, Deciders, Policy, duration
from .relaxed_limits import relaxed_limits
from .relaxed_people import relaxed_people
from .relaxed_places import excludes_more, listed, lost_globs

_MILDER_LEVELS = (*LEVELS, "")
_EXPIRY = (BLOCK, ESCALATE, AUTO_APPROVE)


def relaxed_policy(old: Policy, new: Policy, places: Places) -> Iterator[str]:
    """Yield a line for each relaxed setting of the policy."""
    if _MILDER_LEVELS.index(new.autonomy) > _MILDER_LEVELS.index(old.autonomy):
        at = place_of(places, "policy.autonomy", "policy")
        yield f"autonomy {old.autonomy} -> {new.autonomy or 'none'}{at}"
    yield from _deciders(old.deciders, new.deciders, places)
    if new.holds_for == CONTENT and old.holds_for != CONTENT:
        key = "policy.approvals_hold_for"
        yield f"{key} {old.holds_for} -> {new.holds_for}{place_of(places, key, 'policy')}"
    overrides = _added(old.overrides, new.overrides)
    if overrides and "*" not in old.overrides:
        at = place_of(places, "policy.overrides", "policy")
        yield f"policy.overrides adds {listed(overrides)}{at}"
    yield from _protected(old, new, places)
    yield from _deadlines(old, new, places)
    yield from relaxed_limits(old, new, places)
    yield from relaxed_people(old, new, places)


def _added(old: tuple[str, ...], new: tuple[str, ...]) -> list[str]:
    before = set(old)
    return [name for name in new if name not in before]


def _protected(old: Policy, new: Policy, places: Places) -> Iterator[str]:
    key = "policy.protected_paths"
    at = place_of(places, key, "policy")
    lost = lost_globs(old.protected, new.protected)
    if lost:
        yield f"{key} leaves out {listed(lost)}{at}"
    elif excludes_more(old.protected, new.protected):
        yield f"{key} changed{at}"


def _deciders(old: Deciders, new: Deciders, places: Places) -> Iterator[str]:
    if new.minimum < old.minimum:
        key = "policy.minimum_approvals"
        yield f"{key} {old.minimum} -> {new.minimum}{place_of(places, key, 'policy')}"
    for field in ("roles", "users", "teams"):
        added = _added(getattr(old, field), getattr(new, field))
        if added:
            key = f"policy.approvers.{field}"
            at = place_of(places, key, "policy.approvers", "policy")
            yield f"{key} adds {listed(added)}{at}"
    if new.sole and new.sole != old.sole:
        key = "policy.sole_maintainer"
        yield f"{key} {old.sole or 'none'} -> {new.sole}{place_of(places, key)}"


def _deadlines(old: Policy, new: Policy, places: Places) -> Iterator[str]:
    if old.deadlines != new.deadlines:
        at = place_of(places, "policy.deadlines", "policy")
        yield f"policy.deadlines {_durations(old)} -> {_durations(new)}{at}"
    before, now = old.expiry, new.expiry
    if _EXPIRY.index(now.action) > _EXPIRY.index(before.action):
        at = place_of(places, "policy.on_expiry.action", "policy.on_expiry", "policy")
        yield f"policy.on_expiry {before.action} -> {now.action}{at}"
    elif before.to != now.to:
        at = place_of(places, "policy.on_expiry.escalate_to", "policy.on_expiry", "policy")
        yield f"policy.on_expiry.escalate_to changed{at}"


def _durations(policy: Policy) -> str:
    deadlines = [f"{name} {duration(seconds)}" for name, seconds in policy.deadlines.items()]
    return listed(deadlines) or "none"
