"""Positions of the nodes of a directed graph in columns, with older decisions on the left.

A layout by layers (Sugiyama, Tagawa and Toda, 1981): longest paths give the columns, barycentres
the order within a column, and isotonic regression the heights. An edge that crosses columns gets a
waypoint in each of them. The same graph always gives the same layout.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

WIDTH, HEIGHT, GAP, COLUMN_GAP = 190, 42, 14, 56
"""Size of a node, and the space between nodes and between columns, in pixels."""

_WAY = 10
"""Height of a waypoint in its column, in pixels."""
_SWEEPS = 12
"""Rounds of sorting; the order rarely changes after the first ones."""
_MOST_WAYS = 8_000
"""Maximum number of waypoints. A graph with more of them has straight edges."""


class LayoutEdge(NamedTuple):
    """An edge by the keys of its nodes. The source is the newer decision."""

    source: str
    target: str


class Waypoint(NamedTuple):
    """The point of an edge in a column that it crosses."""

    edge: LayoutEdge
    column: int


Node = str | Waypoint


class Spot(NamedTuple):
    """A point. The point of a node is the middle of its left side."""

    x: float
    y: float


class Layout(NamedTuple):
    """The positions of nodes, and the points of each edge, from source to target."""

    width: float
    height: float
    places: Mapping[str, Spot]
    ways: Mapping[LayoutEdge, tuple[Spot, ...]]


def components(keys: Iterable[str], links: Iterable[LayoutEdge]) -> list[list[str]]:
    """Return the connected nodes, the largest group first, each in the order of `keys`."""
    groups = {key: [key] for key in keys}
    for link in links:
        source_group, target_group = groups[link.source], groups[link.target]
        if source_group is target_group:
            continue
        # Union by size: all members of a group share one list, and the smaller group moves.
        small, large = sorted((source_group, target_group), key=len)
        large.extend(small)
        groups.update(dict.fromkeys(small, large))
    order = {key: number for number, key in enumerate(groups)}
    unique = {id(group): sorted(group, key=order.__getitem__) for group in groups.values()}
    return sorted(unique.values(), key=lambda group: (-len(group), order[group[0]]))


def layout(keys: Sequence[str], links: Sequence[LayoutEdge]) -> Layout:
    """Return the layout of a connected graph. Edges join its nodes, and no edge is a loop."""
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
    """Return the column of each node: right of all its targets, except in cycles."""
    targets: dict[str, list[str]] = {key: [] for key in keys}
    for link in links:
        targets[link.source].append(link.target)
    columns: dict[str, int] = {}
    for key in _targets_first(keys, targets):
        placed = [columns[target] for target in targets[key] if target in columns]
        columns[key] = max(placed, default=-1) + 1
    return columns


def _targets_first(keys: Sequence[str], targets: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield each node after all its targets, except in cycles: depth-first, in post-order."""
    visited: set[str] = set()
    for start in keys:
        if start in visited:
            continue
        visited.add(start)
        # A stack of its own: a long chain of ADRs would exceed Python's limit of recursion.
        stack = [(start, iter(targets[start]))]
        while stack:
            key, remaining = stack[-1]
            following = next((item for item in remaining if item not in visited), "")
            if following:
                visited.add(following)
                stack.append((following, iter(targets[following])))
            else:
                yield key
                stack.pop()


def _chains(
    links: Sequence[LayoutEdge], columns_of: Mapping[str, int]
) -> dict[LayoutEdge, list[Node]]:
    """Return the points of each edge: its ends, and a waypoint in each column between them."""
    crossed = {link: _crossed(columns_of[link.source], columns_of[link.target]) for link in links}
    is_large = sum(map(len, crossed.values())) > _MOST_WAYS
    chains: dict[LayoutEdge, list[Node]] = {}
    for link, columns in crossed.items():
        chain: list[Node] = [link.source]
        if not is_large:
            chain += [Waypoint(link, column) for column in columns]
        chains[link] = [*chain, link.target]
    return chains


