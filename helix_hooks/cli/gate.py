"""`helix-hooks gate`: ask a gate of the settings, or of a flow, about the present content."""

import os
import sys
from collections.abc import Callable
from functools import partial

import click

from ..config.gates import Gate, has_files
from ..console.output import exit_code_of, print_message, print_result
from ..console.progress import Progress
from ..errors import HelixError, UsageError
from ..gates.named import gate_named, named_gates, no_gate
from ..gates.work import HOOK, TERMINAL, GateWork
from ..report import gate as report
from ..repository import git, runner
from .frame import Console, command, complete_file, console, filled

EXAMPLE = """examples:
  helix-hooks gate                                 the gates that there are
  helix-hooks gate complete                        ask the gate `complete` of config/approvals.yaml
  helix-hooks gate complete docs/adr/0007-kafka.md about other files than its own
  helix-hooks gate complete --base origin/main     as it is defined on origin/main, by its settings
  helix-hooks gate consultant --file phases.yaml   the gate of a phase
  helix-hooks gate complete --staged               in a hook, about the index

exit codes:
  0  approved
  1  rejected
  2  usage or configuration error; a hook runs no gate that asks somebody
  3  the gate could not be evaluated; nothing was approved
  4  pending: a person must decide"""


@command(
    "gate",
    example=EXAMPLE,
    arguments={
        "NAME": "a gate, or the id of a phase (default: list them)",
        "FILE": "files to ask about in the place of the gate's own",
    },
)
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--file",
    metavar="FILE",
    type=filled,
    shell_complete=complete_file,
    help="a phases.yaml with the gate (default: the settings)",
)
@click.option(
    "--base",
    metavar="REV",
    type=filled,
    help="where gate, settings and rubric come from (default: the content that is asked about)",
)
@click.option("--staged", is_flag=True, help="ask about the index, as a hook does; asks no judge")
@click.option(
    "--format",
    type=click.Choice(report.FORMATS),
    default="text",
    help="how to print the answer (default: text)",
)
def run(
    *,
    name: str | None,
    files: tuple[str, ...],
    file: str | None,
    base: str | None,
    staged: bool,
    format: str,
) -> int:
    root = git.repository()
    if not root:
        raise UsageError("gate needs a git repository, and this folder is not in one")
    if staged and not name:
        raise UsageError("--staged needs the NAME of a gate; in a hook write args: [NAME]")
    progress = Progress(sys.stderr, console().quiet)

    def notify(message: str) -> None:
        progress.clear()
        print_message(message)

    work = GateWork(
        root=root,
        where=HOOK if staged else TERMINAL,
        environment=dict(os.environ),
        notify=notify,
        base=base or "",
        staged=staged,
        files=tuple(git.paths_in(root, files)),
        progress=progress.tell,
    )
    try:
        gates = named_gates(work, git.paths_in(root, [file])[0] if file else "")
    finally:
        runner.forget()
    if not name:
        if not gates:
            print_message(f"there is no gate; {no_gate()}")
        print_result(report.render_list(gates, format))
        return 0
    gate = gate_named(gates, name)
    if files and not has_files(gate.kind):
        raise UsageError(f"{files[0]}: the gate {name!r} ({gate.kind}) has no files")
    ask = partial(_ask, gate, work, format, console(), progress)
    return ask() if staged else _guarded(ask)


def _guarded(work: Callable[[], int]) -> int:
    """Work in a child process, so that nothing it starts goes on when this process is killed."""
    from ..judge.guard import guarded

    return guarded(partial(exit_code_of, work), HelixError.exit_code)


def _ask(gate: Gate, work: GateWork, format: str, shown: Console, progress: Progress) -> int:
    from ..gates.answer import answer

    try:
        result = answer(gate, work)
    finally:
        progress.clear()
        runner.forget()
    print_result(report.render(result, format, shown.colored, shown.quiet))
    return result.exit_code
