"""Drawings of the decision graph, in the languages of Mermaid and Graphviz."""

import re
from typing import NamedTuple

from ..adr.corpus import CLOSED, DECIDED, OPEN, REFUSED
from .graph import Edge, Graph, Node, label, plain

_SAFE = r"[^\W_]|,|(?<!direction) |(?<=[^\W_])[-_/](?=[^\W_])"
"""Characters that are not replaced. Mermaid reads `direction TB` anywhere as a command."""
_DOT_HEAD = (
    "digraph decisions {",
    "  rankdir=LR;",
    '  node [shape=box, fontname="sans-serif"];',
    '  edge [fontname="sans-serif", fontsize=10];',
)


class Look(NamedTuple):
    """Colours and border of the ADRs of some statuses."""

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


def look(status: str) -> Look:
    """Return the look of an ADR by its status."""
    return next((look for statuses, look in _LOOKS if status in statuses), _UNKNOWN)


def mermaid(graph: Graph) -> str:
    """Return the graph in Mermaid's language, which GitHub and GitLab draw."""
    ids = {node.key: f"A{number}" for number, node in enumerate(graph.nodes)}
    looks = {look(node.status): None for node in graph.nodes}
    nodes = (
        f'{ids[node.key]}["{_lines(node)}"]:::{look(node.status).name}' for node in graph.nodes
    )
    edges = (
        f"{ids[edge.source]} {_mermaid_arrow(edge)} {ids[edge.target]}" for edge in graph.edges
    )
    return "\n  ".join(["flowchart LR", *nodes, *edges, *map(class_of, looks)]) + "\n"


def _lines(node: Node) -> str:
    return "<br>".join(inert(text) for text in (node.name, node.title) if plain(text))


def inert(text: str) -> str:
    """Return a text in which Mermaid finds no syntax, Markdown, HTML, formula or icon.

    All characters except for plain words are replaced by their codes.
    """
    words = re.sub(rf"({_SAFE})|(?s:.)", lambda sign: sign[1] or f"#{ord(sign[0])};", plain(text))
    # Mermaid decodes the codes before it searches for `$$`, `\n` and `fa-`. The zero-width space
    # behind the sign keeps it from finding them.
    return re.sub("#36;|#92;(?=n)|#58;(?=fa-)", r"\g<0>#8203;", words)


def _mermaid_arrow(edge: Edge) -> str:
    text = label(edge)
    if not text:
        return "-.-"
    return f"-->|{text}|"


def class_of(drawn: Look) -> str:
    """Return the line that defines the CSS class of a look."""
    dashes = ",stroke-dasharray:4 3" if drawn.dashed else ""
    colors = f"fill:{drawn.fill},stroke:{drawn.stroke},color:{drawn.color}"
    return f"classDef {drawn.name} {colors}{dashes}"


def dot(graph: Graph) -> str:
    """Return the graph in Graphviz's language."""
    ids = {node.key: f"A{number}" for number, node in enumerate(graph.nodes)}
    nodes = [f"  {ids[node.key]} [{_attributes(node)}];" for node in graph.nodes]
    edges = [
        f"  {ids[edge.source]} -> {ids[edge.target]}{_dot_arrow(edge)};" for edge in graph.edges
    ]
    return "\n".join([*_DOT_HEAD, *nodes, *edges, "}"]) + "\n"


def _attributes(node: Node) -> str:
    drawn = look(node.status)
    text = "\\n".join(_quoted(text) for text in (node.name, node.title) if text)
    style = "filled"
    if drawn.dashed:
        style = "filled,dashed"
    colors = f'fillcolor="{drawn.fill}", color="{drawn.stroke}", fontcolor="{drawn.color}"'
    return f'label="{text}", style="{style}", {colors}'


def _dot_arrow(edge: Edge) -> str:
    text = label(edge)
    if not text:
        return " [style=dotted, dir=none]"
    return f' [label="{text}"]'


def _quoted(text: str) -> str:
    """Return a text escaped for a label, where Graphviz reads backslashes and HTML entities."""
    # Backslashes first: escaping a quote adds one.
    return plain(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
