"""`helix-hooks run`: a flow of gated phases, from its file."""

import os
from typing import TYPE_CHECKING

import click

from ..console.output import print_message, print_result
from ..report.verdict import rendered
from .flow_progress import FlowProgress
from .frame import command, complete_file, console, filled, text_or_file
from .person import asker, refuse_inside

if TYPE_CHECKING:
    from ..flow.place import FlowPlace

EXAMPLE = """examples:
  helix-hooks run phases.yaml --task "add a cache to the search"
  helix-hooks run phases.yaml --task @issue.md       the task is in a file
  helix-hooks run phases.yaml --from code-approval   this phase and all that depend on it; those before were approved in the last run
  helix-hooks run phases.yaml --phase consultant     one phase
  helix-hooks run phases.yaml --unattended           refused before it begins if a person is needed
  helix-hooks run phases.yaml --detach               in the background; `helix-hooks flow status` shows it

Without set-up, runs are kept in the git directory, and one process at a time executes them. With the URL of a PostgreSQL database in HELIX_FLOW_DATABASE or flow.database, several do.

exit codes:
  0  every phase was approved
  1  a phase was rejected, or the run was cancelled
  2  usage or configuration error; nothing was started
  3  the run could not go on to its end; nothing is lost
  4  a person must decide"""

_REFUSED = "`helix-hooks run`"


@command("run", example=EXAMPLE, arguments={"FILE": "the flow, as in phases.yaml"})
@click.argument("path", metavar="FILE", shell_complete=complete_file)
@click.option("--phase", metavar="ID", type=filled, help="only this phase")
@click.option("--from", "start", metavar="ID", type=filled, help="this phase and those after it")
@click.option(
    "--task", metavar="TEXT", default="", help="what is to be done; @FILE for a file with it"
)
@click.option("--unattended", is_flag=True, help="refuse a flow that needs a person")
@click.option("--detach", is_flag=True, help="execute it in the background, and print its id")
@click.option(
    "--format",
    type=click.Choice(("text", "json")),
    default="text",
    help="how to print the result (default: text)",
)
def run(
    *,
    path: str,
    phase: str | None,
    start: str | None,
    task: str,
    unattended: bool,
    detach: bool,
    format: str,
) -> int:
    refuse_inside(os.environ, _REFUSED)
    from ..flow.answering import leave_to_worker
    from ..flow.attend import attend
    from ..flow.place import here
    from ..flow.start import FlowOptions, begin

    place = here(os.environ)
    options = FlowOptions(path, text_or_file("--task", task), phase or "", start or "", unattended)
    id = begin(place, options, asker(place.root, os.environ))
    if detach:
        leave_to_worker()
        line = f"{id}\n"
        if format == "json":
            line = rendered({"version": 1, "run": id})
        print_result(line)
        return 0
    if not console().quiet:
        print_message(f"run {id}")
    with FlowProgress(console()) as progress:
        code = attend(place, id, progress.edges)
    _print(place, id, format)
    return code


def _print(place: "FlowPlace", id: str, format: str) -> None:
    from ..flow.client import look
    from ..phases.advance import outcome
    from ..report.flow import FlowView, render

    flow, state = look(place, id)
    print_result(render(FlowView(flow, state, outcome(state)), format, console().colored))
