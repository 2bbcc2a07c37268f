"""The work of `helix-hooks queue sweep`: record what has changed, and tell people."""

import os
import time

from ..console.output import print_message, print_result
from ..errors import HelixError
from ..queue import place as queue_place
from ..queue.notify import DeliveryReport
from ..queue.place import QueuePlace
from ..queue.sweep import sweep
from ..queue.telling import tell_all
from ..text.plural import counted
from ..text.sanitize import printable
from .frame import console
from .person import refuse_inside


def sweep_all() -> int:
    """Sweep, tell people what has changed, and print a line for each change."""
    refuse_inside(os.environ, "`helix-hooks queue sweep`")
    place, now = queue_place.here(os.environ), int(time.time())
    done = sweep(place, now)
    told = _told(place, now)
    sent = (f"{counted(told.sent, 'message')} sent",) if told.sent else ()
    print_result("".join(f"{printable(line)}\n" for line in (*done.changes, *sent)))
    failures = (*done.failures, *told.failures)
    for line in failures:
        print_message(line)
    if not (done.changes or sent or failures or console().quiet):
        print_message("nothing has changed")
    return HelixError.exit_code if failures else 0


def _told(place: QueuePlace, now: int) -> DeliveryReport:
    """Tell people; what was swept is printed also where that fails."""
    try:
        return tell_all(place, os.environ, now)
    except HelixError as error:
        return DeliveryReport(0, (f"people could not be told: {error}",))
