"""`helix-hooks flow`: show, approve, reject, retry, resume and cancel runs of flows."""

from collections.abc import Callable

import click

from ..errors import UsageError
from ..phases.run_state import APPROVE, REJECT, RETRY
from ..report.flow import FORMATS
from .frame import group, text_or_file, with_format

_EXAMPLE = """examples:
  helix-hooks flow list                     list all runs, newest first
  helix-hooks flow status                   show the newest run and its next steps
  helix-hooks flow approve RUN --phase ID   approve a phase of a paused run

exit codes:
  0  done; for a run that continues here: every phase was approved
  1  the run was rejected or cancelled
  2  usage or configuration error: no such run, no open question, or you may not decide
  3  the run could not finish, or GitHub could not be reached
  4  a person must decide"""

# The subcommands import their work late: it needs optional packages, which `invoke` checks first.
_RUN = {"RUN": "id of a run, or its beginning"}

run = group("flow", example=_EXAMPLE)


def _with_run(function: Callable[..., int]) -> Callable[..., int]:
    return click.argument("name", metavar="[RUN]", default="")(function)


_of_phase = click.option(
    "--phase",
    metavar="ID",
    default="",
    help="phase (default: the only one that waits, or was rejected)",
)
_detach = click.option(
    "--detach", is_flag=True, help="continue in the background; see `helix-hooks flow status`"
)


@run.subcommand(
    "status",
    "show a run: who must act, its phases, and the next steps",
    arguments=_RUN,
    example="""examples:
  helix-hooks flow status                    show the newest run
  helix-hooks flow status --format mermaid   print its phases as a graph for GitHub""",
)
@_with_run
@with_format(*FORMATS)
def status(*, name: str, format: str) -> int:
    from .flow_runs import show

    return show(name, format)


@run.subcommand(
    "list",
    "list all runs, newest first",
    example="""examples:
  helix-hooks flow list
  helix-hooks flow list --format json   print JSON""",
)
@with_format()
def list_runs(*, format: str) -> int:
    from .flow_runs import list_all

    return list_all(format)


@run.subcommand(
    "approve",
    "approve a paused phase",
    arguments=_RUN,
    example="""examples:
  helix-hooks flow approve critical-8f3a --phase code-approval
  helix-hooks flow approve critical-8f3a --override --reason "accepted until June"

The approver is the user of GITHUB_TOKEN, GH_TOKEN or `gh auth token`. The policy on the main
branch must name this user. Requesters cannot approve their own runs.

Without GitHub, a person at a terminal types the name of the phase to confirm. This approval is
recorded as not verified.""",
)
@_with_run
@_of_phase
@click.option("--override", is_flag=True, help="approve a phase that its gate has rejected")
@click.option("--reason", metavar="TEXT", default="", help="with --override: the reason")
@_detach
def approve(*, name: str, phase: str, override: bool, reason: str, detach: bool) -> int:
    """Approve a phase.

    Raises:
        UsageError: --override and --reason are not used together, or nothing can be approved.
    """
    if override and not reason.strip():
        raise UsageError("--override requires --reason TEXT, which is recorded with your name")
    if reason and not override:
        raise UsageError("--reason requires --override")
    from .flow_runs import answer

    return answer(APPROVE, name, phase, reason, override=override, detach=detach)


@run.subcommand(
    "reject",
    "reject a paused phase, and try it again with feedback",
    arguments=_RUN,
    example="""examples:
  helix-hooks flow reject critical-8f3a --feedback "name who owns the migration"
  helix-hooks flow reject critical-8f3a --feedback @review.md   read the feedback from a file""",
)
@_with_run
@_of_phase
@click.option(
    "--feedback",
    metavar="TEXT",
    default="",
    help="instructions for the next try; @FILE to read them from a file",
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
        raise UsageError("a rejection requires --feedback TEXT for the next try")
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
    "resume an interrupted run, or follow a running one",
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
    "cancel a run, and stop its running phases",
    arguments=_RUN,
    example="""example:
  helix-hooks flow cancel critical-8f3a --reason "the plan has changed\"""",
)
@_with_run
@click.option("--reason", metavar="TEXT", default="", help="reason, for the record")
def cancel(*, name: str, reason: str) -> int:
    from .flow_runs import cancel as end

    return end(name, reason)
