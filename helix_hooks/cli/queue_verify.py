"""`helix-hooks queue verify`: check the audit trail and the requests for later changes."""

import os
import re

from ..console.output import print_result
from ..errors import UsageError
from ..report.trail import render
from ..waiting.trail import TrailTip

_NOTED = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")


def verify_trail(noted: str, format: str) -> int:
    """Verify the store, print the result, and return 0 where nothing is wrong, else 1.

    `noted` is an end of the trail as an earlier verification printed it, "" for none.
    """
    from ..flow.place import here
    from ..queue.verifying import verify

    tip = _tip(noted) if noted else None
    report = verify(here(os.environ), tip)
    print_result(render(report, format))
    return 1 if report.faults else 0


def _tip(text: str) -> TrailTip:
    found = _NOTED.fullmatch(text.strip())
    if not found:
        raise UsageError(f"{text!r} is not NUMBER:HASH, as `helix-hooks queue verify` prints it")
    return TrailTip(int(found[1]), found[2])
