"""Findings of earlier rounds and replies to findings, in the summary comment. Pure."""

from collections.abc import Iterable, Iterator, Mapping

from ..decision.commands import DECLINE, USAGES
from ..decision.declines import declinable
from ..decision.handover import Handover, PlacedFinding
from ..text import code, counted, inline
from ..verdict.earlier import ANSWERED, FIXED, OPEN, Decline, EarlierFinding
from .links import Links

_UNFOLDED, _SHOWN = 10, 30
"""Maximum number of findings that are listed unfolded, and that are listed at all."""

_SAID = {
    FIXED: "✅ fixed",
    ANSWERED: "💬 answered",
    OPEN: "❌ open",
    "": "⏳ not judged again",
}


def declined(reply: Decline | None) -> str:
    """Return a reply for the line of its finding, "" for none."""
    if not reply:
        return ""
    return f"<br>💬 {inline(f'declined by @{reply.by}: {reply.reason}')}"


def earlier_section(handover: Handover, to: Links) -> str:
    """Return the findings of the last rounds, each with the judge's answer."""
    rows = [_row(item, to) for item in _earlier(handover)]
    if not rows:
        return ""
    lines = "".join(rows[:_SHOWN])
    if len(rows) > _SHOWN:
        lines += f"- and {len(rows) - _SHOWN} more\n"
    head = f"Earlier findings: {len(rows)}"
    if len(rows) <= _UNFOLDED:
        return f"**{head}**\n\n{lines}"
    return f"<details><summary>{head}</summary>\n\n{lines}\n</details>\n"


def _earlier(handover: Handover) -> Iterator[EarlierFinding]:
    order = [*_SAID]
    for round in handover.earlier:
        # An open finding of this head is among the findings already.
        is_at_head = round.commit == handover.target.head
        for item in sorted(round.findings, key=lambda item: order.index(item.answer)):
            if item.answer != OPEN or not is_at_head:
                yield item


def _row(item: EarlierFinding, to: Links) -> str:
    finding = item.finding
    where = to.file(code(finding.path), finding.path)
    return (
        f"- {_SAID[item.answer]}: {where}: {inline(finding.message)}{declined(item.decline)} "
        f"<sub>{finding.severity}, {inline(finding.check)}</sub>\n"
    )


def declining(handover: Handover, to: Links) -> str:
    """Return how the authors of the change decline a finding of a judge."""
    items = {id: item for id, item in declinable(handover).items() if not item.decline}
    if not items or handover.failure or handover.target.merges:
        return ""
    how = (
        f"If a finding is wrong, an author of the change can decline it: "
        f"{to.box('write a comment')} with the line {code(USAGES[DECLINE])}. The finding stays; "
        "the next judge and the approvers read the reason."
    )
    rows = "".join(listed(items))
    head = f"{counted(len(items), 'finding')} that may be declined"
    return f"<details><summary>{head}</summary>\n\n{how}\n\n{rows}\n</details>\n"


def listed(items: Mapping[str, PlacedFinding | EarlierFinding]) -> Iterable[str]:
    """Yield a line for each finding, with the fingerprint for a reply."""
    for id, item in [*items.items()][:_SHOWN]:
        yield f"- {code(id[:8])}: {inline(item.finding.message)}\n"
    if len(items) > _SHOWN:
        yield f"- and {len(items) - _SHOWN} more\n"
