"""`helix-hooks run`, `flow` and `worker`: start runs of flows, decide on them, execute them.

The functions import their work late: it needs optional packages, which are checked first.
"""

import os
import shlex
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .. import git
from ..console import columns, print_line_of_program, print_message
from ..errors import PendingError, UsageError
from ..flow.place import FlowPlace, here
from ..phases import run_json, run_text
from ..phases.advance import outcome
from ..phases.flow import Flow
from ..phases.run_state import APPROVE, CANCEL, REJECT, RETRY, PersonDecided, RunState
from ..phases.run_text import FlowView, RunRow, changes
from ..text import listed, printable
from . import shared
from .person import asker, decider, refuse_inside

if TYPE_CHECKING:
    from ..flow.attend import AttendEdges
    from ..flow.tree import Base

_MOST_PATHS = 5
_ENDED = ("approved", "rejected", "cancelled")


@shared.command(
    "run",
    example="""examples:
  helix-hooks run phases.yaml --task "add a cache to the search"
  helix-hooks run phases.yaml --task @issue.md       read the task from a file
  helix-hooks run phases.yaml --from code-approval   run a phase and the phases that depend on it
  helix-hooks run phases.yaml --phase consultant     run one phase
  helix-hooks run phases.yaml --unattended           refuse a flow that needs a person
  helix-hooks run phases.yaml --detach               run it in the background

With --from, earlier phases keep their approval from the last run.

By default, runs are stored in the git directory, and one process at a time executes them. Several
processes can share a PostgreSQL database: set its URL in HELIX_FLOW_DATABASE or flow.database.""",
    exits={
        0: "every phase of the run was approved; with --detach, the run was started",
        1: "a phase was rejected, or the run was cancelled",
        3: "the run was interrupted; `helix-hooks flow resume` continues it",
        4: "pending: a person must decide",
    },
)
@shared.paths("FILE", "file of the flow, e.g. phases.yaml", to="path")
@shared.text("--phase", "ID", "run only this phase")
@shared.text("--from", "ID", "run this phase and the phases that depend on it", to="start")
@shared.text("--task", "TEXT", "task of the run; @FILE to read it from a file")
@shared.flag("--unattended", "refuse a flow that needs a person")
@shared.flag("--detach", "run it in the background, and print its id")
@shared.text("--include", "PATH", "untracked file or folder that the run gets too", multiple=True)
@shared.flag(
    "--push-uncommitted", "let uncommitted changes leave this machine, if flow.remote is set"
)
@shared.flag("--apply", "once it is approved, bring its changes into this work tree")
@shared.formats()
def run(
    *,
    path: str,
    phase: str,
    start: str,
    task: str,
    unattended: bool,
    detach: bool,
    include: tuple[str, ...],
    push_uncommitted: bool,
    apply: bool,
    format: str,
) -> int:
    """Start a run.

    Raises:
        UsageError: --apply is used with --detach, or the flow can't start.
    """
    refuse_inside(os.environ, "`helix-hooks run`")
    from ..flow.answering import leave_to_worker
    from ..flow.start import FlowOptions, begin

    if apply and detach:
        raise UsageError("--apply can't be used with --detach; later: helix-hooks flow apply")
    place = here(os.environ)
    options = FlowOptions(
        path,
        shared.text_or_file("--task", task),
        phase,
        start,
        unattended,
        tuple(git.paths_in(place.root, include)),
        push_uncommitted,
    )
    begun = begin(place, options, asker(place.root, os.environ))
    id = begun.run
    if not shared.console().quiet:
        print_message(f"run {id}")
        _tell_base(begun.base)
    if detach:
        leave_to_worker()
        shared.print_as(format, {"version": 1, "run": id}, f"{id}\n")
        return 0
    code = _attend(place, id, format=format)
    if apply and code == 0:
        _apply(place, id)
    return code


flow = shared.group(
    "flow",
    example="""examples:
  helix-hooks flow list                     list all runs, newest first
  helix-hooks flow status                   show the newest run and its next steps
  helix-hooks flow approve RUN --phase ID   approve a phase of a paused run""",
    exits={
        0: "done; for a run that continues here: every phase was approved",
        1: "the run was rejected or cancelled",
        4: "pending: a person must decide",
    },
)
_with_run = shared.argument("name", "[RUN]", "id of a run, or its beginning")
_with_phase = shared.text(
    "--phase", "ID", "phase (default: the only one that waits, or was rejected)"
)
_with_detach = shared.flag("--detach", "continue in the background; see `helix-hooks flow status`")


@flow.subcommand(
    "status",
    "show a run: who must act, its phases, and the next steps",
    example="""example:
  helix-hooks flow status   show the newest run""",
)
@_with_run
@shared.formats()
def status(*, name: str, format: str) -> int:
    from ..flow import client

    place = here(os.environ)
    view = _print(place, client.chosen(place, name), format, columns())
    return 0 if view.idle is None else PendingError.exit_code


