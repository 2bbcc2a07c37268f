"""The order of a flow's phases by their dependencies."""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .flow import Flow


class Order(NamedTuple):
    """The order of a flow. `sequence` has each phase after its dependencies.

    `above` and `below` are the direct and indirect dependencies and dependents of each phase.
    `group` maps connected phases to the same value.
    """

    sequence: tuple[str, ...]
    above: Mapping[str, frozenset[str]]
    below: Mapping[str, frozenset[str]]
    group: Mapping[str, str]


@lru_cache(maxsize=8)
def order_of(flow: Flow) -> Order:
    """Return the order of a flow without cycles."""
    depends_on = {phase.id: phase.depends_on for phase in flow.phases}
    sequence = _sequence(depends_on)
    above: dict[str, frozenset[str]] = {}
    for id in sequence:
        above[id] = frozenset(depends_on[id]).union(*(above[other] for other in depends_on[id]))
    below = {id: frozenset(other for other in sequence if id in above[other]) for id in sequence}
    return Order(sequence, above, below, _groups(sequence, depends_on))


def _sequence(depends_on: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the phases in the order of the file as far as their dependencies allow it."""
    sequence: dict[str, None] = {}
    while len(sequence) < len(depends_on):
        for id, others in depends_on.items():
            if id not in sequence and sequence.keys() >= {*others}:
                sequence[id] = None
                break
    return tuple(sequence)


def _groups(
    sequence: Iterable[str], depends_on: Mapping[str, Collection[str]]
) -> Mapping[str, str]:
    """Return the group of each phase; a phase joins the groups of its dependencies into one."""
    group: dict[str, str] = {}
    for id in sequence:
        joined = {group[other] for other in depends_on[id]}
        group[id] = id
        group.update({other: id for other, name in group.items() if name in joined})
    return group


def and_below(flow: Flow, id: str) -> tuple[str, ...]:
    """Return a phase and its direct and indirect dependents, in the order of the flow."""
    order = order_of(flow)
    return tuple(other for other in order.sequence if other == id or other in order.below[id])
