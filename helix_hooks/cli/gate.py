"""`helix-hooks gate`: evaluate a gate of the settings or of a flow."""

import os
import sys
from collections.abc import Mapping
from functools import partial

import click

from .. import git
from ..config.gates import Gate, has_files
from ..console.output import exit_code_of, print_message, print_result
from ..console.progress import JudgeProgress
from ..errors import UsageError
from ..gates.answer import answer
from ..gates.named import gate_named, named_gates, no_gate
from ..gates.work import HOOK, TERMINAL, GateWork
from ..proc.guard import run_guarded
from ..report import gate as report
from .frame import Console, command, complete_file, console, git_root, with_format

EXAMPLE = """examples:
  helix-hooks gate                                  list the gates
  helix-hooks gate complete                         evaluate the gate `complete`
  helix-hooks gate complete docs/adr/0007-kafka.md  evaluate it on other files
  helix-hooks gate complete --base origin/main      use its definition on origin/main
  helix-hooks gate consultant --file phases.yaml    evaluate the gate of a phase
  helix-hooks gate complete --staged                evaluate it on the index, in a hook

exit codes:
  0  approved
  1  rejected
  2  usage or configuration error, or a gate that cannot run in a hook
  3  the gate could not be evaluated; nothing was approved
  4  pending: a person must decide"""


@command(
    "gate",
    example=EXAMPLE,
    arguments={
        "NAME": "gate, or the id of a phase (default: list the gates)",
        "FILE": "files to check instead of the gate's own files",
    },
)
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("files", metavar="[FILE]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--file",
    metavar="FILE",
    shell_complete=complete_file,
    help="phases.yaml with the gate (default: the settings)",
)
@click.option(
    "--base",
    metavar="REV",
    help="read gate, settings and rubric from REV (default: from the checked content)",
)
@click.option("--staged", is_flag=True, help="check the index, as a hook does; runs no judge")
@with_format(*report.FORMATS)
def run(
    *,
    name: str | None,
    files: tuple[str, ...],
    file: str | None,
    base: str | None,
    staged: bool,
    format: str,
) -> int:
    """Print the gates, or evaluate one and return its exit code.

    Raises:
        UsageError: There is no such gate, or the options do not fit it.
    """
    root = git_root("gate")
    if staged and not name:
        raise UsageError(
            "--staged requires the NAME of a gate (in .pre-commit-config.yaml: args: [NAME])"
        )
    progress = JudgeProgress(sys.stderr, quiet=console().quiet)
    work = GateWork(
        root=root,
        where=HOOK if staged else TERMINAL,
        environment=dict(os.environ),
        notify=progress.message,
        base=base or "",
        staged=staged,
        files=tuple(git.paths_in(root, files)),
        progress=progress.tell,
    )
    gates = _gates(work, file)
    if not name:
        return _print_list(gates, format)
    gate = gate_named(gates, name)
    if files and not has_files(gate.kind):
        raise UsageError(f"{files[0]}: the gate {name!r} ({gate.kind}) has no files")
    evaluate = partial(_evaluate, gate, work, format, console(), progress)
    if staged:
        return evaluate()
    return run_guarded(partial(exit_code_of, evaluate))


def _gates(work: GateWork, file: str | None) -> Mapping[str, Gate]:
    """Return the gates of the settings, or of a flow's file, by name."""
    path = ""
    if file:
        path = git.paths_in(work.root, [file])[0]
    return named_gates(work, path)


def _print_list(gates: Mapping[str, Gate], format: str) -> int:
    if not gates:
        print_message(f"no gates are defined; {no_gate()}")
    print_result(report.render_list(gates, format))
    return 0


def _evaluate(
    gate: Gate, work: GateWork, format: str, shown: Console, progress: JudgeProgress
) -> int:
    try:
        result = answer(gate, work)
    finally:
        progress.clear()
    print_result(report.render(result, format, shown.colored, shown.quiet))
    return result.exit_code