@flow.subcommand(
    "apply",
    "bring the changes of an approved run into this work tree",
    example="""example:
  helix-hooks flow apply 20261129-041843-cache-e72f

All changes are applied, or none: if this work tree has other changes on the same lines, the command
names the files and changes nothing.""",
)
@_with_run
def apply_run(*, name: str) -> None:
    from ..flow import client

    place = here(os.environ)
    _apply(place, client.chosen(place, name))


@flow.subcommand(
    "list",
    "list all runs, newest first",
    example="""example:
  helix-hooks flow list""",
)
@shared.formats()
def list_runs(*, format: str) -> None:
    from ..flow import client

    rows = client.runs(here(os.environ))
    text = run_text.listed(rows, shared.console().colored)
    shared.print_as(format, run_json.list_fields(rows), text)


@flow.subcommand(
    "approve",
    "approve a paused phase",
    example="""examples:
  helix-hooks flow approve 20261129-041843-cache-e72f --phase code-approval
  helix-hooks flow approve 20261129-041843-cache-e72f --override --reason "accepted until June"

The approver is the user of GITHUB_TOKEN, GH_TOKEN or `gh auth token`. The policy on the main
branch must name this user. Requesters cannot approve their own runs.

Without GitHub, a person at a terminal types the name of the phase to confirm. This approval is
recorded as not verified.""",
)
@_with_run
@_with_phase
@shared.override
@shared.text("--reason", "TEXT", "with --override: the reason")
@_with_detach
def approve(*, name: str, phase: str, override: bool, reason: str, detach: bool) -> int:
    """Approve a phase.

    Raises:
        UsageError: --override and --reason are not used together, or nothing can be approved.
    """
    if override and not reason.strip():
        raise UsageError("--override requires --reason TEXT, which is recorded with your name")
    if reason and not override:
        raise UsageError("--reason requires --override")
    return _answer(APPROVE, name, phase, reason, override=override, detach=detach)


@flow.subcommand(
    "reject",
    "reject a paused phase, and try it again with feedback",
    example="""examples:
  helix-hooks flow reject 20261129-041843-cache-e72f --feedback "name who owns the migration"
  helix-hooks flow reject 20261129-041843-cache-e72f --feedback @review.md   read the feedback from a file""",
)
@_with_run
@_with_phase
@shared.text("--feedback", "TEXT", "instructions for the next try; @FILE to read them from a file")
@_with_detach
def reject(*, name: str, phase: str, feedback: str, detach: bool) -> int:
    """Reject a phase.

    Raises:
        UsageError: There is no feedback, or nothing can be rejected.
    """
    text = shared.text_or_file("--feedback", feedback)
    if not text.strip():
        raise UsageError("a rejection requires --feedback TEXT for the next try")
    return _answer(REJECT, name, phase, text, detach=detach)


@flow.subcommand(
    "retry",
    "try a paused or rejected phase again, with its last feedback",
    example="""example:
  helix-hooks flow retry 20261129-041843-cache-e72f --phase code-approval""",
)
@_with_run
@_with_phase
@_with_detach
def retry(*, name: str, phase: str, detach: bool) -> int:
    return _answer(RETRY, name, phase, "", detach=detach)


@flow.subcommand(
    "resume",
    "resume an interrupted run, or follow a running one",
    example="""example:
  helix-hooks flow resume 20261129-041843-cache-e72f""",
)
@_with_run
def resume(*, name: str) -> int:
    refuse_inside(os.environ, "`helix-hooks flow resume`")
    place = here(os.environ)
    return _attend(place, _chosen(place, name, _has_not_ended))


@flow.subcommand(
    "cancel",
    "cancel a run, and stop its running phases",
    example="""example:
  helix-hooks flow cancel 20261129-041843-cache-e72f --reason "the plan has changed\"""",
)
@_with_run
@shared.text("--reason", "TEXT", "reason, for the record")
def cancel(*, name: str, reason: str) -> None:
    """Cancel a run, by default the only one that has not ended.

    Raises:
        UsageError: There is no such run, or it has ended.
    """
    from ..flow import client

    place = here(os.environ)
    chosen = _chosen(place, name, _has_not_ended)
    _, state = client.look(place, chosen)
    if outcome(state) in _ENDED:
        raise UsageError(f"{chosen} has ended already: it is {outcome(state)}")
    by = decider(place.root, os.environ, CANCEL, chosen, "", state.asked_by)
    decided = PersonDecided(
        action=CANCEL, phase="", number=0, by=by, reason=reason, at=int(time.time())
    )
    client.send(place, chosen, decided)
    print_message(f"{chosen} is cancelled")


