"""The decision graph as SVG: a drawing for each group of ADRs that build on each other.

Lines are drawn for `supersedes` and `depends on` alone. All relations stand in a list, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import htpy as h

from ..report.graph import Edge, Graph, Node, label, plain
from ..report.looks import look
from ..report.status_series import GROUPS
from ..text.plural import counted
from .report_layout import HEIGHT, WIDTH, Layout, LayoutEdge, Spot, components, layout

_MOST_DRAWN = 300
"""ADRs of a group that is drawn; a larger one would be illegible."""
_MOST_LINES = 4
"""Lines of an ADR in a group with more than `_FEW` ADRs, on average; more would be illegible."""
_FEW = 40
_MARGIN = 6
_DRAWN = ("supersedes", "depends_on")


def graph_section(graph: Graph, anchors: Mapping[str, str]) -> h.Element:
    """Return the section; `anchors` are the places of ADRs on the page, by path."""
    nodes = {node.key: node for node in graph.nodes}
    edges = {
        LayoutEdge(edge.source, edge.target): edge for edge in reversed(graph.edges)
        if edge.kind in _DRAWN
    }  # fmt: skip
    groups = components(nodes, edges)
    connected = [group for group in groups if len(group) > 1]
    drawings = [_drawing(group, nodes, edges, anchors) for group in connected]
    alone = [nodes[group[0]] for group in groups if len(group) == 1]
    return h.section("#graph", aria_labelledby="graph-title")[
        h.h2("#graph-title")["Decision graph"],
        h.p(".m")[_summary(graph, connected, edges.values())],
        _legend() if connected else None,
        h.div(".drawings")[drawings] if drawings else None,
        _isolated(alone, anchors) if alone else None,
        _relations(graph, nodes, anchors) if graph.edges else None,
    ]


def _summary(graph: Graph, connected: Sequence[Sequence[str]], drawn: Iterable[Edge]) -> str:
    if not graph.edges:
        return "No ADR names another one as superseded, needed or related."
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


def _drawing(
    group: Sequence[str],
    nodes: Mapping[str, Node],
    edges: Mapping[LayoutEdge, Edge],
    anchors: Mapping[str, str],
) -> h.Element:
    members = set(group)
    links = [link for link in edges if link.source in members]
    name = f"{counted(len(group), 'ADR')}, {counted(len(links), 'relation')}"
    is_dense = len(group) > _FEW and len(links) > _MOST_LINES * len(group)
    if len(group) > _MOST_DRAWN or is_dense:
        return h.p(".hint")[f"A group is not drawn, it would be illegible: {name}. See the list."]
    made = layout(group, links)
    width, height = made.width + 2 * _MARGIN, made.height + 2 * _MARGIN
    picture = h.svg(
        viewBox=f"{-_MARGIN} {-_MARGIN} {width:g} {height:g}",
        width=f"{width:g}",
        height=f"{height:g}",
        role="group",
        aria_label=name,
    )[
        h.Element("g")(aria_hidden="true")[
            (_line(edges[link], way, group) for link, way in made.ways.items())
        ],
        (_box(nodes[key], number, made, anchors) for number, key in enumerate(group)),
    ]
    first = nodes[group[0]]
    return h.div(
        ".scroll.drawing",
        tabindex="0",
        role="region",
        aria_label=f"Drawing from {plain(first.name or first.title)}: {name}",
    )[picture]


def _line(edge: Edge, way: Sequence[Spot], group: Sequence[str]) -> h.Element:
    """Return the line of a relation, which ends with a head at the older ADR."""
    start = way[0]
    parts = [f"M{start.x:g} {start.y:g}"]
    for number, (one, other) in enumerate(pairwise(way)):
        middle = (one.x + other.x) / 2
        is_through = number % 2 == 1
        parts.append(
            f"L{other.x:g} {other.y:g}"
            if is_through
            else f"C{middle:g} {one.y:g} {middle:g} {other.y:g} {other.x:g} {other.y:g}"
        )
    end, sign = way[-1], 1 if way[-2].x >= way[-1].x else -1
    back = f"{end.x + 7 * sign:g}"
    head = f"M{back} {end.y - 4:g}L{end.x:g} {end.y:g}L{back} {end.y + 4:g}"
    ends = f"{group.index(edge.source)} {group.index(edge.target)}"
    return h.Element("path")(d="".join(parts) + head, class_=edge.kind, data_ends=ends)


def _box(node: Node, number: int, made: Layout, anchors: Mapping[str, str]) -> h.Element:
    """Return an ADR as a link to its row. The inner picture cuts what is too long."""
    spot = made.places[node.key]
    relation = look(node.status)
    top, height = f"{spot.y - HEIGHT / 2:g}", str(HEIGHT)
    text = h.Element("text")
    parts = [
        h.Element("title")[_words(node)],
        h.Element("rect")(x=f"{spot.x:g}", y=top, width=str(WIDTH), height=height, rx="6"),
        h.svg(x=f"{spot.x + 10:g}", y=top, width=str(WIDTH - 16), height=height)[
            text(".name", x="0", y="17")[plain(node.name or node.title)],
            text(x="0", y="33")[plain(node.title)] if node.name else None,
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
        h.summary[f"{counted(len(nodes), 'ADR')} that no line reaches"],
        h.ul(".plain")[(h.li[_link(node, anchors)] for node in nodes)],
    ]


def _relations(graph: Graph, nodes: Mapping[str, Node], anchors: Mapping[str, str]) -> h.Element:
    """Return all relations as a list, which needs no eyes and no wide screen."""
    by_source: dict[str, list[Edge]] = {}
    for edge in graph.edges:
        by_source.setdefault(edge.source, []).append(edge)
    rows = [
        h.li[
            _link(nodes[source], anchors),
            h.ul[(h.li[f"{_kind(edge)} ", _link(nodes[edge.target], anchors)] for edge in found)],
        ]
        for source, found in by_source.items()
    ]
    return h.details(".more")[
        h.summary[f"All {counted(len(graph.edges), 'relation')} as a list"],
        h.ul(".plain.relations")[rows],
    ]


def _kind(edge: Edge) -> str:
    return label(edge) or "is related to"


def _link(node: Node, anchors: Mapping[str, str]) -> h.Node:
    words = plain(f"{node.name} {node.title}".strip())
    anchor = anchors.get(node.path)
    return h.a(href=f"#{anchor}")[words] if anchor else words
