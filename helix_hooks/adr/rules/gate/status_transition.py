from collections.abc import Iterable, Iterator

from ...corpus import CLOSED, DECIDED, REFUSED
from ...model import Adr, RuleResult, rule

_NEXT = {
    "Accepted": ("Implemented", "Superseded", "Deprecated"),
    "Implemented": ("Accepted", "Superseded", "Deprecated"),
    "Deprecated": ("Superseded",),
    "Superseded": (),
    "Rejected": ("Draft", "Proposed"),
    "Withdrawn": ("Draft", "Proposed"),
}
"""From each status, those that may follow; from Draft and Proposed, any."""


@rule("status-transition", "corpus", "error")
def status_transition(adr: Adr, base: Adr) -> Iterator[RuleResult]:
    """The status changed in an invalid direction.

    An accepted decision must not become a proposal again, a superseded one must not come back, and
    a rejected one must be proposed again before it is accepted. Otherwise a decision could be
    changed without a new ADR. Restore the status, or write a new ADR.

    Draft and Proposed may become any status. Accepted may become Implemented, Superseded or
    Deprecated. Implemented may become Superseded or Deprecated, or Accepted if it turns out not to
    be finished. Deprecated may become Superseded. Rejected and Withdrawn may become Draft or
    Proposed. The version before is that of the last commit; with `--since` or pre-commit's from-ref
    it is that of the merge base.
    """
    old, new = base.status, adr.status
    allowed = _NEXT.get(old)
    if old == new or allowed is None or new in allowed:
        return
    help = "write a new ADR that supersedes the current one"
    if allowed:
        help = f"from {old} it may become {' or '.join(allowed)}"
    finding = RuleResult(
        line=adr.title_line,
        message=f"invalid change of the status from {old} to {new or 'no known status'}",
        help=help,
        subject=f"{old} {new}",
    )
    field = adr.header.fields.get("status")
    if field:
        finding = finding._replace(line=field.line, column=field.column, words=field.text)
    yield finding


def _unknown_status(adr: Adr) -> str:
    """Return the status that a misspelt one means; any other words are not a proposal."""
    text = adr.header.text("status")
    return adr.statuses.read(adr.statuses.nearest(text)) or (text and "decided")


def retired_from(adr: Adr, versions: Iterable[Adr]) -> str:
    """Return the status before the change of a decision that is no longer in force, else "".

    It must have been decided in each version. A change from a known status to a proposal, a refusal
    or none is left to `status_transition`. A status section can retire a decision with a second
    line, too.
    """
    was, closing = "", _closing(adr)
    for before in versions:
        was = before.status or _unknown_status(before)
        closing -= _closing(before)
        if was not in (*DECIDED, "decided"):
            return ""
    now = adr.status
    if now in DECIDED:
        is_retired = bool(closing)
    elif was in DECIDED:
        is_retired = now in CLOSED
    else:
        is_retired = bool(now) or not adr.header.text("status")
    return was if is_retired else ""


def _closing(adr: Adr) -> set[str]:
    """Return the statuses of retired decisions that status sections name, in any line."""
    words: set[str] = set()
    for section in adr.doc.sections:
        if "status" in adr.meanings.of(section.title):
            words.update(adr.doc.visible(section.start, section.own_stop).casefold().split())
    statuses = (adr.statuses.names.get(word.strip(".,:;()*_")) for word in words)
    return {status for status in statuses if status in (*CLOSED, *REFUSED)}
