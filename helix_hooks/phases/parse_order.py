"""Dependencies of the phases of a flow, as written or by default."""

from collections.abc import Sequence

from ..config.flow import APPROVAL_PHASE
from ..globs import overlap
from ..yaml_values import Value, nearest
from .flow import Phase
from .graph import circle

_NAMED = 20
"""Maximum phases that a message lists."""


def in_order(phases: Sequence[Phase], values: Sequence[Value]) -> list[Phase]:
    """Return the phases with all that they wait for. Raises ConfigError.

    Without `depends_on` an approval waits for the phases that make its input, or else for all above
    it. Any other phase waits for all above it, approvals too; `depends_on: []` waits for none.
    """
    ids = [phase.id for phase in phases]
    found: list[Phase] = []
    for phase, value in zip(phases, values, strict=True):
        entries = value.mapping()
        if "depends_on" not in entries:
            usual = _makers(phase, phases) if phase.type == APPROVAL_PHASE else ()
            found.append(phase._replace(depends_on=usual or _ends(found)))
            continue
        for item in entries["depends_on"].one_or_more():
            if item.data == phase.id:
                raise item.fail(f"{phase.id!r} can't wait for itself")
            if item.data not in ids:
                raise item.fail(f"there is no phase {item.data!r}; {_meant(item.text(), ids)}")
        found.append(phase)
    _refuse_circle(found, values)
    above = _above(found)
    for phase, value in zip(found, values, strict=True):
        _check_target(phase, value, found, above[phase.id])
        _check_inputs(phase, value, found, above)
    return found


def _meant(word: str, ids: Sequence[str]) -> str:
    meant = nearest(word, ids)
    hint = f"did you mean {meant!r}? " if meant else ""
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{hint}allowed are {', '.join(ids[:_NAMED])}{more}"


def _makers(phase: Phase, phases: Sequence[Phase]) -> tuple[str, ...]:
    return tuple(
        other.id for other in phases if other.id != phase.id and _both(phase.inputs, other.outputs)
    )


def _both(inputs: Sequence[str], outputs: Sequence[str]) -> bool:
    return any(overlap(pattern, output) for pattern in inputs for output in outputs)


def _ends(phases: Sequence[Phase]) -> tuple[str, ...]:
    """Return the phases that no other one waits for."""
    awaited = {id for phase in phases for id in phase.depends_on}
    return tuple(phase.id for phase in phases if phase.id not in awaited)


def _refuse_circle(phases: Sequence[Phase], values: Sequence[Value]) -> None:
    found = circle({phase.id: phase.depends_on for phase in phases})
    if found:
        value = next(
            value for phase, value in zip(phases, values, strict=True) if phase.id == found[0]
        )
        place = value.mapping().get("depends_on", value)
        raise place.fail(
            f"the phases wait for each other in a circle: {' -> '.join(found)}; "
            "a phase without depends_on waits for those above it, with depends_on: [] for none"
        )


def _above(phases: Sequence[Phase]) -> dict[str, set[str]]:
    depends_on = {phase.id: phase.depends_on for phase in phases}
    found: dict[str, set[str]] = {}
    for id, others in depends_on.items():
        seen: set[str] = set()
        waiting = [*others]
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += depends_on[other]
        found[id] = seen
    return found


def _check_target(phase: Phase, value: Value, phases: Sequence[Phase], above: set[str]) -> None:
    target = phase.on_rejection.target
    if not target:
        return
    item = value.mapping()["on_rejection"].mapping()["target_phase"]
    by_id = {other.id: other for other in phases}
    if target not in by_id:
        raise item.fail(f"there is no phase {target!r}; {_meant(target, [*by_id])}")
    makes = [id for id in by_id if id in above and by_id[id].type != APPROVAL_PHASE]
    listed = f"allowed are {', '.join(makes)}" if makes else "no phase before it does"
    if target == phase.id:
        raise item.fail(f"max_retries of the phase repeats {target!r} itself; {listed}")
    if target not in above:
        raise item.fail(f"{phase.id!r} does not depend on {target!r}; {listed}")
    if target not in makes:
        raise item.fail(f"{target!r} is an approval and creates nothing; {listed}")


def _check_inputs(
    phase: Phase, value: Value, phases: Sequence[Phase], above: dict[str, set[str]]
) -> None:
    """Refuse an input that a phase writes at the same time."""
    for other in phases:
        if other.id == phase.id or other.id in above[phase.id] or phase.id in above[other.id]:
            continue
        if _both(phase.inputs, other.outputs):
            raise value.mapping()["input"].fail(
                f"{other.id!r} may write it at the same time; add it to depends_on"
            )
