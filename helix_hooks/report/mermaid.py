"""The decision graph in Mermaid's language, which GitHub and GitLab draw."""

import re

from .graph import Edge, Graph, Node, label, plain
from .looks import Look, look

_SAFE = r"[^\W_]|,|(?<!direction) |(?<=[^\W_])[-_/](?=[^\W_])"
"""Characters that stay as they are. Mermaid reads `direction TB` anywhere as a command."""


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
    """Replace by codes all but plain words, so that Mermaid finds no syntax of its own.

    Nor does it find Markdown, HTML, formulas or icons.
    """
    words = re.sub(rf"({_SAFE})|(?s:.)", lambda sign: sign[1] or f"#{ord(sign[0])};", plain(text))
    return re.sub("#36;|#92;(?=n)|#58;(?=fa-)", r"\g<0>#8203;", words)


def _arrow(edge: Edge) -> str:
    return f"-->|{label(edge)}|" if label(edge) else "-.-"


def class_of(look: Look) -> str:
    """Return the line that gives a look a name in a drawing."""
    dashes = ",stroke-dasharray:4 3" if look.dashed else ""
    colors = f"fill:{look.fill},stroke:{look.stroke},color:{look.color}"
    return f"classDef {look.name} {colors}{dashes}"
