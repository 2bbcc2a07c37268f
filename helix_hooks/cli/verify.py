"""`helix-hooks verify` and `feedback`: whether the work delivers what an approved ADR promises."""

import os
import sys
import time
from collections.abc import Iterable
from typing import Any

import click

from .. import git
from ..agents.stop import MAX_PAYLOAD_BYTES
from ..console import print_line_of_program, print_message, print_result
from ..errors import HelixError, UsageError
from ..proc import orphans
from ..text import counted, dumped
from ..verification.naming import short_name
from ..verification.result import EXIT_CODES, UNPROVEN, VerificationResult
from ..verify import result_text, store
from ..verify.hook import answered
from ..verify.loop import SECONDS, LoopEdges, LoopOptions, PhaseVerificationFailed, loop
from ..verify.options import VerifyOptions
from ..verify.run import Verification, verify
from . import shared

EXAMPLE = """examples:
  helix-hooks verify                      verify the ADRs that this branch claims to implement
  helix-hooks verify ADR-014              verify one ADR, by its id or file
  helix-hooks verify ADR-014 --base main  read the approved ADR and the settings from main
  helix-hooks verify --hook claude        run as the stop hook of Claude Code
  helix-hooks verify ADR-014 --run 'claude -p --permission-mode acceptEdits'
                                          run a command until nothing is missing

With --run, the command gets the task and the feedback on standard input."""

_QUESTION = 4


@shared.command(
    "verify",
    example=EXAMPLE,
    exits={
        0: "all is shown or judged, or no ADR is claimed",
        1: "something is missing",
        4: "a person must look: not all is shown or judged, the ADR was never approved, or no "
        "attempts are left",
    },
)
@shared.paths("[ADR]...", "ids or files (default: the declared ADRs)", to="adrs")
@shared.text("--base", "REV", "read approved ADRs and settings from REV (default: the main branch)")
@shared.text("--head", "REV", "commit to verify (default: the work tree)")
@shared.flag("--no-commands", "skip the configured commands; criteria that need them are unchecked")
@shared.flag("--judge", "let a judge check the criteria that are present or unchecked")
@shared.text(
    "--confirm",
    "CRITERION",
    "say that this criterion is fulfilled, after a look: its text or a part of it",
)
@shared.text("--reason", "TEXT", "with --confirm: what you have seen")
@shared.choice("--fail-on", ("missing",), "exit with 0 if only a person must look")
@shared.formats(*result_text.FORMATS)
@shared.choice(
    "--hook",
    ("claude", "codex", "gemini", "copilot", "cursor"),
    "answer the stop hook of an agent; standard input has its payload",
)
@shared.text(
    "--run",
    "COMMAND",
    "run this command, without a shell, with feedback until nothing is missing",
    to="work",
)
@shared.text(
    "--max-retries",
    "N",
    "with --run: maximum runs after the first one (default: from the settings, or 2)",
    type=click.IntRange(min=0),
)
@shared.text(
    "--timeout",
    "S",
    "with --run: maximum seconds of one run (default: 3600)",
    type=click.IntRange(min=1),
)
def run(
    *,
    no_commands: bool,
    format: str,
    hook: str | None,
    work: str | None,
    max_retries: int | None,
    timeout: int | None,
    confirm: str,
    reason: str,
    fail_on: str | None,
    **values: Any,
) -> int:
    """Verify once, verify for the hook of an agent, or repeat a command until nothing is missing.

    Raises:
        UsageError: Two options can't be used together, or there is no git repository.
    """
    if bool(confirm) != bool(reason):
        raise UsageError("--confirm and --reason belong together")
    options = shared.of_fields(VerifyOptions, values)._replace(runs_commands=not no_commands)
    if hook:
        if work or options.head:
            raise UsageError("--hook cannot be used with --run or --head")
        return _answer(hook, options)
    root = git.root_for("verify")
    if work:
        if options.head:
            raise UsageError("--run cannot be used with --head: it changes the work tree")
        return shared.guarded(_work, root, options, work, max_retries, timeout, format)
    if max_retries is not None or timeout is not None:
        raise UsageError("--max-retries and --timeout require --run")
    if confirm:
        return _confirm(root, options, confirm, reason, format)
    if options.judge:
        return shared.guarded(_verify, root, options, format, fail_on)
    return _verify(root, options, format, fail_on)


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


