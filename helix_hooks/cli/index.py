"""`helix-hooks index` and `graph`: all ADRs as a table in a README, and as a graph."""

from collections.abc import Sequence

from .. import git
from ..authoring import index as table
from ..authoring.index import CURRENT, README, WRITTEN
from ..console import print_message, print_result
from ..errors import UsageError
from ..report import drawing, graph
from ..report.adr_table import DatedEntry
from ..text import printable
from . import shared

_RENDERERS = {"mermaid": drawing.mermaid, "dot": drawing.dot, "json": graph.as_json}
_DONE = {CURRENT: "is up to date", WRITTEN: "is written"}


@shared.command(
    "index",
    example="""examples:
  helix-hooks index                      write the table into the README of the ADRs
  helix-hooks index docs/decisions.md    write it into another file
  helix-hooks index --check              exit 1 if the table is stale
  helix-hooks index --marked             in a hook: write stale tables, then exit 1""",
)
@shared.paths(
    "[FILE]",
    f"file with the table (default: each {README} near ADRs with the marker comments, else "
    f"{README} in the folder with most ADRs)",
    to="file",
)
@shared.flag("--check", "write nothing; exit 1 if the table is stale")
@shared.flag(
    "--marked",
    "update only files with the marker comments, list only tracked ADRs; exit 1 if a table "
    "was stale",
)
def index(*, file: str, check: bool, marked: bool) -> int:
    """Write or check the tables, print the state of each, and return the worst exit code.

    Raises:
        UsageError: FILE is used with --marked.
    """
    if file and marked:
        raise UsageError("--marked cannot be used with FILE")
    repository = git.repository()
    root = repository or "."
    files = [table.path_in(repository, file)] if file else []
    adrs = table.read_all(repository, only_tracked=marked)
    for note in adrs.notes:
        print_message(note)
    files = files or _found_files(root, adrs.entries, only_marked=marked)
    states = {name: table.update(root, name, adrs.entries, only_check=check) for name in files}
    codes = [_print_state(*state, file, is_hook=marked) for state in states.items()]
    return max(codes, default=0)


def _found_files(root: str, adrs: Sequence[DatedEntry], *, only_marked: bool) -> list[str]:
    """Return the files with the comments of the table, else the README beside most ADRs."""
    files = table.marked_files(root, adrs)
    if files or not adrs:
        return files
    if not only_marked:
        return [table.default_path(adrs)]
    if not shared.console().quiet:
        print_result(f"no {README} has the marker comments of the index; nothing to do\n")
    return []


def _print_state(path: str, state: str, file: str, *, is_hook: bool) -> int:
    """Print the state of a file, and return its exit code."""
    path = printable(path)
    if is_hook and state == WRITTEN:
        print_message(
            f"{path}: the index was stale and has been written; run `git add {path}`, "
            "then commit again"
        )
        return 1
    if state not in _DONE:
        call = " ".join(filter(None, ("helix-hooks index", file)))
        print_message(f"{path}: the index is {state}; write it with `{call}`")
        return 1
    if not shared.console().quiet:
        print_result(f"{path}: the index {_DONE[state]}\n")
    return 0


@shared.command(
    "graph",
    example="""examples:
  helix-hooks graph                            print the graph for a ```mermaid block
  helix-hooks graph --format dot | dot -Tsvg   draw it with Graphviz""",
)
@shared.formats(*_RENDERERS)
def print_graph(*, format: str) -> None:
    adrs = table.read_all(git.repository())
    for note in adrs.notes:
        print_message(note)
    render = _RENDERERS[format]
    print_result(render(graph.decision_graph(adr.entry for adr in adrs.entries)))
