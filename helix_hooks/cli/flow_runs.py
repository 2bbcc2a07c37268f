"""The work of `helix-hooks flow`: choose a run, take an answer, go on."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable

from ..console.output import print_message, print_result
from ..errors import UsageError
from ..flow import client
from ..flow.attend import attend
from ..flow.place import FlowPlace, here
from ..phases.advance import outcome, refusal
from ..phases.flow import Flow
from ..phases.questions import BUDGET, OpenQuestion, answerable, question_of, ways_on
from ..phases.run_state import CANCEL, Decider, PersonDecided, RunState
from ..report.flow import FlowView, render
from ..report.flow_list import as_json, as_text
from .flow_progress import FlowProgress
from .frame import console
from .person import FlowAnswer, decider, refuse_inside

_SOMEBODY = Decider("", verified=True)
"""Somebody else than the asker: whether an answer can be taken at all is told before who gives it."""

_ENDED = ("approved", "rejected", "cancelled")


def show(name: str, format: str) -> int:
    """Print a run, "" for the newest."""
    place = _place()
    flow, state = client.look(place, client.chosen(place, name))
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    view = FlowView(flow, state, outcome(state))
    print_result(render(view, format, console().colored, columns))
    return 0


def list_all(format: str) -> int:
    """Print all runs."""
    rows = client.runs(_place())
    print_result(as_json(rows) if format == "json" else as_text(rows, console().colored))
    return 0


def resume(name: str) -> int:
    """Go on with a run, "" for the only one that has not ended."""
    refuse_inside(os.environ, "`helix-hooks flow resume`")
    place = _place()
    return _go_on(place, client.chosen(place, name) if name else _only(place, _not_ended))


def cancel(name: str, reason: str) -> int:
    """End a run, "" for the only one that has not ended."""
    place = _place()
    chosen = client.chosen(place, name) if name else _only(place, _not_ended)
    _, state = client.look(place, chosen)
    if outcome(state) in _ENDED:
        raise UsageError(f"{chosen} has ended already: it is {outcome(state)}")
    by = decider(place.root, os.environ, FlowAnswer(CANCEL, chosen, "", state.asked_by))
    client.send(place, chosen, _cancelling(by, reason))
    print_message(f"{chosen} is cancelled")
    return 0


def _cancelling(by: Decider, reason: str) -> PersonDecided:
    return PersonDecided(
        action=CANCEL, phase="", number=0, by=by, reason=reason, at=int(time.time())
    )


def _place() -> FlowPlace:
    return here(os.environ)


def answer(
    action: str, name: str, phase: str, reason: str, *, override: bool = False, detach: bool
) -> int:
    """Send what a person decided, if it can be taken now, and go on with the run."""
    refuse_inside(os.environ, f"`helix-hooks flow {action}`")
    place = _place()
    chosen = client.chosen(place, name) if name else _only(place, _waits, _is_rejected)
    flow, state = client.look(place, chosen)
    question = _question(flow, state, phase, action)
    wish = PersonDecided(
        action=action,
        phase=question.phase,
        number=question.number,
        by=_SOMEBODY,
        reason=reason,
        override=override,
        at=int(time.time()),
    )
    if why := refusal(state, wish):
        raise UsageError(_with_ways_on(why, state, question))
    who = FlowAnswer(action, chosen, question.name, state.asked_by)
    decided = wish._replace(by=decider(place.root, os.environ, who))
    sent = client.send(place, chosen, decided)
    print_message(f"{question.name} of {chosen}: {action}, by {decided.by.in_words}")
    if detach:
        leave_to_worker()
        return 0
    return _go_on(place, chosen, sent)


def _question(flow: Flow, state: RunState, phase: str, action: str) -> OpenQuestion:
    """Return the question about a phase, "" for the only one. Raises UsageError."""
    if phase in state.phases:
        return question_of(phase, state.phases[phase])
    asked = answerable(flow, state)
    named = [question for question in asked if not phase or question.name == phase]
    if len(named) == 1:
        return named[0]
    if phase:
        there = ", ".join((*state.phases, BUDGET))
        raise UsageError(f"{state.run} has no phase {phase!r}; there are {there}")
    if asked:
        names = ", ".join(question.name for question in asked)
        raise UsageError(f"{state.run} can go on at {names}; say which: --phase ID")
    raise UsageError(
        f"{state.run} asks nobody, so there is nothing to {action}: it is {outcome(state)} "
        "(`helix-hooks flow status` shows it)"
    )


def _with_ways_on(why: str, state: RunState, question: OpenQuestion) -> str:
    """Return a refusal with what can be written instead."""
    is_open = not question.phase or state.phases[question.phase].state in ("paused", "rejected")
    lines = ways_on(state.run, question) if is_open else ()
    return f"{why}; possible now: {'; '.join(lines)}" if lines else why


def _waits(row: client.RunRow) -> bool:
    return bool(row.questions)


def _is_rejected(row: client.RunRow) -> bool:
    return row.outcome == "rejected"


def _not_ended(row: client.RunRow) -> bool:
    return row.outcome not in _ENDED


def _only(place: FlowPlace, *wanted: Callable[[client.RunRow], bool]) -> str:
    """Return the only run that fits; one criterion counts after the other. Raises UsageError."""
    rows = client.runs(place)
    for fits in wanted:
        found = [row.run for row in rows if fits(row)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"there are several runs: {', '.join(found)}; name one")
    raise UsageError("no run waits here (`helix-hooks flow list` shows all)")


def leave_to_worker() -> None:
    """Begin a process that executes what is pending, and ends then."""
    program = [sys.executable, "-I", "-m", "helix_hooks", "worker", "--until-idle", "--quiet"]
    subprocess.Popen(
        program,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _go_on(place: FlowPlace, chosen: str, sent: str = "") -> int:
    """Attend a run until it ends or waits for a person."""
    with FlowProgress(console()) as progress:
        code = attend(place, chosen, progress.edges, sent)
    flow, state = client.look(place, chosen)
    view = FlowView(flow, state, outcome(state))
    print_result(render(view, "text", console().colored))
    return code
