"""`helix-hooks worker`: execute the runs of flows of a repository until it is stopped."""

import os

import click

from ..console.output import print_line_of_program, print_message
from ..flow.place import here
from .frame import command, console
from .person import refuse_inside

EXAMPLE = """examples:
  helix-hooks worker                execute runs until it is stopped
  helix-hooks worker --until-idle   execute runs until each one ends or waits for a person

The next worker restarts interrupted phases. Workers on several machines share a PostgreSQL
database (HELIX_FLOW_DATABASE, or flow.database in config/approvals.yaml). They need the work tree
at the same path, and take over the runs of a worker that died.

exit codes:
  0  nothing is left to do (--until-idle)
  2  usage or configuration error
  3  stopped, or the database or the files of a run can't be used; nothing is lost"""


@command("worker", example=EXAMPLE)
@click.option("--until-idle", is_flag=True, help="end when each run has ended or needs a person")
def run(*, until_idle: bool) -> int:
    refuse_inside(os.environ, "`helix-hooks worker`")
    from ..flow.attend import AttendEdges, serve

    place = here(os.environ)
    is_quiet = console().quiet
    if not is_quiet:
        print_message(f"worker for {place.root}; Ctrl-C stops it, and nothing is lost")

    def show(phase: str, line: str) -> None:
        if not is_quiet:
            print_line_of_program(f"{phase}: {line}")

    return serve(place, AttendEdges(print_message, show), until_idle=until_idle)
