"""The relations between ADRs as a list with links."""

from collections.abc import Iterator, Mapping, Sequence

import htpy as h

from ..report.graph import Edge, Graph, Node, label, plain
from ..text import counted

_FEW = 60
"""Maximum number of relations in a list that is not folded."""
_RELATED = "related_to"


def relations_section(graph: Graph, anchors: Mapping[str, str]) -> h.Element:
    """Return the section. `anchors` are the ids of ADRs' rows on the page, by path."""
    return h.section("#relations", aria_labelledby="relations-title")[
        h.h2("#relations-title")["Relations"],
        h.p(".m")[_summary(graph)],
        graph.edges and _list(graph, anchors),
    ]


def _summary(graph: Graph) -> str:
    if not graph.edges:
        return "No relations between ADRs."
    kinds = [edge.kind for edge in graph.edges]
    words = {"supersedes": "supersede", "depends_on": "depend", _RELATED: "only related"}
    parts = [f"{kinds.count(kind)} {word}" for kind, word in words.items() if kind in kinds]
    return " · ".join(parts)


def _list(graph: Graph, anchors: Mapping[str, str]) -> h.Element:
    """Return the relations by ADR, in the order of the graph."""
    nodes = {node.key: node for node in graph.nodes}
    by_source: dict[str, list[Edge]] = {key: [] for key in nodes}
    for edge in graph.edges:
        by_source[edge.source].append(edge)
    items = [
        h.li[
            h.strong[_link(nodes[source], anchors)],
            f" · {plain(nodes[source].status) or 'no known status'}",
            h.ul[_lines(edges, nodes, anchors)],
        ]
        for source, edges in by_source.items()
        if edges
    ]
    return h.details(".more", open=len(graph.edges) <= _FEW)[
        h.summary[f"{counted(len(items), 'ADR')} with relations to others"],
        h.ul(".plain.relations")[items],
    ]


def _lines(
    edges: Sequence[Edge], nodes: Mapping[str, Node], anchors: Mapping[str, str]
) -> Iterator[h.Element]:
    """Yield a line for each relation, and one for all ADRs that are only related."""
    related: list[h.Node] = []
    for edge in edges:
        target = nodes[edge.target]
        if edge.kind == _RELATED:
            related += [", " if related else "", _short(target, anchors)]
        else:
            yield h.li[f"{label(edge)} ", _link(target, anchors)]
    if related:
        yield h.li(".m")["related to ", related]


def _link(node: Node, anchors: Mapping[str, str]) -> h.Node:
    return _to_row(node, plain(f"{node.name} {node.title}".strip()), anchors)


def _short(node: Node, anchors: Mapping[str, str]) -> h.Node:
    return _to_row(node, plain(node.name or node.title), anchors)


def _to_row(node: Node, words: str, anchors: Mapping[str, str]) -> h.Node:
    anchor = anchors.get(node.path)
    if not anchor:
        return words
    return h.a(href=f"#{anchor}")[words]