@shared.command(
    "worker",
    example="""examples:
  helix-hooks worker                execute runs until it is stopped
  helix-hooks worker --until-idle   execute runs until each one ends or waits for a person

The next worker restarts interrupted phases. Workers on several machines share a PostgreSQL
database (HELIX_FLOW_DATABASE, or flow.database in config/approvals.yaml), and take over the runs of
a worker that died. Each has a clone of its own, at any path; flow.name and flow.remote in
config/approvals.yaml say how the clones share runs.""",
    exits={
        0: "nothing is left to do (--until-idle)",
        3: "stopped, or the database or the files of a run can't be used; nothing is lost",
    },
)
@shared.flag("--until-idle", "end when each run has ended or needs a person")
def worker(*, until_idle: bool) -> int:
    refuse_inside(os.environ, "`helix-hooks worker`")
    from ..flow.attend import serve

    place = here(os.environ)
    if not shared.console().quiet:
        print_message(f"worker for {place.root}; Ctrl-C stops it, and nothing is lost")
    return serve(place, _edges(), until_idle=until_idle)


def _answer(
    action: str, name: str, phase: str, reason: str, *, override: bool = False, detach: bool
) -> int:
    """Send the decision of a person, if the run waits for it, and continue the run."""
    from ..flow import answering

    refuse_inside(os.environ, f"`helix-hooks flow {action}`")
    place = here(os.environ)
    chosen = _chosen(
        place, name, lambda row: bool(row.questions), lambda row: row.state == "rejected"
    )
    decision = answering.RunAnswer(action, chosen, phase, reason, override)
    checked = answering.checked(place, decision, int(time.time()))
    by = decider(place.root, os.environ, action, chosen, checked.about, checked.asked_by)
    sent = answering.send(place, checked, by)
    print_message(f"{checked.about} of {chosen}: {action}, by {by.in_words}")
    if detach:
        answering.leave_to_worker()
        return 0
    return _attend(place, chosen, sent)


def _apply(place: FlowPlace, id: str) -> None:
    from ..flow import client

    applied = client.apply(place, id)
    for verb, paths in (("changed", applied.paths), ("deleted", applied.deleted)):
        for path in paths:
            unseen = "; no gate has seen it" if path in applied.unseen else ""
            print_message(f"{verb}: {printable(path)}{unseen}")
    for path in applied.merged:
        print_message(f"{printable(path)} has your changes too, and no gate saw the result")
    if not (applied.paths or applied.deleted):
        print_message(f"this work tree has all changes of {id}")
    if applied.tree:
        remove = f"git worktree remove --force {shlex.quote(applied.tree)}"
        print_message(f"the work tree of the run stays: {applied.kept_for}; to remove it: {remove}")


def _tell_base(base: "Base") -> None:
    """Tell in what the work tree of a run differs from the user's."""
    if base.changed:
        print_message(f"with your uncommitted changes of {_some(base.changed)}")
    if base.left_out:
        print_message(f"without untracked files: {_some(base.left_out)} (--include PATH adds one)")


def _some(paths: Sequence[str]) -> str:
    return listed([printable(path, 100) for path in paths], _MOST_PATHS)


def _has_not_ended(row: RunRow) -> bool:
    return row.state not in _ENDED


def _chosen(place: FlowPlace, name: str, *criteria: Callable[[RunRow], bool]) -> str:
    """Return the id of a run; without a name, the only run that meets the first possible criterion.

    Raises:
        UsageError: There is no such run, or there are several.
    """
    from ..flow import client

    if name:
        return client.chosen(place, name)
    rows = client.runs(place)
    for is_candidate in criteria:
        runs = [row.run for row in rows if is_candidate(row)]
        if len(runs) == 1:
            return runs[0]
        if runs:
            raise UsageError(f"several runs are possible: {', '.join(runs)}; give the id of one")
    raise UsageError("no run waits for a person (`helix-hooks flow list` shows all runs)")


def _attend(place: FlowPlace, id: str, sent: str = "", format: str = "text") -> int:
    """Attend a run until it ends or waits for a person, and print it."""
    from ..flow.attend import attend

    code = attend(place, id, _edges(), sent)
    _print(place, id, format)
    return code


def _edges() -> "AttendEdges":
    """Return the functions that print the progress of a run on standard error."""
    from ..flow.attend import AttendEdges

    is_quiet, last = shared.console().quiet, None

    def show(phase: str, line: str) -> None:
        if not is_quiet:
            print_line_of_program(f"{phase}: {line}")

    def changed(flow: Flow, state: RunState) -> None:
        nonlocal last
        for line in () if is_quiet else changes(flow, last, state):
            print_message(line)
        last = state

    return AttendEdges(show, changed)


def _print(place: FlowPlace, id: str, format: str, width: int = 0) -> FlowView:
    from ..flow import client

    view = client.view_of(place, id)
    text = run_text.as_text(view, shared.console().colored, width)
    shared.print_as(format, run_json.run_fields(view), text)
    return view
