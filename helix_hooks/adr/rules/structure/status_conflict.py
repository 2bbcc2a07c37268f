from collections.abc import Iterator

from ...model import Adr, Found
from ...template import HELIX

_DECIDED = {"Accepted", "Implemented"}


class StatusConflict:
    """Two places state different statuses.

    A reader who sees "Accepted" at the top and "Superseded" in the header follows a decision that
    no longer holds. The words are compared by meaning, so `status: accepted` and `## Status` with
    "Angenommen" agree. Keep the true one, best in one place only. Accepted beside Implemented is a
    warning in the helix template and is not reported elsewhere, since the decision is in force in
    both cases.
    """

    id = "status-conflict"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        known = [
            (status, field)
            for field in adr.header.statuses
            if (status := adr.statuses.read(field.text))
        ]
        for status, field in known[1:]:
            first, place = known[0]
            is_in_force = {status, first} == _DECIDED
            if status != first and not (is_in_force and adr.template.name != HELIX.name):
                yield Found(
                    line=field.line,
                    message=f"the status here is {status}, but line {place.line} says {first}",
                    help="state the status in one place only",
                    severity="warning" if is_in_force else "",
                    column=field.column,
                    words=field.text,
                )
