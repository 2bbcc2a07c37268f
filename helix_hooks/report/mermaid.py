"""The decision graph: which ADR supersedes, needs or touches which; as Mermaid, which GitHub and GitLab draw."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..adr.corpus import CLOSED, DECIDED, OPEN, REFUSED, Corpus, Entry
from ..adr.names.number import number_in_title
from ..adr.reference import Reference, collection, key_in_path
from ..text.printable import printable

_LONGEST = 60
_NUMBER = r"(?i)^\W*(?:adr[-_ #]*)?\d{1,6}\s*[-–—:.)]+\s*"
_AN_ID = r"(?:[a-z]+-)?\d+"
_SAFE = r"[^\W_]|,|(?<!direction) |(?<=[^\W_])[-_/](?=[^\W_])"
"""Signs that stay as they are; Mermaid takes a line for an order wherever it says `direction TB`."""
_WORDS = {"supersedes": "supersedes", "depends_on": "depends on", "related_to": ""}


class Node(NamedTuple):
    """An ADR. One that is only referred to has no title and no status, and where it has an id also no path."""

    path: str
    name: str
    title: str
    status: str

    @property
    def key(self) -> str:
        return self.path or self.name


class Edge(NamedTuple):
    """A relation between the ADRs of two keys; `kind` is supersedes, depends_on or related_to."""

    source: str
    target: str
    kind: str
    partly: bool


class Graph(NamedTuple):
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]


class Look(NamedTuple):
    """How the ADRs of some statuses are drawn."""

    name: str
    fill: str
    stroke: str
    color: str
    dashed: bool = False


_LOOKS = (
    (DECIDED, Look("decided", "#e8f3ea", "#6a9a76", "#1d2b20")),
    (OPEN, Look("open", "#eef3fb", "#7a95bd", "#1c2735")),
    (CLOSED, Look("closed", "#f2f2f2", "#a0a0a0", "#666666", dashed=True)),
    (REFUSED, Look("refused", "#f8eeee", "#b58a8a", "#5c4040")),
)
_UNKNOWN = Look("unknown", "#ffffff", "#a0a0a0", "#333333")


def graph(entries: Iterable[Entry], strangers: bool = False) -> Graph:
    """The graph of some ADRs, in the order of folders and numbers; with `strangers` also of those that only they know of."""
    known = sorted(entries, key=order)
    paths = {entry.path for entry in known}
    corpus = Corpus(read=lambda _: None, exists=paths.__contains__)
    corpus.know(known)
    nodes = {entry.path: Node(entry.path, name(entry), title(entry), entry.status) for entry in known}
    edges: dict[tuple[str, str, str], Edge] = {}
    for entry in known:
        for reference in entry.references:
            found = corpus.find(reference, entry.path)[:1]
            other = nodes[found[0].path] if found else _stranger(reference) if strangers else None
            if other and other.key != entry.path:
                edge = _edge(entry.path, nodes.setdefault(other.key, other).key, reference)
                edges.setdefault(edge[:3], edge)
    return Graph(tuple(nodes.values()), tuple(edges.values()))


def connected(graph: Graph) -> Graph:
    """The graph without the ADRs that nothing leads to or from."""
    ends = {end for edge in graph.edges for end in (edge.source, edge.target)}
    return Graph(tuple(node for node in graph.nodes if node.key in ends), graph.edges)


def order(entry: Entry) -> tuple[str, bool, int, str]:
    """By folder, then by number, those without one last."""
    digits = re.search(r"\d+$", entry.key)
    return collection(entry.path), not digits, int(digits[0]) if digits else 0, entry.path


def name(entry: Entry) -> str:
    """What an ADR is called in few letters: its id, else its number, "" where it has neither."""
    id = entry.id or (entry.key if entry.key.isdigit() else "")
    return f"ADR-{id.zfill(3)}" if id.isdigit() else id


def title(entry: Entry) -> str:
    """The title without the number that the ADR goes by anyway; the file's name where nothing else names it."""
    number = number_in_title(entry.title)
    words = re.sub(_NUMBER, "", entry.title) if entry.key == str(number) else entry.title
    return words or ("" if name(entry) else _stem(entry.path))


def look(status: str) -> Look:
    return next((look for statuses, look in _LOOKS if status in statuses), _UNKNOWN)


def words(edge: Edge) -> str:
    """What is written at a relation; "" for ADRs that are only related."""
    return "supersedes in part" if edge.partly and edge.kind == "supersedes" else _WORDS[edge.kind]


def plain(text: str) -> str:
    """A name or title in one line that is not too long."""
    return printable(" ".join(text.split()), _LONGEST)


def render(graph: Graph) -> str:
    """A flowchart in Mermaid's words."""
    ids = {node.key: f"A{number}" for number, node in enumerate(graph.nodes)}
    looks = {look(node.status): None for node in graph.nodes}
    nodes = (f'{ids[node.key]}["{_label(node)}"]:::{look(node.status).name}' for node in graph.nodes)
    edges = (f"{ids[edge.source]} {_arrow(edge)} {ids[edge.target]}" for edge in graph.edges)
    return "\n  ".join(["flowchart LR", *nodes, *edges, *map(_class, looks)]) + "\n"


def _edge(path: str, other: str, reference: Reference) -> Edge:
    """A relation as it is drawn: from the newer ADR to the one it supersedes, and related ones only once."""
    if reference.kind == "superseded_by":
        return Edge(other, path, "supersedes", reference.partly)
    if reference.kind == "related_to":
        return Edge(min(path, other), max(path, other), reference.kind, partly=False)
    return Edge(path, other, reference.kind, reference.partly)


def _stranger(reference: Reference) -> Node | None:
    """An ADR of which nothing is known but that it is referred to."""
    key = reference.key or key_in_path(reference.path)
    if re.fullmatch(_AN_ID, key):
        return Node("", f"ADR-{int(key):03}" if key.isdigit() else key.upper(), "", "")
    return Node(reference.path, _stem(reference.path), "", "") if reference.path else None


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _label(node: Node) -> str:
    return "<br>".join(_inert(text) for text in (node.name, node.title) if plain(text))


def _inert(text: str) -> str:
    """Text in which Mermaid finds neither its own signs nor Markdown, HTML, formulas or icons; all but plain words is spelt in codes."""
    words = re.sub(rf"({_SAFE})|(?s:.)", lambda sign: sign[1] or f"#{ord(sign[0])};", plain(text))
    return re.sub("#36;|#92;(?=n)|#58;(?=fa-)", r"\g<0>#8203;", words)


def _arrow(edge: Edge) -> str:
    return f"-->|{words(edge)}|" if words(edge) else "-.-"


def _class(look: Look) -> str:
    dashes = ",stroke-dasharray:4 3" if look.dashed else ""
    return f"classDef {look.name} fill:{look.fill},stroke:{look.stroke},color:{look.color}{dashes}"
