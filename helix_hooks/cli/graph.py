"""`helix-hooks graph`: which decision supersedes, needs or touches which."""

import json
from argparse import ArgumentParser, Namespace
from functools import partial
from typing import NamedTuple

from .. import parallel
from ..adr.corpus import Entry, entry
from ..adr.examine import Source, adr_id, read
from ..config.settings import Settings, load
from ..config.watched import no_adr, watch
from ..console.output import complain, write
from ..errors import UsageError
from ..report import mermaid
from ..repository import files, git, views

EXAMPLE = """examples:
  helix-hooks graph                            for a ```mermaid block
  helix-hooks graph --format dot | dot -Tsvg   a picture by Graphviz
  helix-hooks graph --format json              for programs"""


class Known(NamedTuple):
    """An ADR of the work tree, and the date its header states ("" without one)."""

    entry: Entry
    date: str


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--format", choices=("mermaid", "dot", "json"), default="mermaid", help="how to print the graph (default: mermaid)")


def run(options: Namespace) -> int:
    render = {"mermaid": mermaid.render, "dot": dot, "json": as_json}[options.format]
    write(render(mermaid.graph(known.entry for known in everything(git.repository()))))
    return 0


def everything(repository: str | None) -> list[Known]:
    """Every ADR of the work tree; of one that can't be read, and of there being none, a line on standard error.

    Raises UsageError outside of a repository, and ConfigError for settings that watch nothing.
    """
    if not repository:
        raise UsageError(views.NO_REPOSITORY)
    index = git.Index(repository)
    try:
        tree = files.WorkTree(repository, index)
        settings = load(tree.read, files.packaged)
        paths = files.select(tree, repository, [], settings).paths
        if not paths:
            watch(views.of_work_tree(settings, tree, index))
        found = parallel.each(paths, partial(_known, tree, settings), tree.in_a_process_of_its_own)
    finally:
        index.close()
    if not paths:
        complain(no_adr(settings))
    for item in found:
        if isinstance(item, str):
            complain(item)
    return [item for item in found if isinstance(item, Known)]


def _known(tree: files.Tree, settings: Settings, path: str) -> Known | str:
    doc = tree.document(path)
    if doc.defect:
        return f"{path} is left out: {doc.defect.message}"
    adr = read(Source(doc), settings.ruleset)
    return Known(entry(adr, adr_id(adr)), adr.header.text("date"))


def as_json(graph: mermaid.Graph) -> str:
    nodes = [{"path": node.path, "id": node.name, "title": node.title, "status": node.status} for node in graph.nodes]
    edges = [{"from": edge.source, "to": edge.target, "kind": edge.kind, "partly": edge.partly} for edge in graph.edges]
    return json.dumps({"version": 1, "adrs": nodes, "relations": edges}, indent=2) + "\n"


def dot(graph: mermaid.Graph) -> str:
    """The graph in Graphviz's words."""
    ids = {node.key: f"A{number}" for number, node in enumerate(graph.nodes)}
    nodes = [f"  {ids[node.key]} [{_look(node)}];" for node in graph.nodes]
    edges = [f"  {ids[edge.source]} -> {ids[edge.target]}{_arrow(edge)};" for edge in graph.edges]
    head = ["digraph decisions {", "  rankdir=LR;", '  node [shape=box, fontname="sans-serif"];', '  edge [fontname="sans-serif", fontsize=10];']
    return "\n".join([*head, *nodes, *edges, "}"]) + "\n"


def _look(node: mermaid.Node) -> str:
    look = mermaid.look(node.status)
    label = "\\n".join(_quoted(text) for text in (node.name, node.title) if text)
    style = "filled,dashed" if look.dashed else "filled"
    return f'label="{label}", style="{style}", fillcolor="{look.fill}", color="{look.stroke}", fontcolor="{look.color}"'


def _arrow(edge: mermaid.Edge) -> str:
    words = mermaid.words(edge)
    return f' [label="{words}"]' if words else " [style=dotted, dir=none]"


def _quoted(text: str) -> str:
    """Text in a label, where Graphviz reads backslashes, quotes and HTML's entities."""
    return mermaid.plain(text).replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
