"""The decision graph in Mermaid's language, which GitHub and GitLab draw."""

import re

from .graph import Edge, Graph, Node, label, plain
from .looks import Look, look

_SAFE = r"[^\W_]|,|(?<!direction) |(?<=[^\W_])[-_/](?=[^\W_])"
"""Characters that are not replaced. Mermaid reads `direction TB` anywhere as a command."""


def render(graph: Graph) -> str:
    """Return the graph as a flowchart."""
    ids = {node.key: f"A{number}" for number, node in enumerate(graph.nodes)}
    looks = {look(node.status): None for node in graph.nodes}
    nodes = (f'{ids[node.key]}["{_text(node)}"]:::{look(node.status).name}' for node in graph.nodes)
    edges = (f"{ids[edge.source]} {_arrow(edge)} {ids[edge.target]}" for edge in graph.edges)
    return "\n  ".join(["flowchart LR", *nodes, *edges, *map(class_of, looks)]) + "\n"


def _text(node: Node) -> str:
    return "<br>".join(inert(text) for text in (node.name, node.title) if plain(text))


def inert(text: str) -> str:
    """Return a text in which Mermaid finds no syntax, Markdown, HTML, formula or icon.

    All characters except for plain words are replaced by their codes.
    """
    words = re.sub(rf"({_SAFE})|(?s:.)", lambda sign: sign[1] or f"#{ord(sign[0])};", plain(text))
    # Mermaid decodes the codes before it searches for `$$`, `\n` and `fa-`. The zero-width space
    # behind the sign keeps it from finding them.
    return re.sub("#36;|#92;(?=n)|#58;(?=fa-)", r"\g<0>#8203;", words)


def _arrow(edge: Edge) -> str:
    text = label(edge)
    if not text:
        return "-.-"
    return f"-->|{text}|"


def class_of(look: Look) -> str:
    """Return the line that defines the CSS class of a look."""
    dashes = ",stroke-dasharray:4 3" if look.dashed else ""
    colors = f"fill:{look.fill},stroke:{look.stroke},color:{look.color}"
    return f"classDef {look.name} {colors}{dashes}"
