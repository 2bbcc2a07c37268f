"""`helix-hooks approve`: Layers 1 to 3, then the judge, then the decision."""

import sys
from typing import Any

import click

from .. import git
from ..config import is_model
from ..console import JudgeProgress
from ..judge import result_file, result_text
from ..judge.approve import approve
from ..judge.options import ApproveOptions, Observer, Range, RunOptions
from . import shared

EXAMPLE = """examples:
  helix-hooks approve docs/adr/0007-use-kafka.md    review one ADR of the work tree
  helix-hooks approve --base origin/main            review the changes of this branch
  helix-hooks approve --type security src/login.py  review with another approval type
  helix-hooks approve --type plan --check response plan.md
  helix-hooks approve --base main --format json --result verdict.json"""


def _model(text: str) -> str:
    if not is_model(text):
        raise click.BadParameter(f"invalid model id {text!r} (expected e.g. claude-sonnet-5-5)")
    return text


@shared.command(
    "approve",
    example=EXAMPLE,
    exits={
        0: "approved",
        1: "findings at or above --fail-on (no judge ran), rejected or needs_revision",
        3: "the judge returned no verdict",
        4: "pending: a person must decide",
    },
)
@shared.paths("[PATH]...", "files to review (default: the changed files)")
@shared.types
@shared.text(
    "--check",
    "BRIEF",
    "run only this brief; requires exactly one --type (default: all its briefs)",
    to="checks",
    multiple=True,
)
@shared.text("--base", "REV", "base revision; rubric, briefs and judge settings are read from it")
@shared.text("--head", "REV", "commit to review (default: the work tree)")
@shared.agent
@shared.text("--model", "ID", "full id of the judge's model", type=_model)
@shared.text("--timeout", "S", "maximum seconds of an attempt", type=click.IntRange(min=1))
@shared.budget
@shared.fail_on("run no judge at findings of Layers 1-3")
@shared.formats()
@shared.text("--result", "FILE", "write the result as JSON to FILE (a list if several types ran)")
@shared.flag("--no-cache", "ask the judge again, even if it has answered the same question before")
@shared.flag(
    "--keep-workspace", "keep the judge's folder, and print its path", to="keeps_workspace"
)
def run(*, no_cache: bool, format: str, result: str, **values: Any) -> int:
    """Review in a child process, so that the judges end when this process is killed."""
    options = shared.of_fields(ApproveOptions, values)._replace(
        range=shared.of_fields(Range, values),
        run=shared.of_fields(RunOptions, values),
        uses_cache=not no_cache,
    )
    return shared.guarded(_approve, options, format, result)


def _approve(options: ApproveOptions, format: str, file: str) -> int:
    root = git.root_for("approve")
    if file:
        # A result of an earlier run must not be read if this run fails.
        result_file.forget(file, root)
    shown = shared.console()
    progress = JudgeProgress(sys.stderr, quiet=shown.quiet)
    try:
        result = approve(options, root, Observer(progress.message, progress.tell))
    finally:
        progress.clear()
    text = result_text.as_text(result, shown.colored, shown.quiet)
    shared.print_as(format, result_text.payload(result), text)
    if file:
        result_file.write(file, result)
    return result.decision.exit_code
