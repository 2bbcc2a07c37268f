"""`helix-hooks verify`: check that the work delivers what an approved ADR promises."""

import os
import sys
import time
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import click

from ..agents.stop import MAX_PAYLOAD_BYTES
from ..console.output import exit_code_of, print_line_of_program, print_message, print_result
from ..errors import HelixError, UsageError
from ..proc import orphans
from ..proc.guard import run_guarded
from ..report import verification as report
from ..text.plural import counted
from ..verification.naming import short_name
from ..verification.result import EXIT_CODES, VerificationResult
from ..verify import store
from ..verify.hook import answered
from ..verify.loop import SECONDS, LoopEdges, LoopOptions, PhaseVerificationFailed, loop
from ..verify.options import VerifyOptions
from ..verify.run import Verification, verify
from .frame import Console, command, complete_file, console, git_root, with_format

EXAMPLE = """examples:
  helix-hooks verify                      verify the ADRs that this branch claims to implement
  helix-hooks verify ADR-014              verify one ADR, by its id or file
  helix-hooks verify ADR-014 --base main  read the approved ADR and the settings from main
  helix-hooks verify --format json        print JSON
  helix-hooks verify --hook claude        run as the stop hook of Claude Code
  helix-hooks verify ADR-014 --run 'claude -p --permission-mode acceptEdits'
                                          run a command until nothing is missing

With --run, the command gets the task and the feedback on standard input.

exit codes:
  0  nothing is missing, or no ADR is claimed
  1  something is missing
  2  usage or configuration error
  3  the verification failed
  4  a person must decide: the ADR was never approved, or no attempts are left"""

# Check for failure first: a failed verification may hide a missing item.
_WORST_FIRST = (3, 1, 4)
_QUESTION = 4


@command("verify", example=EXAMPLE, arguments={"ADR": "ids or files (default: the declared ADRs)"})
@click.argument("adrs", metavar="[ADR]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--base",
    metavar="REV",
    help="read approved ADRs and settings from REV (default: the main branch)",
)
@click.option("--head", metavar="REV", help="commit to verify (default: the work tree)")
@click.option(
    "--no-commands",
    is_flag=True,
    help="skip the configured commands; criteria that need them become unverifiable",
)
@click.option(
    "--judge",
    is_flag=True,
    help="let a judge check the other criteria; criteria it cannot confirm count as missing",
)
@with_format("text", "json", "sarif", "github")
@click.option(
    "--hook",
    type=click.Choice(("claude", "codex", "gemini", "copilot", "cursor")),
    help="answer the stop hook of an agent; standard input has its payload",
)
@click.option(
    "--run",
    "work",
    metavar="COMMAND",
    help="run this command, without a shell, with feedback until nothing is missing",
)
@click.option(
    "--max-retries",
    type=click.IntRange(min=0),
    metavar="N",
    help="with --run: maximum runs after the first one (default: from the settings, or 2)",
)
@click.option(
    "--timeout",
    type=click.IntRange(min=1),
    metavar="S",
    help="with --run: maximum seconds of one run (default: 3600)",
)
def run(
    *,
    adrs: tuple[str, ...],
    base: str | None,
    head: str | None,
    no_commands: bool,
    judge: bool,
    format: str,
    hook: str | None,
    work: str | None,
    max_retries: int | None,
    timeout: int | None,
) -> int:
    """Verify once, verify for the hook of an agent, or repeat a command until nothing is missing.

    Raises:
        UsageError: Two options can't be used together, or there is no git repository.
    """
    options = VerifyOptions(
        adrs=adrs, base=base or "", head=head or "", runs_commands=not no_commands, judge=judge
    )
    if hook:
        _refuse_with_hook(work, head)
        return _answer(hook, options)
    root = git_root("verify")
    limits = _Limits(max_retries, timeout)
    if work:
        if head:
            raise UsageError("--run cannot be used with --head: it changes the work tree")
        return run_guarded(
            partial(exit_code_of, _work, root, options, work, limits, format, console())
        )
    if limits != (None, None):
        raise UsageError("--max-retries and --timeout require --run")
    check = partial(_verify, root, options, format, console())
    if judge:
        return run_guarded(partial(exit_code_of, check))
    return check()


def _refuse_with_hook(work: str | None, head: str | None) -> None:
    if work or head:
        raise UsageError("--hook cannot be used with --run or --head")


class _Limits(NamedTuple):
    """The limits of --run: retries, and seconds of one run; None for the defaults."""

    max_retries: int | None
    timeout: int | None


def _answer(agent: str, options: VerifyOptions) -> int:
    """Answer the hook of an agent. The protocol of the agent defines the exit code."""
    payload = b""
    if sys.stdin:
        payload = sys.stdin.buffer.read(MAX_PAYLOAD_BYTES + 1)
    answer = answered(agent, payload, options, dict(os.environ), int(time.time()))
    print_result(answer.stdout)
    if answer.stderr:
        print_message(answer.stderr)
    return answer.exit_code


def _verify(root: str, options: VerifyOptions, format: str, shown: Console) -> int:
    verification = verify(options, root)
    _print(verification.results, format, shown)
    code = _exit_code(verification.results)
    # Only the work tree has feedback of earlier attempts, a commit has none.
    is_asked = not options.head and _print_questions(verification, root)
    if is_asked and code != HelixError.exit_code:
        return _QUESTION
    return code


def _print(results: Iterable[VerificationResult], format: str, shown: Console) -> None:
    print_result(report.render(tuple(results), format, shown.colored, shown.quiet))


def _exit_code(results: Iterable[VerificationResult]) -> int:
    codes = {EXIT_CODES[result.state] for result in results}
    return next((code for code in _WORST_FIRST if code in codes), 0)


def _print_questions(verification: Verification, root: str) -> bool:
    """Print the questions for a person about the results; return whether there are any."""
    try:
        place = store.opened(root, verification.settings.feedback)
        questions = store.fulfil(place, verification.results)
    except HelixError as error:
        print_message(f"the feedback of earlier attempts: {error}")
        return False
    for item in questions:
        name = short_name(item.adr_id, item.attempts.key.adr)
        tries = counted(item.attempts.number, "attempt")
        print_message(
            f"{name}: an agent gave up after {tries}; a person must decide (helix-hooks feedback)"
        )
    return bool(questions)


def _show_nothing(_line: str) -> None:
    """Print nothing: the log of the command has its output."""


def _work(
    root: str,
    options: VerifyOptions,
    command: str,
    limits: _Limits,
    format: str,
    shown: Console,
) -> int:
    """Run a command with feedback until nothing is missing, and return the exit code."""
    # Processes that the command leaves behind must end with this one.
    orphans.adopt()
    before = verify(options, root)
    # The command may change what the branch claims; the ADRs stay the same.
    same = options._replace(adrs=tuple(result.path or result.adr_id for result in before.results))
    max_retries = limits.max_retries
    if max_retries is None:
        max_retries = before.settings.max_retries
    edges = LoopEdges(
        root=root,
        place=store.opened(root, before.settings.feedback),
        environment=dict(os.environ),
        verify=lambda: verify(same, root).results,
        tell=print_message,
        show=_show_nothing if shown.quiet else print_line_of_program,
        now=time.time,
    )
    settings = LoopOptions(
        command=command,
        max_retries=max_retries,
        seconds=limits.timeout or SECONDS,
        escalate=before.settings.escalate,
    )
    try:
        results = loop(settings, edges, before.results)
    except PhaseVerificationFailed as error:
        _print(error.results, format, shown)
        raise
    _print(results, format, shown)
    return _exit_code(results)
