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
    style = "filled"
    if drawn.dashed:
        style = "filled,dashed"
    colors = f'fillcolor="{drawn.fill}", color="{drawn.stroke}", fontcolor="{drawn.color}"'
    return f'label="{text}", style="{style}", {colors}'


def _arrow(edge: Edge) -> str:
    text = label(edge)
    if not text:
        return " [style=dotted, dir=none]"
    return f' [label="{text}"]'


def _quoted(text: str) -> str:
    """Return a text escaped for a label, where Graphviz reads backslashes and HTML entities."""
    # Backslashes first: escaping a quote adds one.
    return plain(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
