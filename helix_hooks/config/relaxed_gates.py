"""List what a change relaxes in gates, and in who approves the types that only gates name."""

from collections.abc import Iterator, Mapping

from .approvals import Approvals
from .gates import Gate
from .places import Places, place_of


def relaxed_gates(old: Approvals, new: Approvals, where: Places) -> Iterator[str]:
    """Yield a line for each gate that is not as it was, and each approver of an unused type.

    A new gate relaxes nothing. Types that are enabled are compared elsewhere, and so are defaults
    that they share with the others.
    """
    yield from _gates(old.gates, new.gates, where)
    changed = [
        (name, type, new.types[name])
        for name, type in old.types.items()
        if name in new.types and new.types[name].run.agent != type.run.agent
    ]
    listed = {
        (type.run.agent, now.run.agent) for _, type, now in changed if type.enabled and now.enabled
    }
    for name, type, now in changed:
        key, agents = f"approvals.{name}.agent", (type.run.agent, now.run.agent)
        is_default = agents in listed and key not in where
        if not (type.enabled and now.enabled) and not is_default:
            at = place_of(where, key, "defaults.agent")
            yield f"{key} {type.run.agent} -> {now.run.agent}{at}"


def _gates(old: Mapping[str, Gate], new: Mapping[str, Gate], where: Places) -> Iterator[str]:
    for name, gate in old.items():
        now, at = new.get(name), place_of(where, f"gates.{name}", "gates")
        if now is None:
            yield f"gates.{name} was removed{at}"
            continue
        changed = [
            key
            for key in Gate._fields
            if key != "place" and getattr(now, key) != getattr(gate, key)
        ]
        if changed:
            yield f"gates.{name} changed: {', '.join(changed)}{at}"
