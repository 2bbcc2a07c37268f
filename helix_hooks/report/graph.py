"""The decision graph as a value and as JSON: ADRs, and the relations between them.

All drawings take names, titles and labels from this module.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..adr.corpus import Corpus, Entry
from ..adr.names import number_in_title
from ..adr.reference import Reference, collection, key_in_path
from ..paths import without_suffix
from ..text import dumped, printable

_LONGEST = 60
"""Characters of a name or title in a drawing."""
_NUMBER = r"(?i)^\W*(?:adr[-_ #]*)?\d{1,6}\s*[-–—:.)]+\s*"
"""The number at the beginning of a title, such as `ADR-7: `."""
_AN_ID = r"(?:[a-z]+-)?\d+"
_LABELS = {"supersedes": "supersedes", "depends_on": "depends on", "related_to": ""}


class Node(NamedTuple):
    """An ADR in the graph.

    A node for an ADR that was not read has no title and no status. If it was referenced by an id,
    it has no path either.
    """

    path: str
    name: str
    title: str
    status: str

    @property
    def key(self) -> str:
        return self.path or self.name


class Edge(NamedTuple):
    """A relation between two nodes, by their keys: supersedes, depends_on or related_to."""

    source: str
    target: str
    kind: str
    partly: bool


class Graph(NamedTuple):
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


def decision_graph(entries: Iterable[Entry], with_missing: bool = False) -> Graph:
    """Return the graph of ADRs, ordered by folder and number.

    `with_missing` adds a node for each ADR that is referenced but not among the entries.
    """
    ordered = sorted(entries, key=order)
    paths = {entry.path for entry in ordered}
    corpus = Corpus(read=lambda _: None, exists=paths.__contains__)
    corpus.know(ordered)
    nodes = {
        entry.path: Node(entry.path, name(entry), title(entry), entry.status) for entry in ordered
    }
    edges: dict[tuple[str, str, str], Edge] = {}
    for entry in ordered:
        for reference in entry.references:
            matches = corpus.find(reference, entry.path)
            target = nodes[matches[0].path] if matches else None
            if not target and with_missing:
                target = _missing(reference)
            if not target or target.key == entry.path:
                continue
            nodes.setdefault(target.key, target)
            edge = _edge(entry.path, target.key, reference)
            edges.setdefault(edge[:3], edge)
    return Graph(tuple(nodes.values()), tuple(edges.values()))


def connected(graph: Graph) -> Graph:
    """Return the graph without the ADRs that have no relation."""
    ends = {edge.source for edge in graph.edges} | {edge.target for edge in graph.edges}
    return Graph(tuple(node for node in graph.nodes if node.key in ends), graph.edges)


def order(entry: Entry) -> tuple[str, bool, int, str]:
    """Return a sort key: by folder, then by number. ADRs without a number come last."""
    digits = re.search(r"\d+$", entry.key)
    number = int(digits[0]) if digits else 0
    return collection(entry.path), not digits, number, entry.path


def name(entry: Entry) -> str:
    """Return the short name of an ADR: its id or its number; "" without both."""
    id = entry.id
    if not id and entry.key.isdigit():
        id = entry.key
    if id.isdigit():
        return f"ADR-{id.zfill(3)}"
    return id


def title(entry: Entry) -> str:
    """Return the title without the ADR's number.

    An ADR without a title has the name of its file, unless it has a short name.
    """
    text = entry.title
    if entry.key == str(number_in_title(text)):
        text = re.sub(_NUMBER, "", text)
    if text or name(entry):
        return text
    return _stem(entry.path)


def label(edge: Edge) -> str:
    """Return the label of a relation; "" for related ADRs, whose line has no arrow."""
    if edge.partly and edge.kind == "supersedes":
        return "supersedes in part"
    return _LABELS[edge.kind]


def plain(text: str) -> str:
    """Return a name or title as one line of limited length."""
    return printable(" ".join(text.split()), _LONGEST)


def as_json(graph: Graph) -> str:
    """Return the graph for programs, as a JSON document of version 1."""
    nodes = [
        {"path": node.path, "id": node.name, "title": node.title, "status": node.status}
        for node in graph.nodes
    ]
    edges = [
        {"from": edge.source, "to": edge.target, "kind": edge.kind, "partly": edge.partly}
        for edge in graph.edges
    ]
    value = {"version": 1, "adrs": nodes, "relations": edges}
    return dumped(value)


def _edge(path: str, other: str, reference: Reference) -> Edge:
    """Return the edge of a reference. Two ADRs that refer to each other have the same edge."""
    if reference.kind == "superseded_by":
        return Edge(other, path, "supersedes", reference.partly)
    if reference.kind == "related_to":
        return Edge(min(path, other), max(path, other), reference.kind, partly=False)
    return Edge(path, other, reference.kind, reference.partly)


def _missing(reference: Reference) -> Node | None:
    """Return a node for an ADR that is referenced but was not read."""
    key = reference.key or key_in_path(reference.path)
    if re.fullmatch(_AN_ID, key):
        short_name = f"ADR-{int(key):03}" if key.isdigit() else key.upper()
        return Node(path="", name=short_name, title="", status="")
    if reference.path:
        return Node(reference.path, _stem(reference.path), title="", status="")
    return None


def _stem(path: str) -> str:
    return without_suffix(path.rpartition("/")[2])
