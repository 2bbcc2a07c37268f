"""`helix-hooks approve`: Layers 1 to 3, then the judge, then the decision."""

import sys
from functools import partial
from typing import NamedTuple

import click

from ..change.range import Range
from ..config.setting_types import is_model
from ..console.output import exit_code_of, print_result
from ..console.progress import JudgeProgress
from ..finding import FAIL_ON
from ..judge import result_file
from ..judge.approve import approve
from ..judge.options import ApproveOptions, Observer, RunOptions
from ..proc.guard import run_guarded
from ..report import verdict as report
from ..report.json import dumped
from .frame import Console, command, complete_file, console, git_root, with_format

EXAMPLE = """examples:
  helix-hooks approve docs/adr/0007-use-kafka.md    review one ADR of the work tree
  helix-hooks approve --base origin/main            review the changes of this branch
  helix-hooks approve --type security src/login.py  review with another approval type
  helix-hooks approve --type plan --check response plan.md
  helix-hooks approve --base main --format json --result verdict.json

exit codes:
  0  approved
  1  findings at or above --fail-on (no judge ran), rejected or needs_revision
  2  usage or configuration error
  3  the judge returned no verdict
  4  pending: a person must decide"""


def _model(text: str) -> str:
    if not is_model(text):
        raise click.BadParameter(f"invalid model id {text!r} (expected e.g. claude-sonnet-5-5)")
    return text


def _seconds(text: str) -> int:
    # isdigit() is true for the digits of any script.
    if not (text.isascii() and text.isdigit() and int(text)):
        raise click.BadParameter(f"invalid number of seconds {text!r} (expected e.g. 300)")
    return int(text)


def _dollars(text: str) -> float:
    try:
        amount = float(text)
    except ValueError:
        amount = -1
    # Python reads "inf" and "nan" as numbers.
    if not 0 <= amount < float("inf"):
        raise click.BadParameter(f"invalid amount of US dollars {text!r} (expected e.g. 0.50)")
    return amount


class ApproveOutput(NamedTuple):
    """The format of the result, and the file to which it is written."""

    format: str
    file: str | None
    console: Console


@command(
    "approve", example=EXAMPLE, arguments={"PATH": "files to review (default: the changed files)"}
)
@click.argument("paths", metavar="[PATH]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--type",
    multiple=True,
    metavar="T",
    help="review with this approval type; repeatable (default: the enabled types)",
)
@click.option(
    "--check",
    multiple=True,
    metavar="BRIEF",
    help="run only this brief; requires exactly one --type; repeatable (default: all its briefs)",
)
@click.option(
    "--base",
    metavar="REV",
    help="base revision; rubric, briefs and judge settings are read from it",
)
@click.option("--head", metavar="REV", help="commit to review (default: the work tree)")
@click.option("--agent", metavar="NAME", help="judge: claude, or an agent from the settings")
@click.option("--model", metavar="ID", type=_model, help="full id of the judge's model")
@click.option("--timeout", metavar="S", type=_seconds, help="maximum seconds of an attempt")
@click.option(
    "--max-cost-usd",
    metavar="X",
    type=_dollars,
    help="budget of each approval type, for all attempts",
)
@click.option(
    "--fail-on",
    type=click.Choice(FAIL_ON),
    default="error",
    help="run no judge at findings of Layers 1-3 of this severity or worse (default: error)",
)
@with_format()
@click.option(
    "--result",
    metavar="FILE",
    help="write the result as JSON to FILE (a list if several types ran)",
)
@click.option(
    "--no-cache",
    is_flag=True,
    help="ask the judge again, even if it has answered the same question before",
)
@click.option("--keep-workspace", is_flag=True, help="keep the judge's folder, and print its path")
def run(
    *,
    paths: tuple[str, ...],
    type: tuple[str, ...],
    check: tuple[str, ...],
    base: str | None,
    head: str | None,
    agent: str | None,
    model: str | None,
    timeout: int | None,
    max_cost_usd: float | None,
    fail_on: str,
    format: str,
    result: str | None,
    no_cache: bool,
    keep_workspace: bool,
) -> int:
    """Review in a child process, so that the judges end when this process is killed."""
    options = ApproveOptions(
        range=Range(base or "", head or ""),
        paths=paths,
        types=type,
        checks=check,
        run=RunOptions(agent=agent, model=model, timeout=timeout, max_cost_usd=max_cost_usd),
        fail_on=fail_on,
        uses_cache=not no_cache,
        keeps_workspace=keep_workspace,
    )
    return run_guarded(
        partial(exit_code_of, _approve, options, ApproveOutput(format, result, console()))
    )


def _approve(options: ApproveOptions, output: ApproveOutput) -> int:
    root = git_root("approve")
    if output.file:
        # A result of an earlier run must not be read if this run fails.
        result_file.forget(output.file, root)
    progress = JudgeProgress(sys.stderr, quiet=output.console.quiet)
    try:
        result = approve(options, root, Observer(progress.message, progress.tell))
    finally:
        progress.clear()
    if output.format == "json":
        print_result(dumped(report.payload(result)))
    else:
        print_result(report.render(result, output.console.colored, output.console.quiet))
    if output.file:
        result_file.write(output.file, result)
    return result.decision.exit_code
