"""The decision graph as SVG: a drawing for each group of connected ADRs.

Lines are drawn only for `supersedes` and `depends on`. A list has all relations.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import htpy as h

from ..report.graph import Edge, Graph, Node, label, plain
from ..report.looks import look
from ..report.status_series import GROUPS
from ..text.plural import counted
from .report_layout import HEIGHT, WIDTH, Layout, LayoutEdge, Spot, components, layout

_MOST_DRAWN = 300
"""Maximum number of ADRs in a drawing that can be read."""
_MOST_LINES = 4
"""Maximum average number of lines per ADR in a group with more than `_FEW` ADRs."""
_FEW = 40
_MARGIN = 6
_DRAWN = ("supersedes", "depends_on")


class _Drawing(NamedTuple):
    """The nodes and edges of the drawings. `anchors` are the ids of ADRs' rows on the page."""

    nodes: Mapping[str, Node]
    edges: Mapping[LayoutEdge, Edge]
    anchors: Mapping[str, str]


def graph_section(graph: Graph, anchors: Mapping[str, str]) -> h.Element:
    """Return the section. `anchors` are the ids of ADRs' rows on the page, by path."""
    nodes = {node.key: node for node in graph.nodes}
    drawn = _drawn_edges(graph)
    groups = components(nodes, drawn)
    connected = [group for group in groups if len(group) > 1]
    drawing = _Drawing(nodes, drawn, anchors)
    isolated = [nodes[group[0]] for group in groups if len(group) == 1]
    return h.section("#graph", aria_labelledby="graph-title")[
        h.h2("#graph-title")["Decision graph"],
        h.p(".m")[_summary(graph, connected, drawn.values())],
        _drawings(connected, drawing),
        isolated and _isolated(isolated, anchors),
        graph.edges and _relations(graph, nodes, anchors),
    ]


def _drawings(groups: Sequence[Sequence[str]], drawing: _Drawing) -> h.Node:
    if not groups:
        return None
    return [_legend(), h.div(".drawings")[(_drawn_group(group, drawing) for group in groups)]]


def _drawn_edges(graph: Graph) -> dict[LayoutEdge, Edge]:
    """Return one edge for each pair of ADRs that a line joins."""
    edges: dict[LayoutEdge, Edge] = {}
    # Reversed, so that the first of several relations of a pair is drawn.
    for edge in reversed(graph.edges):
        if edge.kind in _DRAWN:
            edges[LayoutEdge(edge.source, edge.target)] = edge
    return edges


def _drawn_group(group: Sequence[str], drawing: _Drawing) -> h.Element:
    members = set(group)
    links = [link for link in drawing.edges if link.source in members]
    name = f"{counted(len(group), 'ADR')}, {counted(len(links), 'relation')}"
    is_dense = len(group) > _FEW and len(links) > _MOST_LINES * len(group)
    if len(group) > _MOST_DRAWN or is_dense:
        return h.p(".hint")[f"A group is too large to draw: {name}. See the list."]
    first = drawing.nodes[group[0]]
    return h.div(
        ".scroll.drawing",
        tabindex="0",
        role="region",
        aria_label=f"Drawing from {plain(first.name or first.title)}: {name}",
    )[_picture(group, layout(group, links), drawing, name)]


def _picture(group: Sequence[str], places: Layout, drawing: _Drawing, name: str) -> h.Element:
    width, height = places.width + 2 * _MARGIN, places.height + 2 * _MARGIN
    lines = (_line(drawing.edges[link], way, group) for link, way in places.ways.items())
    boxes = (
        _box(drawing.nodes[key], number, places, drawing.anchors)
        for number, key in enumerate(group)
    )
    return h.svg(
        viewBox=f"{-_MARGIN} {-_MARGIN} {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="group",
        aria_label=name,
    )[h.Element("g")(aria_hidden="true")[lines], boxes]


def _summary(graph: Graph, connected: Sequence[Sequence[str]], drawn: Iterable[Edge]) -> str:
    if not graph.edges:
        return "No relations between ADRs."
    kinds = [edge.kind for edge in drawn]
    parts = [
        counted(len(connected), "group"),
        f"{kinds.count('supersedes')} supersede, {kinds.count('depends_on')} depend",
    ]
    related = sum(edge.kind == "related_to" for edge in graph.edges)
    if related:
        parts.append(f"{related} only related: in the list below")
    return " · ".join(parts)


