"""The work of `helix-hooks flow`: choose a run, take an answer, go on."""

import os
import shutil
import sys
import time
from collections.abc import Callable

from ..console.output import print_message, print_result
from ..errors import UsageError
from ..flow import answering, client
from ..flow.attend import attend
from ..flow.place import FlowPlace, here
from ..phases.advance import outcome
from ..phases.run_state import CANCEL, Decider, PersonDecided
from ..report.flow import FlowView, render
from ..report.flow_list import as_json, as_text
from .flow_progress import FlowProgress
from .frame import console
from .person import FlowAnswer, decider, refuse_inside

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
    wish = answering.RunAnswer(action, chosen, phase, reason, override)
    checked = answering.checked(place, wish, int(time.time()))
    who = FlowAnswer(action, chosen, checked.about, checked.asked_by)
    by = decider(place.root, os.environ, who)
    sent = answering.send(place, checked, by)
    print_message(f"{checked.about} of {chosen}: {action}, by {by.in_words}")
    if detach:
        answering.leave_to_worker()
        return 0
    return _go_on(place, chosen, sent)


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


def _go_on(place: FlowPlace, chosen: str, sent: str = "") -> int:
    """Attend a run until it ends or waits for a person."""
    with FlowProgress(console()) as progress:
        code = attend(place, chosen, progress.edges, sent)
    flow, state = client.look(place, chosen)
    view = FlowView(flow, state, outcome(state))
    print_result(render(view, "text", console().colored))
    return code
