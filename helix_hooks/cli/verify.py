"""`helix-hooks verify`: is what an approved ADR promises there?"""

import os
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import click

from ..console.output import exit_code_of, print_line_of_program, print_message, print_result
from ..errors import HelixError, UsageError
from ..repository import git, history, runner
from ..verify.options import VerifyOptions
from .frame import Console, command, complete_file, console, filled

if TYPE_CHECKING:
    from ..verification.result import VerificationResult
    from ..verify.run import Verification

EXAMPLE = """examples:
  helix-hooks verify                      the ADRs that this branch claims to implement
  helix-hooks verify ADR-014              one ADR, by its id or its file
  helix-hooks verify ADR-014 --base main  the contract and the settings as they are on main
  helix-hooks verify --format json        for programs
  helix-hooks verify --hook claude        as a stop hook of Claude Code (helix-hooks init --agent claude)
  helix-hooks verify ADR-014 --run 'claude -p --permission-mode acceptEdits'
                                          run a command with the task and the feedback on its standard input, until nothing is missing

exit codes:
  0  nothing is missing, or nothing is claimed
  1  something is missing
  2  usage or configuration error
  3  the verification could not be carried out
  4  a person must decide: the ADR was never approved, so there is no contract; or the attempts are used up"""

_WORST_FIRST = (3, 1, 4)
_QUESTION = 4


@command("verify", example=EXAMPLE, arguments={"ADR": "ids or files (default: what is claimed)"})
@click.argument("adrs", metavar="[ADR]...", nargs=-1, shell_complete=complete_file)
@click.option(
    "--base",
    metavar="REV",
    type=filled,
    help="where the contract and the settings come from (default: the main branch)",
)
@click.option(
    "--head", metavar="REV", type=filled, help="the commit to verify (default: the work tree)"
)
@click.option(
    "--no-commands",
    is_flag=True,
    help="leave out the commands of the settings; what they show is unverifiable then",
)
@click.option(
    "--judge",
    is_flag=True,
    help="ask a judge about criteria that nothing else shows; what it can't see is missing then",
)
@click.option(
    "--format",
    type=click.Choice(("text", "json", "sarif", "github")),
    default="text",
    help="how to print the result (default: text)",
)
@click.option(
    "--hook",
    type=click.Choice(("claude", "codex", "gemini", "copilot", "cursor")),
    help="answer the stop hook of an agent, whose payload is on standard input",
)
@click.option(
    "--run",
    "work",
    metavar="COMMAND",
    type=filled,
    help="do the work by this command, no shell: run it again with feedback until nothing is missing",
)
@click.option(
    "--max-retries",
    type=click.IntRange(min=0),
    metavar="N",
    help="with --run: runs after the first one (default: the setting, 2)",
)
@click.option(
    "--timeout",
    type=click.IntRange(min=1),
    metavar="S",
    help="with --run: seconds of one run (default: 3600)",
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
    environment = dict(os.environ)
    options = VerifyOptions(
        adrs=adrs, base=base or "", head=head or "", runs_commands=not no_commands, judge=judge
    )
    if hook:
        if work or head:
            raise UsageError("--hook verifies the work tree once; leave --run and --head out")
        return _answer(hook, options, environment)
    root = git.repository()
    if not root:
        raise UsageError("verify needs a git repository, and this folder is not in one")
    if not work:
        if max_retries is not None or timeout is not None:
            raise UsageError("--max-retries and --timeout go with --run")
        check = partial(_verify, root, options, format, console())
        return _guarded(check) if judge else check()
    if head:
        raise UsageError("--run changes the work tree, so --head can't be used with it")
    do = partial(_work, root, options, (work, max_retries, timeout), environment, format, console())
    return _guarded(do)


def _guarded(work: Callable[[], int]) -> int:
    """Work in a child process, so that nothing it starts goes on when this process is killed."""
    from ..judge.guard import guarded

    return guarded(partial(exit_code_of, work), HelixError.exit_code)


def _answer(agent: str, options: VerifyOptions, environment: Mapping[str, str]) -> int:
    """Answer the hook of an agent. The exit code is that of the agent's protocol."""
    import sys

    from ..agents.stop import MAX_PAYLOAD_BYTES
    from ..verify.hook import answered

    payload = sys.stdin.buffer.read(MAX_PAYLOAD_BYTES + 1) if sys.stdin else b""
    answer = answered(agent, payload, options, environment, int(time.time()))
    print_result(answer.stdout)
    if answer.stderr:
        print_message(answer.stderr)
    return answer.exit_code


def _verify(root: str, options: VerifyOptions, format: str, shown: Console) -> int:
    found = _verification(options, root)
    _print(found.results, format, shown)
    code = _exit_code(found.results)
    is_asked = not options.head and _is_asked(found, root)
    return _QUESTION if is_asked and code != HelixError.exit_code else code


def _verification(options: VerifyOptions, root: str) -> "Verification":
    """Verify, while git begins with what is asked first."""
    if not options.head:
        refs = [] if options.base else [git.BRANCH, git.MAIN_COMMITS]
        runner.prefetch(root, history.resolve("HEAD"), *refs, git.KNOWN)
    try:
        from ..verify.run import verify

        return verify(options, root)
    finally:
        runner.forget()


def _print(results: "Iterable[VerificationResult]", format: str, shown: Console) -> None:
    from ..report import verification as report

    print_result(report.render(tuple(results), format, shown.colored, shown.quiet))


def _exit_code(results: "Iterable[VerificationResult]") -> int:
    from ..verification.result import EXIT_CODES

    codes = {EXIT_CODES[result.state] for result in results}
    return next((code for code in _WORST_FIRST if code in codes), 0)


def _is_asked(found: "Verification", root: str) -> bool:
    """Return whether a person is asked about one of the results, and say so."""
    from ..text.plural import counted
    from ..verification.naming import short_name
    from ..verify import store

    try:
        questions = store.fulfil(store.opened(root, found.settings.feedback), found.results)
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
    """Leave the output of the command to its log."""


def _work(
    root: str,
    options: VerifyOptions,
    work: tuple[str, int | None, int | None],
    environment: Mapping[str, str],
    format: str,
    shown: Console,
) -> int:
    from ..judge import orphans
    from ..verify import store
    from ..verify.loop import SECONDS, LoopEdges, LoopOptions, PhaseVerificationFailed, loop

    orphans.adopt()
    before = _verification(options, root)
    command, max_retries, seconds = work
    same = options._replace(adrs=tuple(result.path or result.adr_id for result in before.results))
    edges = LoopEdges(
        root=root,
        place=store.opened(root, before.settings.feedback),
        environment=environment,
        verify=lambda: _verification(same, root).results,
        tell=print_message,
        show=_show_nothing if shown.quiet else print_line_of_program,
        now=time.time,
    )
    settings = LoopOptions(
        command=command,
        max_retries=before.settings.max_retries if max_retries is None else max_retries,
        seconds=seconds or SECONDS,
        escalate=before.settings.escalate,
    )
    try:
        results = loop(settings, edges, before.results)
    except PhaseVerificationFailed as error:
        _print(error.results, format, shown)
        raise
    _print(results, format, shown)
    return _exit_code(results)
