"""The layout of the decision graph: columns by age, no overlap, and an end for every graph."""

import random
from itertools import pairwise

from helix_hooks.pages.report_layout import GAP, HEIGHT, Layout, LayoutEdge, components, layout


def _edges(*pairs: str) -> list[LayoutEdge]:
    return [LayoutEdge(*pair) for pair in pairs]


def _overlap(made: Layout) -> bool:
    columns: dict[float, list[float]] = {}
    for spot in made.places.values():
        columns.setdefault(spot.x, []).append(spot.y)
    pairs = (pair for ys in columns.values() for pair in pairwise(sorted(ys)))
    return any(below - above < HEIGHT + GAP - 0.2 for above, below in pairs)


def test_what_others_build_on_stands_left() -> None:
    made = layout(["a", "b", "c"], _edges("cb", "ba", "ca"))
    xs = [made.places[key].x for key in "abc"]
    assert xs == sorted(xs) and len(set(xs)) == 3
    assert len(made.ways[LayoutEdge("c", "a")]) == 4  # it goes through the column between


def test_a_circle_has_a_layout() -> None:
    made = layout(["a", "b", "c"], _edges("ab", "bc", "ca"))
    assert set(made.places) == {"a", "b", "c"} and not _overlap(made)


def test_groups_come_by_size() -> None:
    assert components("abcde", _edges("ab", "ce", "ed")) == [["c", "d", "e"], ["a", "b"]]


def test_three_hundred_nodes_do_not_overlap_and_are_the_same_twice() -> None:
    draw = random.Random(1)
    keys = [str(number) for number in range(300)]
    pairs = {(number, draw.randrange(number)) for number in range(1, 300)}
    pairs |= {(number, draw.randrange(number)) for number in range(1, 300)}
    links = [LayoutEdge(str(one), str(other)) for one, other in sorted(pairs)]
    made = layout(keys, links)
    assert not _overlap(made)
    assert made == layout(keys, links)
    assert all(0 <= spot.y <= made.height for spot in made.places.values())


def test_a_long_chain_needs_no_recursion() -> None:
    keys = [str(number) for number in range(3_000)]
    links = [LayoutEdge(one, other) for one, other in pairwise(keys)]
    made = layout(keys, links)
    assert made.places["2999"].x == 0
