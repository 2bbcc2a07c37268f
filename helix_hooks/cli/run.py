"""`helix-hooks run`: a flow of gated phases, from its file."""

import os

import click

from ..console.output import print_message, print_result
from ..flow.place import FlowPlace, here
from ..phases.advance import outcome
from ..report.flow import FlowView, render
from ..report.json import dumped
from .flow_progress import FlowProgress
from .frame import command, complete_file, console, text_or_file, with_format
from .person import asker, refuse_inside

EXAMPLE = """examples:
  helix-hooks run phases.yaml --task "add a cache to the search"
  helix-hooks run phases.yaml --task @issue.md       read the task from a file
  helix-hooks run phases.yaml --from code-approval   run a phase and the phases that depend on it
  helix-hooks run phases.yaml --phase consultant     run one phase
  helix-hooks run phases.yaml --unattended           refuse a flow that needs a person
  helix-hooks run phases.yaml --detach               run it in the background

With --from, earlier phases keep their approval from the last run.

By default, runs are stored in the git directory, and one process at a time executes them. Several
processes can share a PostgreSQL database: set its URL in HELIX_FLOW_DATABASE or flow.database.

exit codes:
  0  every phase of the run was approved; with --detach, the run was started
  1  a phase was rejected, or the run was cancelled
  2  usage or configuration error; nothing was started
  3  the run was interrupted; `helix-hooks flow resume` continues it
  4  a person must decide"""

_REFUSED = "`helix-hooks run`"


@command("run", example=EXAMPLE, arguments={"FILE": "file of the flow, e.g. phases.yaml"})
@click.argument("path", metavar="FILE", shell_complete=complete_file)
@click.option("--phase", metavar="ID", help="run only this phase")
@click.option(
    "--from",
    "start",
    metavar="ID",
    help="run this phase and the phases that depend on it",
)
@click.option(
    "--task", metavar="TEXT", default="", help="task of the run; @FILE to read it from a file"
)
@click.option("--unattended", is_flag=True, help="refuse a flow that needs a person")
@click.option("--detach", is_flag=True, help="run it in the background, and print its id")
@with_format()
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
    from ..flow.start import FlowOptions, begin

    place = here(os.environ)
    options = FlowOptions(path, text_or_file("--task", task), phase or "", start or "", unattended)
    id = begin(place, options, asker(place.root, os.environ))
    if detach:
        leave_to_worker()
        line = f"{id}\n"
        if format == "json":
            line = dumped({"version": 1, "run": id})
        print_result(line)
        return 0
    if not console().quiet:
        print_message(f"run {id}")
    with FlowProgress(console()) as progress:
        code = attend(place, id, progress.edges)
    _print(place, id, format)
    return code


def _print(place: FlowPlace, id: str, format: str) -> None:
    from ..flow.client import look

    flow, state = look(place, id)
    print_result(render(FlowView(flow, state, outcome(state)), format, console().colored))
