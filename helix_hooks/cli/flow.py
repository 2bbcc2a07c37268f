"""`helix-hooks flow`: show, approve, reject, retry, resume and cancel runs of flows."""

from collections.abc import Callable

import click

from ..errors import UsageError
from ..phases.run_state import APPROVE, REJECT, RETRY
from ..report.flow import FORMATS
from .frame import group, text_or_file

_EXAMPLE = """examples:
  helix-hooks flow list                     all runs, newest first
  helix-hooks flow status                   the newest run: whose turn it is, its phases, how it goes on
  helix-hooks flow approve RUN --phase ID   answer a question of a paused run

exit codes:
  0  done; of a run that goes on here: every phase was approved
  1  the run was rejected or cancelled
  2  usage or configuration error: there is no such run, nothing is asked, or you may not decide
  3  the run could not go on to its end, or GitHub could not be asked
  4  a person must decide"""
_RUN = {"RUN": "id of a run, or its beginning"}

run = group("flow", example=_EXAMPLE)


def _with_run(function: Callable[..., int]) -> Callable[..., int]:
    return click.argument("name", metavar="[RUN]", default="")(function)


_of_phase = click.option(
    "--phase",
    metavar="ID",
    default="",
    help="the phase (default: the only one that waits, or was rejected)",
)
_detach = click.option(
    "--detach", is_flag=True, help="go on in the background; `helix-hooks flow status` shows it"
)


@run.subcommand(
    "status",
    "show a run: whose turn it is, its phases, and how it goes on",
    arguments=_RUN,
    example="""examples:
  helix-hooks flow status                    the newest run
  helix-hooks flow status --format mermaid   its phases as a graph, for a comment on GitHub""",
)
@_with_run
@click.option(
    "--format", type=click.Choice(FORMATS), default="text", help="how to print it (default: text)"
)
def status(*, name: str, format: str) -> int:
    from .flow_runs import show

    return show(name, format)


@run.subcommand(
    "list",
    "list all runs, newest first",
    example="""examples:
  helix-hooks flow list
  helix-hooks flow list --format json   for programs""",
)
@click.option(
    "--format",
    type=click.Choice(("text", "json")),
    default="text",
    help="how to print them (default: text)",
)
def list_runs(*, format: str) -> int:
    from .flow_runs import list_all

    return list_all(format)


@run.subcommand(
    "approve",
    "approve what a paused phase asks about",
    arguments=_RUN,
    example="""examples:
  helix-hooks flow approve critical-8f3a --phase code-approval
  helix-hooks flow approve critical-8f3a --phase code-approval --override --reason "accepted until June"

Who approves is the user of GITHUB_TOKEN, GH_TOKEN or `gh auth token`, whom the policy of the main branch must name; never the one who asked.
Without GitHub it is a person at a terminal, who types the name of the phase; that is recorded as not verified.""",
)
@_with_run
@_of_phase
@click.option("--override", is_flag=True, help="approve what the gate has rejected")
@click.option("--reason", metavar="TEXT", default="", help="with --override: why")
@_detach
def approve(*, name: str, phase: str, override: bool, reason: str, detach: bool) -> int:
    """Approve a phase.

    Raises:
        UsageError: --override and --reason are not used together, or nothing can be approved.
    """
    if override and not reason.strip():
        raise UsageError("--override needs --reason TEXT, which is recorded with your name")
    if reason and not override:
        raise UsageError("--reason goes with --override")
    from .flow_runs import answer

    return answer(APPROVE, name, phase, reason, override=override, detach=detach)


@run.subcommand(
    "reject",
    "reject what a paused phase asks about, so that it is tried again with feedback",
    arguments=_RUN,
    example="""examples:
  helix-hooks flow reject critical-8f3a --feedback "name who owns the migration"
  helix-hooks flow reject critical-8f3a --feedback @review.md   the feedback is in a file""",
)
@_with_run
@_of_phase
@click.option(
    "--feedback", metavar="TEXT", default="", help="what the next try must do; @FILE for a file"
)
@_detach
def reject(*, name: str, phase: str, feedback: str, detach: bool) -> int:
    """Reject a phase.

    Raises:
        UsageError: There is no feedback, or nothing can be rejected.
    """
    from .flow_runs import answer

    text = text_or_file("--feedback", feedback)
    if not text.strip():
        raise UsageError("a rejection needs --feedback TEXT, which the next try reads")
    return answer(REJECT, name, phase, text, detach=detach)


@run.subcommand(
    "retry",
    "try a paused or rejected phase again, with its last feedback",
    arguments=_RUN,
    example="""example:
  helix-hooks flow retry critical-8f3a --phase code-approval""",
)
@_with_run
@_of_phase
@_detach
def retry(*, name: str, phase: str, detach: bool) -> int:
    from .flow_runs import answer

    return answer(RETRY, name, phase, "", detach=detach)


@run.subcommand(
    "resume",
    "go on with a run that was interrupted, or watch one that is at work",
    arguments=_RUN,
    example="""example:
  helix-hooks flow resume critical-8f3a""",
)
@_with_run
def resume(*, name: str) -> int:
    from .flow_runs import resume as go_on

    return go_on(name)


@run.subcommand(
    "cancel",
    "end a run; what is at work is stopped",
    arguments=_RUN,
    example="""example:
  helix-hooks flow cancel critical-8f3a --reason "the plan has changed\"""",
)
@_with_run
@click.option("--reason", metavar="TEXT", default="", help="why, for the record")
def cancel(*, name: str, reason: str) -> int:
    from .flow_runs import cancel as end

    return end(name, reason)
