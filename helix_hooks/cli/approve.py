"""`helix-hooks approve`: Layers 1 to 3, then the judge, then the decision."""

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from functools import partial
from typing import TYPE_CHECKING

from ..console.output import colored, complain, exit_code_of, write
from ..console.progress import Progress
from ..errors import HelixError, UsageError
from ..judge.guard import guarded
from ..repository import git, history

if TYPE_CHECKING:
    from ..judge.options import ApproveOptions

EXAMPLE = """examples:
  helix-hooks approve docs/adr/0007-use-kafka.md    judge one ADR as it lies in the work tree
  helix-hooks approve --base origin/main            what this branch changes, by the rubric of origin/main
  helix-hooks approve --type security src/login.py  by another approval type
  helix-hooks approve --base main --format json --result verdict.json

exit codes:
  0  approved
  1  findings at or above --fail-on (nothing was spent), rejected or needs_revision
  2  usage or configuration error
  3  the judge could not be run to an answer
  4  pending: a person must decide"""


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files to review (default: what was changed)")
    parser.add_argument("--type", action="append", default=[], metavar="T", help="approval type; may be repeated (default: the enabled ones)")
    parser.add_argument(
        "--base", metavar="REV", type=_named, help="where the change goes: rubric, briefs and settings of the judge are taken from there"
    )
    parser.add_argument("--head", metavar="REV", type=_named, help="the commit to review (default: the work tree)")
    parser.add_argument("--agent", metavar="NAME", type=_named, help="who judges: claude, or one of the settings")
    parser.add_argument("--model", metavar="ID", type=_model, help="the model's full id")
    parser.add_argument("--timeout", metavar="S", type=_seconds, help="seconds of one try")
    parser.add_argument("--max-cost-usd", metavar="X", type=_dollars, help="budget of one approval type, all tries together")
    parser.add_argument("--fail-on", choices=("error", "warning", "never"), default="error", help="the mildest finding of Layers 1-3 that stops it")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print the outcome (default: text)")
    parser.add_argument("--result", metavar="FILE", type=_named, help="write the approval-result there; a list of them where several types ran")
    parser.add_argument("--no-cache", action="store_true", help="ask the judge also where it has answered the same question before")
    parser.add_argument("--keep-workspace", action="store_true", help="leave the judge's folder, and say where it is")


def _named(text: str) -> str:
    """An empty name is a variable that nobody has set; taken for none, it would turn the gate off."""
    if not text.strip():
        raise ArgumentTypeError("it is empty; is a variable not set?")
    return text


def _model(text: str) -> str:
    from ..config.approvals import is_model

    if not is_model(text):
        raise ArgumentTypeError(f"{text!r} is no model id")
    return text


def _seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise ArgumentTypeError(f"{text!r} is no number of seconds, as in 300")
    return int(text)


def _dollars(text: str) -> float:
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not 0 <= found < float("inf"):
        raise ArgumentTypeError(f"{text!r} is no amount of US dollars, as in 0.50")
    return found


def run(options: Namespace) -> int:
    """Review in a child process, so that no judge goes on when this process is killed."""
    return guarded(partial(exit_code_of, partial(_run, options)), HelixError.exit_code)


def _run(options: Namespace) -> int:
    root = git.repository()
    if not root:
        raise UsageError("approve needs a git repository, and this folder is not in one")
    try:
        _prefetch(root, options.base, options.head)
        return _approve(root, options)
    finally:
        git.forget()


def _prefetch(root: str, base: str | None, head: str | None) -> None:
    """Let git begin with what a review asks first, while its modules are imported."""
    wanted = [] if head else [git.STATUS, git.HEAD, git.KNOWN]
    of_base = [history.resolve(base), history.named(base)] if base else []
    git.begin(root, git.COMMON, *wanted, *of_base)


def _approve(root: str, options: Namespace) -> int:
    from ..judge import result_file
    from ..judge.approve import approve
    from ..judge.options import Observer
    from ..report import verdict as report

    if options.result:
        result_file.forget(options.result, root)
    progress = Progress(sys.stderr, options.quiet)

    def notify(message: str) -> None:
        progress.clear()
        complain(message)

    try:
        result = approve(_options(options), root, Observer(notify, progress.tell))
    finally:
        progress.clear()
    if options.format == "json":
        write(report.rendered(report.payload(result)))
    else:
        write(report.render(result, colored(options.color), options.quiet))
    if options.result:
        result_file.write(options.result, result)
    return result.decision.exit_code


def _options(parsed: Namespace) -> "ApproveOptions":
    from ..change.change import Range
    from ..judge.options import ApproveOptions, RunOptions

    run = RunOptions(
        agent=parsed.agent,
        model=parsed.model,
        timeout=parsed.timeout,
        max_cost_usd=parsed.max_cost_usd,
    )
    return ApproveOptions(
        range=Range(parsed.base or "", parsed.head or ""),
        paths=tuple(parsed.paths),
        types=tuple(parsed.type),
        run=run,
        fail_on=parsed.fail_on,
        uses_cache=not parsed.no_cache,
        keeps_workspace=parsed.keep_workspace,
    )
