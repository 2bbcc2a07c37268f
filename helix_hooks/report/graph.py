"""The decision graph as a value: which ADR supersedes, needs or touches which; and as JSON.

Names, titles and labels of all its drawings come from here.
"""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from ..adr.corpus import Corpus, Entry
from ..adr.names.number import number_in_title
from ..adr.reference import Reference, collection, key_in_path
from ..text.sanitize import json_value, printable

_LONGEST = 60
_NUMBER = r"(?i)^\W*(?:adr[-_ #]*)?\d{1,6}\s*[-–—:.)]+\s*"
_AN_ID = r"(?:[a-z]+-)?\d+"
_LABELS = {"supersedes": "supersedes", "depends_on": "depends on", "related_to": ""}


class Node(NamedTuple):
    """An ADR.

    One that is only referred to has no title and no status; with an id, no path either.
    """

    path: str
    name: str
    title: str
    status: str

    @property
    def key(self) -> str:
        return self.path or self.name


class Edge(NamedTuple):
    """A relation of two nodes by their keys: supersedes, depends_on or related_to."""

    source: str
    target: str
    kind: str
    partly: bool


class Graph(NamedTuple):
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def decision_graph(entries: Iterable[Entry], with_missing: bool = False) -> Graph:
    """Return the graph of some ADRs, in the order of folders and numbers.

    `with_missing` adds the ADRs that are referred to and are not among the entries.
    """
    ordered = sorted(entries, key=order)
    paths = {entry.path for entry in ordered}
    corpus = Corpus(read=lambda _: None, exists=paths.__contains__)
    corpus.know(ordered)
    nodes = {entry.path: _node(entry) for entry in ordered}
    edges: dict[tuple[str, str, str], Edge] = {}
    for entry in ordered:
        for reference in entry.references:
            matches = corpus.find(reference, entry.path)[:1]
            other = nodes[matches[0].path] if matches else None
            if not matches and with_missing:
                other = _missing(reference)
            if other and other.key != entry.path:
                target = nodes.setdefault(other.key, other)
                edge = _edge(entry.path, target.key, reference)
                edges.setdefault(edge[:3], edge)
    return Graph(tuple(nodes.values()), tuple(edges.values()))


def connected(graph: Graph) -> Graph:
    """Return the graph without the ADRs that have no relation."""
    ends = {end for edge in graph.edges for end in (edge.source, edge.target)}
    return Graph(tuple(node for node in graph.nodes if node.key in ends), graph.edges)


def order(entry: Entry) -> tuple[str, bool, int, str]:
    """Return a key that sorts by folder, then by number; ADRs without a number come last."""
    digits = re.search(r"\d+$", entry.key)
    return collection(entry.path), not digits, int(digits[0]) if digits else 0, entry.path


def name(entry: Entry) -> str:
    """Return the short name of an ADR: its id, else its number, "" without both."""
    id = entry.id or (entry.key if entry.key.isdigit() else "")
    return f"ADR-{id.zfill(3)}" if id.isdigit() else id


def title(entry: Entry) -> str:
    """Return the title without the ADR's own number; the file's name if nothing else names it."""
    number = number_in_title(entry.title)
    words = re.sub(_NUMBER, "", entry.title) if entry.key == str(number) else entry.title
    return words or ("" if name(entry) else _stem(entry.path))


def label(edge: Edge) -> str:
    """Return the words on a relation; "" for ADRs that are only related."""
    if edge.partly and edge.kind == "supersedes":
        return "supersedes in part"
    return _LABELS[edge.kind]


def plain(text: str) -> str:
    """Return a name or title as one line of limited length."""
    return printable(" ".join(text.split()), _LONGEST)


def as_json(graph: Graph) -> str:
    """Return the graph for programs, as a JSON document of version 1."""
    nodes = [_node_fields(node) for node in graph.nodes]
    edges = [_edge_fields(edge) for edge in graph.edges]
    value = {"version": 1, "adrs": nodes, "relations": edges}
    return json.dumps(json_value(value), indent=2) + "\n"


def _node_fields(node: Node) -> dict[str, str]:
    return {"path": node.path, "id": node.name, "title": node.title, "status": node.status}


def _edge_fields(edge: Edge) -> dict[str, str | bool]:
    return {"from": edge.source, "to": edge.target, "kind": edge.kind, "partly": edge.partly}


def _node(entry: Entry) -> Node:
    return Node(entry.path, name(entry), title(entry), entry.status)


def _edge(path: str, other: str, reference: Reference) -> Edge:
    """Return a relation from the newer ADR to the superseded one, and a mutual one only once."""
    if reference.kind == "superseded_by":
        return Edge(other, path, "supersedes", reference.partly)
    if reference.kind == "related_to":
        return Edge(min(path, other), max(path, other), reference.kind, partly=False)
    return Edge(path, other, reference.kind, reference.partly)


def _missing(reference: Reference) -> Node | None:
    """Return an ADR that is known by a reference alone."""
    key = reference.key or key_in_path(reference.path)
    if re.fullmatch(_AN_ID, key):
        return Node("", f"ADR-{int(key):03}" if key.isdigit() else key.upper(), "", "")
    return Node(reference.path, _stem(reference.path), "", "") if reference.path else None


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
