"""List the changed gates, and the changed approvers of types that only gates use."""

from collections.abc import Iterator, Mapping

from .approvals import Approvals
from .gates import Gate
from .places import Places, place_of


def changed_gates(old: Approvals, new: Approvals, where: Places) -> Iterator[str]:
    """Yield a line for each changed gate, and each changed approver of an unused type.

    A stricter gate is listed too; a new gate is not. `relaxations` compares the approvers of
    enabled types, including a default that they share with other types.
    """
    yield from _gates(old.gates, new.gates, where)
    changed: list[tuple[str, str, str]] = []
    of_enabled: set[tuple[str, str]] = set()
    for name, type in old.types.items():
        now = new.types.get(name)
        if not now or now.run.agent == type.run.agent:
            continue
        if type.enabled and now.enabled:
            of_enabled.add((type.run.agent, now.run.agent))
        else:
            changed.append((name, type.run.agent, now.run.agent))
    for name, before, after in changed:
        key = f"approvals.{name}.agent"
        is_shared_default = (before, after) in of_enabled and key not in where
        if not is_shared_default:
            yield f"{key} {before} -> {after}{place_of(where, key, 'defaults.agent')}"


def _gates(old: Mapping[str, Gate], new: Mapping[str, Gate], where: Places) -> Iterator[str]:
    for name, gate in old.items():
        at = place_of(where, f"gates.{name}", "gates")
        if name not in new:
            yield f"gates.{name} was removed{at}"
            continue
        changed = _changed_fields(gate, new[name])
        if changed:
            yield f"gates.{name} changed: {', '.join(changed)}{at}"


def _changed_fields(old: Gate, new: Gate) -> list[str]:
    # `place` is a line of the file: it changes with every edit above it.
    fields = [key for key in Gate._fields if key != "place"]
    return [key for key in fields if getattr(new, key) != getattr(old, key)]
