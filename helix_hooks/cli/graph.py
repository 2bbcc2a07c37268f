"""`helix-hooks graph`: the relations of all decisions as a graph."""

from .. import git
from ..authoring import entries
from ..console.output import print_message, print_result
from ..report import drawing, graph
from .frame import command, with_format

EXAMPLE = """examples:
  helix-hooks graph                            print the graph for a ```mermaid block
  helix-hooks graph --format dot | dot -Tsvg   draw it with Graphviz
  helix-hooks graph --format json              print JSON"""

_RENDERERS = {"mermaid": drawing.mermaid, "dot": drawing.dot, "json": graph.as_json}


@command("graph", example=EXAMPLE)
@with_format(*_RENDERERS)
def run(*, format: str) -> int:
    adrs = entries.read_all(git.repository())
    for note in adrs.notes:
        print_message(note)
    render = _RENDERERS[format]
    print_result(render(graph.decision_graph(adr.entry for adr in adrs.entries)))
    return 0
