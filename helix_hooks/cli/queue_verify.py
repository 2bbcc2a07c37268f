"""`helix-hooks queue verify`: check the audit trail and the requests for later changes."""

import os
import re

from ..console.output import print_result
from ..errors import UsageError
from ..report.trail import render
from ..waiting.trail import TrailTip

_NOTED = re.compile(r"([0-9]{1,18}):([0-9a-f]{64})")


def verify_trail(noted: str, format: str) -> int:
    """Verify the store, print the result, and return 1 if something is wrong.

    `noted` is the end of the trail that an earlier verification printed, "" for none.
    """
    from ..flow.place import here
    from ..queue.verifying import verify

    report = verify(here(os.environ), _tip(noted))
    print_result(render(report, format))
    return int(bool(report.faults))


def _tip(text: str) -> TrailTip | None:
    if not text:
        return None
    match = _NOTED.fullmatch(text.strip())
    if not match:
        raise UsageError(f"{text!r} is not NUMBER:HASH, as `helix-hooks queue verify` prints it")
    return TrailTip(int(match[1]), match[2])