def _crossed(first: int, last: int) -> range:
    """Return the columns between two columns, in the direction from the first to the last."""
    if first > last:
        return range(first - 1, last, -1)
    return range(first + 1, last)


def _filled(
    keys: Sequence[str], columns_of: Mapping[str, int], chains: Mapping[LayoutEdge, list[Node]]
) -> tuple[list[list[Node]], dict[Node, list[Node]]]:
    """Return the nodes and waypoints of each column, and their neighbours in other columns."""
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
    if isinstance(node, Waypoint):
        return node.column
    return columns_of[node]


def _order(columns: list[list[Node]], neighbours: Mapping[Node, list[Node]]) -> None:
    """Sort each column by the mean position of the neighbours, which reduces crossings."""
    positions: dict[Node, float] = {}
    for column in columns:
        positions.update(_positions(column))
    for swept in _sweeps(columns):
        for column in swept:
            means = {node: _mean(node, neighbours, positions) for node in column}
            column.sort(key=means.__getitem__)
            positions.update(_positions(column))


def _positions(column: list[Node]) -> dict[Node, float]:
    """Return the positions of nodes in a column, from 0 to 1."""
    return {node: (number + 0.5) / len(column) for number, node in enumerate(column)}


def _sweeps(columns: list[list[Node]]) -> Iterator[Sequence[list[Node]]]:
    """Yield the columns from left to right and from right to left, in turn."""
    for sweep in range(_SWEEPS):
        yield columns if sweep % 2 == 0 else columns[::-1]


def _mean(node: Node, neighbours: Mapping[Node, list[Node]], of: Mapping[Node, float]) -> float:
    """Return the mean value of a node's neighbours, or its own value without neighbours."""
    others = neighbours[node]
    if not others:
        return of[node]
    return sum(of[other] for other in others) / len(others)


def _heights(columns: list[list[Node]], neighbours: Mapping[Node, list[Node]]) -> dict[Node, float]:
    """Return the height of each node's middle: near its neighbours, in order, without overlap."""
    offsets: dict[Node, float] = {}
    for column in columns:
        offsets.update(_offsets(column))
    heights = dict(offsets)
    for swept in _sweeps(columns):
        for column in swept:
            # Relative to the offsets, a column without overlap has non-decreasing heights.
            wishes = [_mean(node, neighbours, heights) - offsets[node] for node in column]
            for node, height in zip(column, _isotonic(wishes), strict=True):
                heights[node] = height + offsets[node]
    top = min(height - _height(node) / 2 for node, height in heights.items())
    return {node: round(height - top, 1) for node, height in heights.items()}


def _offsets(column: list[Node]) -> dict[Node, float]:
    """Return the middle of each node if the column is packed from the top."""
    middles: dict[Node, float] = {}
    bottom = 0.0
    for node in column:
        middles[node] = bottom + _height(node) / 2
        bottom += _height(node)
        if isinstance(node, str):
            bottom += GAP
    return middles


def _height(node: Node) -> float:
    if isinstance(node, str):
        return HEIGHT
    return _WAY


def _isotonic(wishes: Sequence[float]) -> list[float]:
    """Return the nearest non-decreasing numbers (pool adjacent violators)."""
    pools: list[tuple[float, int]] = []
    for wish in wishes:
        total, count = wish, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            pool_total, pool_count = pools.pop()
            total, count = total + pool_total, count + pool_count
        pools.append((total, count))
    numbers: list[float] = []
    for total, count in pools:
        numbers += [total / count] * count
    return numbers


def _way(
    chain: list[Node], columns_of: Mapping[str, int], heights: Mapping[Node, float]
) -> tuple[Spot, ...]:
    """Return the points of an edge, from the side of its source to the side of its target."""
    is_leftward = _column(chain[0], columns_of) >= _column(chain[-1], columns_of)
    points: list[Spot] = []
    for node in chain:
        left = _left(_column(node, columns_of))
        sides = [left, left + WIDTH]
        if is_leftward:
            sides.reverse()
        points += [Spot(side, heights[node]) for side in sides]
    # An edge begins at the far side of its source and ends at the near side of its target.
    return tuple(points[1:-1])
