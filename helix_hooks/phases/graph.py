"""The order of a flow's phases: what is before and after each."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .flow import Flow


class Order(NamedTuple):
    """The order of a flow. `sequence` has each phase behind all that it depends on.

    `above` and `below` are all phases before and after one. Phases of one `group` are connected.
    """

    sequence: tuple[str, ...]
    above: Mapping[str, frozenset[str]]
    below: Mapping[str, frozenset[str]]
    group: Mapping[str, str]


def circle(depends_on: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the phases of a circle in its order, the first one also at the end; () for none."""
    done: set[str] = set()
    for start in depends_on:
        path: dict[str, None] = {}
        waiting = [(start, False)]
        while waiting:
            id, left = waiting.pop()
            if left:
                path.pop(id)
                done.add(id)
            elif id in path:
                names = [*path]
                return (*names[names.index(id) :], id)
            elif id not in done:
                path[id] = None
                waiting.append((id, True))
                waiting += [(other, False) for other in depends_on[id]]
    return ()


@lru_cache(maxsize=8)
def order_of(flow: Flow) -> Order:
    """Return the order of a flow without circles."""
    depends_on = {phase.id: phase.depends_on for phase in flow.phases}
    sequence: dict[str, None] = {}
    while len(sequence) < len(depends_on):
        id = next(
            id
            for id, others in depends_on.items()
            if id not in sequence and all(other in sequence for other in others)
        )
        sequence[id] = None
    above: dict[str, frozenset[str]] = {}
    for id in sequence:
        above[id] = frozenset(depends_on[id]).union(*(above[other] for other in depends_on[id]))
    below = {id: frozenset(other for other in sequence if id in above[other]) for id in sequence}
    group: dict[str, str] = {}
    for id in sequence:
        joined = {group[other] for other in depends_on[id]}
        group[id] = id
        group.update({other: id for other, name in group.items() if name in joined})
    return Order(tuple(sequence), above, below, group)


def and_below(flow: Flow, id: str) -> tuple[str, ...]:
    """Return a phase and all that depend on it, in the order of the flow."""
    order = order_of(flow)
    return tuple(other for other in order.sequence if other == id or other in order.below[id])
