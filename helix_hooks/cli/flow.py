"""`helix-hooks flow`: the runs of flows, decisions in them, and how they go on."""

import os
import shutil
import sys
from collections.abc import Callable

import click

from ..console.output import print_message, print_result
from ..errors import UsageError
from ..flow import client
from ..flow.place import FlowPlace, here
from ..phases.advance import outcome
from ..phases.flow import Flow
from ..phases.questions import OpenQuestion, questions, refusal
from ..phases.run_state import APPROVE, CANCEL, REJECT, RETRY, PersonDecided, RunState
from ..report.flow import FORMATS, FlowView, render
from ..report.flow_list import as_json, as_text
from ..text.sanitize import printable
from .frame import console, group
from .person import Answer, decider, refuse_inside

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
_ENDED = ("approved", "rejected", "cancelled")

run = group("flow", example=_EXAMPLE)


def _with_run(function: Callable[..., int]) -> Callable[..., int]:
    return click.argument("name", metavar="[RUN]", default="")(function)


_of_phase = click.option(
    "--phase", metavar="ID", default="", help="the phase (default: the only one that waits)"
)
_detach = click.option(
    "--detach", is_flag=True, help="record the decision only; a worker or `flow resume` goes on"
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
    place = _place()
    flow, state = client.look(place, client.chosen(place, name))
    view = FlowView(flow, state, outcome(state))
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    print_result(render(view, format, console().colored, columns))
    return 0


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
    rows = client.runs(_place())
    print_result(as_json(rows) if format == "json" else as_text(rows, console().colored))
    return 0


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
    if override and not reason.strip():
        raise UsageError("--override needs --reason TEXT, which is recorded with your name")
    if reason and not override:
        raise UsageError("--reason goes with --override")
    return _answer(APPROVE, name, phase, reason, override=override, detach=detach)


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
    text = _text_of(feedback)
    if not text.strip():
        raise UsageError("a rejection needs --feedback TEXT, which the next try reads")
    return _answer(REJECT, name, phase, text, detach=detach)


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
    return _answer(RETRY, name, phase, "", detach=detach)


@run.subcommand(
    "resume",
    "go on with a run that was interrupted, or watch one that is at work",
    arguments=_RUN,
    example="""example:
  helix-hooks flow resume critical-8f3a""",
)
@_with_run
def resume(*, name: str) -> int:
    refuse_inside(os.environ, "`helix-hooks flow resume`")
    place = _place()
    return _go_on(place, client.chosen(place, name) if name else _only(place, _not_ended))


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
    place = _place()
    chosen = client.chosen(place, name) if name else _only(place, _not_ended)
    _, state = client.look(place, chosen)
    if outcome(state) in _ENDED:
        raise UsageError(f"{chosen} has ended already: it is {outcome(state)}")
    by = decider(place.root, os.environ, Answer(CANCEL, chosen, "", state.asked_by))
    client.send(place, chosen, PersonDecided(CANCEL, "", 0, by, reason))
    print_message(f"{chosen} is cancelled")
    return 0


def _place() -> FlowPlace:
    return here(os.environ)


def _answer(
    action: str, name: str, phase: str, reason: str, *, override: bool = False, detach: bool
) -> int:
    """Send what a person decided, if it can be taken now, and go on with the run."""
    refuse_inside(os.environ, f"`helix-hooks flow {action}`")
    place = _place()
    chosen = client.chosen(place, name) if name else _only(place, _waits)
    flow, state = client.look(place, chosen)
    about = phase or _only_question(flow, state, action).phase
    seen = state.phases[about].number if about in state.phases else 0
    who = Answer(action, chosen, about, state.asked_by)
    wish = PersonDecided(action, about, seen, state.asked_by, reason, override)
    if why := refusal(state, wish):
        raise UsageError(why)
    decided = wish._replace(by=decider(place.root, os.environ, who))
    client.send(place, chosen, decided)
    known = "@" if decided.by.verified else "not verified: "
    print_message(f"{about} of {chosen}: {action}, by {known}{decided.by.name}")
    return 0 if detach else _go_on(place, chosen)


def _only_question(flow: Flow, state: RunState, action: str) -> OpenQuestion:
    """Return the only question of a run. Raises UsageError."""
    asked = questions(flow, state)
    if len(asked) == 1:
        return asked[0]
    if asked:
        names = ", ".join(question.phase for question in asked)
        raise UsageError(f"{state.run} waits at {names}; say which: --phase ID")
    raise UsageError(
        f"{state.run} asks nobody, so there is nothing to {action}: it is {outcome(state)} "
        "(`helix-hooks flow status` shows it)"
    )


def _waits(row: client.RunRow) -> bool:
    return bool(row.questions)


def _not_ended(row: client.RunRow) -> bool:
    return row.outcome not in _ENDED


def _only(place: FlowPlace, fits: Callable[[client.RunRow], bool]) -> str:
    """Return the only run that fits. Raises UsageError."""
    found = [row.run for row in client.runs(place) if fits(row)]
    if len(found) == 1:
        return found[0]
    if found:
        raise UsageError(f"several runs wait: {', '.join(found)}; name one")
    raise UsageError("no run waits here (`helix-hooks flow list` shows all)")


def _text_of(feedback: str) -> str:
    """Return a text, or the content of the file that it names. Raises UsageError."""
    if not feedback.startswith("@"):
        return feedback
    path = feedback[1:]
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is not UTF-8"
        raise UsageError(f"--feedback {printable(feedback)}: {reason}") from None


def _go_on(place: FlowPlace, chosen: str) -> int:
    """Attend a run until it ends or waits for a person."""
    from ..flow.attend import attend
    from .flow_progress import FlowProgress

    with FlowProgress(console()) as progress:
        code = attend(place, chosen, progress.edges)
    flow, state = client.look(place, chosen)
    view = FlowView(flow, state, outcome(state))
    print_result(render(view, "text", console().colored))
    return code