def _legend() -> h.Element:
    keys = [
        h.span(f".key.look-{name}")[h.i(aria_hidden="true"), words]
        for name, words in GROUPS.items()
    ]
    lines = [
        h.span(f".key.line.{kind}")[h.i(aria_hidden="true"), words]
        for kind, words in (("supersedes", "supersedes"), ("depends_on", "depends on"))
    ]
    return h.p(".legend")[keys, lines]


def _line(edge: Edge, way: Sequence[Spot], group: Sequence[str]) -> h.Element:
    """Return the line of a relation, with an arrowhead at the older ADR."""
    path = [f"M{way[0].x:g} {way[0].y:g}"]
    for number, (start, end) in enumerate(pairwise(way)):
        if number % 2 == 1:  # through a column; the other parts are between columns
            path.append(f"L{end.x:g} {end.y:g}")
        else:
            middle = (start.x + end.x) / 2
            curve = f"{middle:g} {start.y:g} {middle:g} {end.y:g} {end.x:g} {end.y:g}"
            path.append(f"C{curve}")
    ends = f"{group.index(edge.source)} {group.index(edge.target)}"
    return h.Element("path")(d="".join(path) + _head(way), class_=edge.kind, data_ends=ends)


def _head(way: Sequence[Spot]) -> str:
    """Return the arrowhead at the end of a line, as a part of its path."""
    end = way[-1]
    sign = 1 if way[-2].x >= end.x else -1
    back = f"{end.x + 7 * sign:g}"
    return f"M{back} {end.y - 4:g}L{end.x:g} {end.y:g}L{back} {end.y + 4:g}"


def _box(node: Node, number: int, places: Layout, anchors: Mapping[str, str]) -> h.Element:
    """Return an ADR as a link to its row."""
    spot = places.places[node.key]
    relation = look(node.status)
    top, height = f"{spot.y - HEIGHT / 2:g}", str(HEIGHT)
    text = h.Element("text")
    parts = [
        h.Element("title")[_words(node)],
        h.Element("rect")(x=f"{spot.x:g}", y=top, width=str(WIDTH), height=height, rx="6"),
        # SVG does not wrap or cut text. An inner picture cuts what is too long.
        h.svg(x=f"{spot.x + 10:g}", y=top, width=str(WIDTH - 16), height=height)[
            text(".name", x="0", y="17")[plain(node.name or node.title)],
            node.name and text(x="0", y="33")[plain(node.title)],
        ],
    ]
    anchor = anchors.get(node.path)
    attributes = {"class": f"node look-{relation.name}", "data-node": str(number)}
    if anchor:
        return h.a(attributes, href=f"#{anchor}")[parts]
    return h.Element("g")(attributes)[parts]


def _words(node: Node) -> str:
    words = (node.name, node.title, f"({plain(node.status) or 'no known status'})")
    return " ".join(plain(word) for word in words if word)


def _isolated(nodes: Sequence[Node], anchors: Mapping[str, str]) -> h.Element:
    return h.details(".more")[
        h.summary[f"{counted(len(nodes), 'ADR')} not in a drawing"],
        h.ul(".plain")[(h.li[_link(node, anchors)] for node in nodes)],
    ]


def _relations(graph: Graph, nodes: Mapping[str, Node], anchors: Mapping[str, str]) -> h.Element:
    """Return all relations as a list, for screen readers and narrow screens."""
    by_source: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        by_source.setdefault(edge.source, []).append(edge)
    rows = []
    for source, edges in by_source.items():
        targets = (h.li[f"{_kind(edge)} ", _link(nodes[edge.target], anchors)] for edge in edges)
        rows.append(h.li[_link(nodes[source], anchors), h.ul[targets]])
    return h.details(".more")[
        h.summary[f"All {counted(len(graph.edges), 'relation')} as a list"],
        h.ul(".plain.relations")[rows],
    ]


def _kind(edge: Edge) -> str:
    return label(edge) or "is related to"


def _link(node: Node, anchors: Mapping[str, str]) -> h.Node:
    words = plain(f"{node.name} {node.title}".strip())
    anchor = anchors.get(node.path)
    if not anchor:
        return words
    return h.a(href=f"#{anchor}")[words]
