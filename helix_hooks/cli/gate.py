"""`helix-hooks gate`: evaluate a gate of the settings or of a flow."""

import os
import sys

from .. import git
from ..config.gates import Gate, has_files
from ..console import JudgeProgress, print_message, print_result
from ..errors import UsageError
from ..gates.answer import answer
from ..gates.named import gate_named, named_gates, no_gate
from ..gates.work import HOOK, TERMINAL, GateWork
from ..phases import gate_result
from . import shared

EXAMPLE = """examples:
  helix-hooks gate                                  list the gates
  helix-hooks gate complete                         evaluate the gate `complete`
  helix-hooks gate complete docs/adr/0007-kafka.md  evaluate it on other files
  helix-hooks gate complete --base origin/main      use its definition on origin/main
  helix-hooks gate consultant --file phases.yaml    evaluate the gate of a phase
  helix-hooks gate complete --staged                evaluate it on the index, in a hook"""


@shared.command(
    "gate",
    example=EXAMPLE,
    exits={0: "approved", 1: "rejected", 4: "pending: a person must decide"},
)
@shared.argument("name", "[NAME]", "gate, or the id of a phase (default: list the gates)")
@shared.paths("[FILE]...", "files to check instead of the gate's own files", to="files")
@shared.file("--file", "phases.yaml with the gate (default: the settings)")
@shared.text(
    "--base", "REV", "read gate, settings and rubric from REV (default: from the checked content)"
)
@shared.flag("--staged", "check the index, as a hook does; runs no judge")
@shared.formats()
def run(
    *, name: str, files: tuple[str, ...], file: str, base: str, staged: bool, format: str
) -> int:
    """Print the gates, or evaluate one and return its exit code.

    Raises:
        UsageError: There is no such gate, or the options do not fit it.
    """
    root = git.root_for("gate")
    if staged and not name:
        raise UsageError(
            "--staged requires the NAME of a gate (in .pre-commit-config.yaml: args: [NAME])"
        )
    progress = JudgeProgress(sys.stderr, quiet=shared.console().quiet)
    work = GateWork(
        root=root,
        where=HOOK if staged else TERMINAL,
        environment=dict(os.environ),
        notify=progress.message,
        base=base,
        staged=staged,
        files=tuple(git.paths_in(root, files)),
        progress=progress.tell,
    )
    # The gates of the settings, or of a flow's file.
    gates = named_gates(work, git.paths_in(root, [file])[0] if file else "")
    if not name:
        if not gates:
            print_message(f"no gates are defined; {no_gate()}")
        as_json = format == "json"
        print_result(gate_result.list_json(gates) if as_json else gate_result.list_text(gates))
        return 0
    gate = gate_named(gates, name)
    if files and not has_files(gate.kind):
        raise UsageError(f"{files[0]}: the gate {name!r} ({gate.kind}) has no files")
    if staged:
        return _evaluate(gate, work, format, progress)
    return shared.guarded(_evaluate, gate, work, format, progress)


def _evaluate(gate: Gate, work: GateWork, format: str, progress: JudgeProgress) -> int:
    try:
        result = answer(gate, work)
    finally:
        progress.clear()
    shown = shared.console()
    is_told = not (shown.quiet and result.passed)
    text = gate_result.as_text(result, shown.colored) if is_told else ""
    shared.print_as(format, gate_result.payload(result), text)
    return result.exit_code
