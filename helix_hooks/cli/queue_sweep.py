"""The work of `helix-hooks queue sweep`: record changes, and notify people."""

import os
import time

from ..console.output import print_message, print_result
from ..errors import HelixError
from ..queue import place as queue_place
from ..queue import sweep
from ..text.sanitize import printable
from .frame import console
from .person import refuse_inside


def sweep_here() -> int:
    """Sweep, and print a line for each change."""
    refuse_inside(os.environ, "`helix-hooks queue sweep`")
    done = sweep.sweep_all(queue_place.here(os.environ), os.environ, int(time.time()))
    print_result("".join(f"{printable(line)}\n" for line in done.changes))
    for line in done.failures:
        print_message(line)
    if not (done.changes or done.failures or console().quiet):
        print_message("nothing has changed")
    if done.failures:
        return HelixError.exit_code
    return 0
