from collections.abc import Iterator

from ...model import HELIX, Adr, RuleResult, rule

_IN_FORCE = {"Accepted", "Implemented"}


@rule("status-conflict", "structure", "error")
def status_conflict(adr: Adr) -> Iterator[RuleResult]:
    """Two places state different statuses.

    A reader who sees only "Accepted" at the top follows a decision that is superseded according to
    the header. Statuses are compared by meaning: `status: accepted` and `## Status` with
    "Angenommen" agree. State the status in one place only. Accepted and Implemented are both in
    force, so that pair is a warning in the helix template and is not reported elsewhere. A line at
    the top such as "Superseded by ADR-9" beside another status is a warning.
    """
    first_status, first_line = "", 0
    note = adr.header.note
    for field in adr.header.statuses:
        status = adr.statuses.read(field.text)
        if not status:
            continue
        if not first_status:
            first_status, first_line = status, field.line
        is_in_force = {status, first_status} == _IN_FORCE
        is_allowed = is_in_force and adr.template.name != HELIX.name
        if status == first_status or is_allowed:
            continue
        yield RuleResult(
            line=field.line,
            message=f"the status here is {status}, but line {first_line} says {first_status}",
            help="state the status in one place only",
            severity="warning" if is_in_force else "",
            column=field.column,
            words=field.text,
            subject=f"{first_status} {status}",
        )
    if note and first_status and first_status != "Superseded":
        yield RuleResult(
            line=note.line,
            message=f"this line says Superseded, but line {first_line} says {first_status}",
            help="correct the status, or delete this line",
            severity="warning",
            words=note.text,
            subject=f"{first_status} note",
        )
