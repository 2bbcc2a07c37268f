"""The dependencies of a flow's phases, as written or by default."""

from collections.abc import Sequence
from itertools import product

from ..config.approvals import APPROVAL_PHASE
from ..paths import overlap
from ..yaml_reader import Value, nearest
from .flow import Phase
from .graph import circle

_NAMED = 20
"""Maximum phases that a message lists."""


def in_order(phases: Sequence[Phase], values: Sequence[Value]) -> list[Phase]:
    """Return the phases with their dependencies.

    Without `depends_on` a phase waits for all phases above it. So a rejected approval starts no
    later one. `depends_on: []` waits for none.

    Raises:
        ConfigError: A name is unknown, there is a cycle, or phases conflict.
    """
    ids = [phase.id for phase in phases]
    ordered: list[Phase] = []
    for phase, value in zip(phases, values, strict=True):
        entries = value.mapping()
        if "depends_on" in entries:
            _check_names(phase.id, entries["depends_on"], ids)
            ordered.append(phase)
        else:
            ordered.append(phase._replace(depends_on=_ends(ordered)))
    _refuse_circle(ordered, values)
    above = _above(ordered)
    for phase, value in zip(ordered, values, strict=True):
        _check_target(phase, value, ordered, above[phase.id])
        _check_inputs(phase, value, ordered, above)
    return ordered


def _check_names(id: str, depends_on: Value, ids: Sequence[str]) -> None:
    """Refuse a dependency on the phase itself or on an unknown phase. Raises ConfigError."""
    for item in depends_on.one_or_more():
        if item.data == id:
            raise item.fail(f"{id!r} cannot depend on itself")
        if item.data not in ids:
            raise item.fail(f"there is no phase {item.data!r}; {_allowed(item.text(), ids)}")


def _allowed(name: str, ids: Sequence[str]) -> str:
    """Return the allowed ids for a message about an unknown name."""
    similar = nearest(name, ids)
    hint = f"did you mean {similar!r}? " if similar else ""
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{hint}allowed are {', '.join(ids[:_NAMED])}{more}"


def _both(inputs: Sequence[str], outputs: Sequence[str]) -> bool:
    """Return whether an input and an output can match the same path."""
    return any(overlap(*pair) for pair in product(inputs, outputs))


def _ends(phases: Sequence[Phase]) -> tuple[str, ...]:
    """Return the phases that no other one waits for."""
    awaited = {id for phase in phases for id in phase.depends_on}
    return tuple(phase.id for phase in phases if phase.id not in awaited)


def _refuse_circle(phases: Sequence[Phase], values: Sequence[Value]) -> None:
    ids = circle({phase.id: phase.depends_on for phase in phases})
    if not ids:
        return
    by_id = {phase.id: value for phase, value in zip(phases, values, strict=True)}
    value = by_id[ids[0]]
    place = value.mapping().get("depends_on", value)
    raise place.fail(
        f"dependency cycle: {' -> '.join(ids)}; a phase without `depends_on` "
        "depends on those above it (`depends_on: []`: on none)"
    )


def _above(phases: Sequence[Phase]) -> dict[str, set[str]]:
    """Return the direct and indirect dependencies of each phase, by id."""
    depends_on = {phase.id: phase.depends_on for phase in phases}
    above: dict[str, set[str]] = {}
    for id, others in depends_on.items():
        seen: set[str] = set()
        waiting = [*others]
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += depends_on[other]
        above[id] = seen
    return above


def _check_target(phase: Phase, value: Value, phases: Sequence[Phase], above: set[str]) -> None:
    """Refuse a `target_phase` that can't be repeated. Raises ConfigError."""
    target = phase.on_rejection.target
    if not target:
        return
    item = value.mapping()["on_rejection"].mapping()["target_phase"]
    ids = [other.id for other in phases]
    if target not in ids:
        raise item.fail(f"there is no phase {target!r}; {_allowed(target, ids)}")
    allowed = [other.id for other in phases if _is_target(other, above)]
    _refuse_not_allowed(phase, item, allowed, above)


def _refuse_not_allowed(phase: Phase, item: Value, allowed: list[str], above: set[str]) -> None:
    target = phase.on_rejection.target
    listed = f"allowed are {', '.join(allowed)}" if allowed else "there is no phase to repeat"
    if target == phase.id:
        raise item.fail(f"use max_retries to repeat {target!r} itself; {listed}")
    if target not in above:
        raise item.fail(f"{phase.id!r} does not depend on {target!r}; {listed}")
    if target not in allowed:
        raise item.fail(f"{target!r} is an approval and creates nothing; {listed}")


def _is_target(phase: Phase, above: set[str]) -> bool:
    """Return whether a phase can be repeated for a phase with these dependencies."""
    return phase.id in above and phase.type != APPROVAL_PHASE


def _check_inputs(
    phase: Phase, value: Value, phases: Sequence[Phase], above: dict[str, set[str]]
) -> None:
    """Refuse an input that another phase may write at the same time. Raises ConfigError."""
    for other in phases:
        if other.id == phase.id or other.id in above[phase.id] or phase.id in above[other.id]:
            continue
        if _both(phase.inputs, other.outputs):
            raise value.mapping()["input"].fail(
                f"{other.id!r} may write it at the same time; add it to depends_on"
            )
