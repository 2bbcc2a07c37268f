"""The work of `helix-hooks flow`: choose a run, send an answer, continue the run."""

import os
import time
from collections.abc import Callable

from ..console.output import columns, print_message, print_result
from ..errors import UsageError
from ..flow import answering, client
from ..flow.attend import attend
from ..flow.place import FlowPlace, here
from ..phases.advance import outcome
from ..phases.run_state import CANCEL, Decider, PersonDecided
from ..report.flow import FlowView, render
from ..report.flow_list import RunRow, as_json, as_text
from .flow_progress import FlowProgress
from .frame import console
from .person import FlowAnswer, decider, refuse_inside

_ENDED = ("approved", "rejected", "cancelled")


def show(name: str, format: str) -> int:
    """Print a run, "" for the newest."""
    place = _place()
    flow, state = client.look(place, client.chosen(place, name))
    view = FlowView(flow, state, outcome(state))
    print_result(render(view, format, console().colored, columns()))
    return 0


def list_all(format: str) -> int:
    """Print all runs."""
    rows = client.runs(_place())
    if format == "json":
        print_result(as_json(rows))
    else:
        print_result(as_text(rows, console().colored))
    return 0


def resume(name: str) -> int:
    """Continue a run, "" for the only one that has not ended."""
    refuse_inside(os.environ, "`helix-hooks flow resume`")
    place = _place()
    return _attend(place, _chosen(place, name, _not_ended))


def cancel(name: str, reason: str) -> int:
    """Cancel a run, "" for the only one that has not ended.

    Raises:
        UsageError: There is no such run, or it has ended.
    """
    place = _place()
    chosen = _chosen(place, name, _not_ended)
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
    """Send the decision of a person, if the run waits for it, and continue the run."""
    refuse_inside(os.environ, f"`helix-hooks flow {action}`")
    place = _place()
    chosen = _chosen(place, name, _waits, _is_rejected)
    decision = answering.RunAnswer(action, chosen, phase, reason, override)
    checked = answering.checked(place, decision, int(time.time()))
    who = FlowAnswer(action, chosen, checked.about, checked.asked_by)
    by = decider(place.root, os.environ, who)
    sent = answering.send(place, checked, by)
    print_message(f"{checked.about} of {chosen}: {action}, by {by.in_words}")
    if detach:
        answering.leave_to_worker()
        return 0
    return _attend(place, chosen, sent)


def _waits(row: RunRow) -> bool:
    return bool(row.questions)


def _is_rejected(row: RunRow) -> bool:
    return row.outcome == "rejected"


def _not_ended(row: RunRow) -> bool:
    return row.outcome not in _ENDED


def _chosen(place: FlowPlace, name: str, *criteria: Callable[[RunRow], bool]) -> str:
    """Return the id of a run; without a name, the only run that meets the first possible criterion.

    Raises:
        UsageError: There is no such run, or there are several.
    """
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


def _attend(place: FlowPlace, chosen: str, sent: str = "") -> int:
    """Attend a run until it ends or waits for a person."""
    with FlowProgress(console()) as progress:
        code = attend(place, chosen, progress.edges, sent)
    flow, state = client.look(place, chosen)
    view = FlowView(flow, state, outcome(state))
    print_result(render(view, "text", console().colored))
    return code