def _confirm(root: str, options: VerifyOptions, criterion: str, reason: str, format: str) -> int:
    """Store what a person at this terminal says about a criterion, and print the result with it.

    Raises:
        UsageError: Not one ADR is verified, the criterion is unknown, or no person answers.
    """
    # The modules that identify people take longer to load than a verification.
    from ..queue.viewer import own_name
    from ..verify import confirmed
    from .person import confirm, refuse_inside

    refuse_inside(os.environ, "`helix-hooks verify --confirm`")
    if options.head or options.judge:
        raise UsageError("--confirm cannot be used with --head or --judge")
    verification = verify(options, root)
    if len(verification.results) != 1:
        raise UsageError("--confirm needs one ADR; name it")
    (result,) = verification.results
    item = confirmed.expectation(result, criterion)
    confirm("confirm", item.subject, result.adr_id)
    place = store.opened(root, verification.settings.feedback)
    confirmed.add(place, result, item, own_name(root), reason, int(time.time()))
    # It is an answer, so the counters of this ADR start again.
    store.clear(place, {result.path}, is_person=True)
    return _print(confirmed.with_confirmations(verification.results, place), format)


def _verify(root: str, options: VerifyOptions, format: str, fail_on: str | None) -> int:
    verification = verify(options, root)
    code = _print(verification.results, format, fail_on)
    # Only the work tree has feedback of earlier attempts, a commit has none.
    is_asked = not options.head and _print_questions(verification, root)
    if is_asked and code != HelixError.exit_code:
        return _QUESTION
    return code


def _print(results: Iterable[VerificationResult], format: str, fail_on: str | None = None) -> int:
    """Print results, and return the worst exit code.

    With a `fail_on`, it is no failure that a person must look.
    """
    results, shown = tuple(results), shared.console()
    print_result(result_text.render(results, format, shown.colored, shown.quiet))
    states = {result.state for result in results}
    if fail_on:
        states.discard(UNPROVEN)
    return shared.worst(EXIT_CODES[state] for state in states)


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


def _work(
    root: str,
    options: VerifyOptions,
    command: str,
    max_retries: int | None,
    timeout: int | None,
    format: str,
) -> int:
    """Run a command with feedback until nothing is missing, and return the exit code."""
    # Processes that the command leaves behind must end with this one.
    orphans.adopt()
    before = verify(options, root)
    # The command may change what the branch claims; the ADRs stay the same.
    same = options._replace(adrs=tuple(result.path or result.adr_id for result in before.results))
    if max_retries is None:
        max_retries = before.settings.max_retries
    edges = LoopEdges(
        root=root,
        place=store.opened(root, before.settings.feedback),
        environment=dict(os.environ),
        verify=lambda: verify(same, root).results,
        tell=print_message,
        # With --quiet, only the log of the command has its output.
        show=(lambda _line: None) if shared.console().quiet else print_line_of_program,
        now=time.time,
    )
    settings = LoopOptions(
        command=command,
        max_retries=max_retries,
        seconds=timeout or SECONDS,
        escalate=before.settings.escalate,
    )
    try:
        results = loop(settings, edges, before.results)
    except PhaseVerificationFailed as error:
        _print(error.results, format)
        raise
    return _print(results, format)


@shared.command(
    "feedback",
    example="""examples:
  helix-hooks feedback                  show what the last verification found missing
  helix-hooks feedback --clear          remove feedback and questions after a person has decided

The feedback is in helix-hooks/verify/feedback.md in the git directory of the work tree. It is
removed when `verify` finds nothing missing.""",
    exits={
        0: "nothing is pending",
        1: "feedback is pending",
        4: "an agent gave up, and a person must decide",
    },
)
@shared.flag("--clear", "remove feedback and questions; at a terminal, this gives new attempts")
@shared.formats()
def feedback(*, clear: bool, format: str) -> int:
    """Print or clear the feedback; return whether some is pending as an exit code."""
    place = store.opened(git.root_for("feedback"))
    if clear:
        from .person import refuse_inside  # it takes longer to load than a verification

        refuse_inside(os.environ, "`helix-hooks feedback --clear`")
        # An agent has no terminal.
        records = store.clear(place, is_person=shared.can_ask())
    else:
        records = store.read(place)
    pending = [item for item in records if item.feedback]
    if format == "json":
        print_result(dumped(result_text.feedback_payload(records)))
    elif not clear:
        print_result(result_text.feedback_text(records))
    elif not shared.console().quiet:
        print_result(f"cleared the feedback on {counted(len(pending), 'ADR')}\n")
    if clear or not pending:
        return 0
    return _QUESTION if any(item.is_question for item in pending) else 1
