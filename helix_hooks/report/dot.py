"""The decision graph in Graphviz's language."""

from .graph import Edge, Graph, Node, label, plain
from .looks import look

_HEAD = (
    "digraph decisions {",
    "  rankdir=LR;",
    '  node [shape=box, fontname="sans-serif"];',
    '  edge [fontname="sans-serif", fontsize=10];',
)


def render(graph: Graph) -> str:
    """Return the graph as a digraph."""
    ids = {node.key: f"A{number}" for number, node in enumerate(graph.nodes)}
    nodes = [f"  {ids[node.key]} [{_attributes(node)}];" for node in graph.nodes]
    edges = [f"  {ids[edge.source]} -> {ids[edge.target]}{_arrow(edge)};" for edge in graph.edges]
    return "\n".join([*_HEAD, *nodes, *edges, "}"]) + "\n"


def _attributes(node: Node) -> str:
    drawn = look(node.status)
    text = "\\n".join(_quoted(text) for text in (node.name, node.title) if text)
    style = "filled,dashed" if drawn.dashed else "filled"
    colors = f'fillcolor="{drawn.fill}", color="{drawn.stroke}", fontcolor="{drawn.color}"'
    return f'label="{text}", style="{style}", {colors}'


def _arrow(edge: Edge) -> str:
    text = label(edge)
    return f' [label="{text}"]' if text else " [style=dotted, dir=none]"


def _quoted(text: str) -> str:
    """Escape text for a label, in which Graphviz reads backslashes, quotes and HTML entities."""
    return plain(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
