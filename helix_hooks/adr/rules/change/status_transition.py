from collections.abc import Iterator

from ...model import Adr, Found

_NEXT = {
    "Accepted": ("Implemented", "Superseded", "Deprecated"),
    "Implemented": ("Accepted", "Superseded", "Deprecated"),
    "Deprecated": ("Superseded",),
    "Superseded": (),
    "Rejected": ("Draft", "Proposed"),
    "Withdrawn": ("Draft", "Proposed"),
}
"""From each status, those that may follow; from Draft and Proposed, any."""


class StatusTransition:
    """The status took a step that a decision does not take.

    An accepted decision does not become a proposal again, a superseded one does not come back, and
    a rejected one has to be proposed anew before it can be accepted; each of these would let a
    decision be changed without a new record. From Draft and Proposed every step is open; Accepted
    leads to Implemented, Superseded or Deprecated, Implemented to Superseded or Deprecated (and
    back to Accepted, when it turns out not to be done), Deprecated to Superseded, Rejected and
    Withdrawn to Draft or Proposed. The older version is that of the last commit; with `--since` or
    pre-commit's from-ref it is that of the merge base.
    """

    id = "status-transition"
    layer = "corpus"
    severity = "error"

    def check(self, adr: Adr, base: Adr) -> Iterator[Found]:
        old, new = (item.statuses.read(item.header.text("status")) or "" for item in (base, adr))
        allowed = _NEXT.get(old)
        if old == new or allowed is None or new in allowed:
            return
        field = adr.header.fields.get("status")
        line = field.line if field else adr.title_line
        to = f"to {new}" if new else "to no known status"
        help = (
            f"from {old} it may become {' or '.join(allowed)}"
            if allowed
            else "write a new ADR that supersedes the one that holds now"
        )
        yield Found(
            line=line,
            message=f"the status went from {old} {to}",
            help=help,
            column=field.column if field else 1,
            words=field.text if field else "",
        )


STATUS_TRANSITION = StatusTransition()
