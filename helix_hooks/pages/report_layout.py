"""Places for the nodes of a directed graph in columns, older decisions left. Pure.

A layout by layers (Sugiyama, Tagawa and Toda, 1981): longest paths give the columns, barycentres
the order within them, and isotonic regression the heights. Edges that cross columns get a way
through each of them. The same graph gives the same layout.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

WIDTH, HEIGHT, GAP, COLUMN_GAP = 190, 42, 14, 56
"""Size of a node and the space between nodes and columns, in pixels."""

_WAY = 10
"""Height that an edge takes within a column."""
_SWEEPS = 12
_MOST_WAYS = 8_000
"""Ways through columns. A graph with more of them has straight edges."""

Node = Hashable


class LayoutEdge(NamedTuple):
    """An edge by the keys of its nodes: the source is the newer decision."""

    source: str
    target: str


class Spot(NamedTuple):
    """A point: of a node, the left end of its middle."""

    x: float
    y: float


class Layout(NamedTuple):
    """The places of nodes, and of each edge the points that it passes, from source to target."""

    width: float
    height: float
    places: Mapping[str, Spot]
    ways: Mapping[LayoutEdge, tuple[Spot, ...]]


def components(keys: Iterable[str], links: Iterable[LayoutEdge]) -> list[list[str]]:
    """Return the nodes that are connected, the largest group first, each in the given order."""
    groups = {key: [key] for key in keys}
    for link in links:
        one, other = groups[link.source], groups[link.target]
        if one is other:
            continue
        small, large = sorted((one, other), key=len)
        large += small
        groups.update(dict.fromkeys(small, large))
    order = {key: number for number, key in enumerate(groups)}
    unique = {id(group): sorted(group, key=order.__getitem__) for group in groups.values()}
    return sorted(unique.values(), key=lambda group: (-len(group), order[group[0]]))


def layout(keys: Sequence[str], links: Sequence[LayoutEdge]) -> Layout:
    """Return the layout of a connected graph; edges join its nodes, and none is a loop."""
    columns_of = _columns(keys, links)
    chains = _chains(links, columns_of)
    columns, neighbours = _filled(keys, columns_of, chains)
    _order(columns, neighbours)
    heights = _heights(columns, neighbours)
    places = {key: Spot(_left(columns_of[key]), heights[key]) for key in keys}
    ways = {link: _way(chain, columns_of, heights) for link, chain in chains.items()}
    bottom = max(heights.values()) + HEIGHT / 2
    return Layout(_left(len(columns)) - COLUMN_GAP, bottom, places, ways)


def _left(column: int) -> float:
    return float(column * (WIDTH + COLUMN_GAP))


def _columns(keys: Sequence[str], links: Sequence[LayoutEdge]) -> dict[str, int]:
    """Return the column of each node: right of all nodes that it leads to, except in cycles."""
    targets: dict[str, list[str]] = {key: [] for key in keys}
    for link in links:
        targets[link.source].append(link.target)
    columns: dict[str, int] = {}
    is_open: set[str] = set()
    for key in keys:
        stack = [(key, iter(targets[key]))] if key not in columns else []
        is_open.update(key for key, _ in stack)
        while stack:
            top, rest = stack[-1]
            following = next((item for item in rest if item not in columns), "")
            if following in is_open:
                continue
            if following:
                is_open.add(following)
                stack.append((following, iter(targets[following])))
                continue
            known = [columns[item] for item in targets[top] if item in columns]
            columns[top] = max(known, default=-1) + 1
            stack.pop()
    return columns


def _chains(
    links: Sequence[LayoutEdge], columns_of: Mapping[str, int]
) -> dict[LayoutEdge, list[Node]]:
    """Return the nodes that each edge passes: a way in each column between its ends."""
    spans = {link: columns_of[link.source] - columns_of[link.target] for link in links}
    is_large = sum(abs(span) for span in spans.values()) > _MOST_WAYS
    chains: dict[LayoutEdge, list[Node]] = {}
    for link, span in spans.items():
        step = -1 if span > 0 else 1
        between = range(columns_of[link.source] + step, columns_of[link.target], step)
        ways: list[Node] = [] if is_large or not span else [(link, at) for at in between]
        chains[link] = [link.source, *ways, link.target]
    return chains


def _filled(
    keys: Sequence[str], columns_of: Mapping[str, int], chains: Mapping[LayoutEdge, list[Node]]
) -> tuple[list[list[Node]], dict[Node, list[Node]]]:
    """Return the nodes and ways of each column, and their neighbours in other columns."""
    columns: list[list[Node]] = [[] for _ in range(max(columns_of.values()) + 1)]
    neighbours: dict[Node, list[Node]] = {key: [] for key in keys}
    for key in keys:
        columns[columns_of[key]].append(key)
    for chain in chains.values():
        for way in chain[1:-1]:
            neighbours[way] = []
            columns[_column(way, columns_of)].append(way)
        for one, other in pairwise(chain):
            neighbours[one].append(other)
            neighbours[other].append(one)
    return columns, neighbours


def _column(node: Node, columns_of: Mapping[str, int]) -> int:
    if isinstance(node, tuple):
        return int(node[1])
    return columns_of[str(node)]


def _order(columns: list[list[Node]], neighbours: Mapping[Node, list[Node]]) -> None:
    """Sort each column by the mean place of the neighbours, from left and from right in turn."""
    spots = {
        node: (number + 0.5) / len(column) for column in columns for number, node in
        enumerate(column)
    }  # fmt: skip
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            means = {node: _mean(node, neighbours, spots) for node in column}
            column.sort(key=means.__getitem__)
            for number, node in enumerate(column):
                spots[node] = (number + 0.5) / len(column)


def _mean(node: Node, neighbours: Mapping[Node, list[Node]], of: Mapping[Node, float]) -> float:
    others = neighbours[node]
    return sum(of[other] for other in others) / len(others) if others else of[node]


def _heights(columns: list[list[Node]], neighbours: Mapping[Node, list[Node]]) -> dict[Node, float]:
    """Return the middle of each node: near its neighbours, in order, and without overlap."""
    heights: dict[Node, float] = {}
    offsets = {}
    for column in columns:
        offsets.update(_offsets(column))
    heights.update(offsets)
    for sweep in range(_SWEEPS):
        for column in columns if sweep % 2 == 0 else reversed(columns):
            wishes = [_mean(node, neighbours, heights) - offsets[node] for node in column]
            for node, height in zip(column, _isotonic(wishes), strict=True):
                heights[node] = height + offsets[node]
    tops = (heights[node] - _height(node) / 2 for column in columns for node in column)
    top = min(tops)
    return {node: round(height - top, 1) for node, height in heights.items()}


def _offsets(column: list[Node]) -> dict[Node, float]:
    """Return the middle of each node of a column that is packed from the top."""
    found: dict[Node, float] = {}
    bottom = 0.0
    for node in column:
        found[node] = bottom + _height(node) / 2
        bottom += _height(node) + (GAP if isinstance(node, str) else 0)
    return found


def _height(node: Node) -> float:
    return HEIGHT if isinstance(node, str) else _WAY


def _isotonic(wishes: Sequence[float]) -> list[float]:
    """Return the nearest non-decreasing numbers (pool adjacent violators)."""
    pools: list[tuple[float, int]] = []
    for wish in wishes:
        total, count = wish, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            former, size = pools.pop()
            total, count = total + former, count + size
        pools.append((total, count))
    return [total / count for total, count in pools for _ in range(count)]


def _way(
    chain: list[Node], columns_of: Mapping[str, int], heights: Mapping[Node, float]
) -> tuple[Spot, ...]:
    """Return the points of an edge: it leaves a node at one side and enters at the other."""
    first, last = columns_of[str(chain[0])], columns_of[str(chain[-1])]
    is_leftward = first >= last
    points: list[Spot] = []
    for node in chain:
        left = _left(_column(node, columns_of))
        sides = [left + WIDTH, left] if is_leftward else [left, left + WIDTH]
        if node == chain[0]:
            sides = sides[1:]
        elif node == chain[-1]:
            sides = sides[:1]
        points += [Spot(side, heights[node]) for side in sides]
    return tuple(points)
