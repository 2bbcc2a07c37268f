"""Findings of earlier rounds, replies to findings, and how to reply, on a page. Pure."""

from collections.abc import Iterable, Mapping

from ..decision.commands import DECLINE, USAGES
from ..decision.declines import declinable
from ..decision.handover import Handover, PlacedFinding
from ..text.plural import counted
from ..text.sanitize import code, inline
from ..verdict.earlier import ANSWERED, FIXED, OPEN, Decline, EarlierFinding
from .links import Links

_UNFOLDED, _SHOWN = 10, 30
"""Findings that are listed unfolded, and at all."""

_SAID = {
    FIXED: "✅ fixed",
    ANSWERED: "💬 answered",
    OPEN: "❌ open",
    "": "⏳ not judged again",
}


def declined(reply: Decline | None) -> str:
    """Return a reply beside its finding, "" for none."""
    return f"<br>💬 {inline(f'declined by @{reply.by}: {reply.reason}')}" if reply else ""


def earlier_section(handover: Handover, to: Links) -> str:
    """Return what became of the findings of the last rounds.

    What is open at the very head where it was found is among the findings already.
    """
    head = handover.target.head
    rows = [
        _row(item, to)
        for round in handover.earlier
        for item in sorted(round.findings, key=lambda item: [*_SAID].index(item.answer))
        if item.answer != OPEN or round.commit != head
    ]
    if not rows:
        return ""
    left = len(rows) - _SHOWN
    lines = "".join([*rows[:_SHOWN], f"- and {left} more\n" if left > 0 else ""])
    head = f"Earlier findings: {len(rows)}"
    if len(rows) <= _UNFOLDED:
        return f"**{head}**\n\n{lines}"
    return f"<details><summary>{head}</summary>\n\n{lines}\n</details>\n"


def _row(item: EarlierFinding, to: Links) -> str:
    finding = item.finding
    where = to.file(code(finding.path), finding.path)
    return (
        f"- {_SAID[item.answer]}: {where}: {inline(finding.message)}{declined(item.decline)} "
        f"<sub>{finding.severity}, {inline(finding.check)}</sub>\n"
    )


def declining(handover: Handover, to: Links) -> str:
    """Return how who wrote the change declines a finding of a judge."""
    items = {id: item for id, item in declinable(handover).items() if not item.decline}
    if not items or handover.failure or handover.target.merges:
        return ""
    told = (
        f"Who wrote the change can say why a finding is none: {to.box('write a comment')} with the "
        f"line {code(USAGES[DECLINE])}. The finding stays; the next judge and those who decide "
        "are told."
    )
    rows = "".join(listed(items))
    head = f"{counted(len(items), 'finding')} that may be declined"
    return f"<details><summary>{head}</summary>\n\n{told}\n\n{rows}\n</details>\n"


def listed(items: Mapping[str, PlacedFinding | EarlierFinding]) -> Iterable[str]:
    """Yield a line for each finding with the name that a reply calls it by."""
    for id, item in [*items.items()][:_SHOWN]:
        yield f"- {code(id[:8])}: {inline(item.finding.message)}\n"
    if len(items) > _SHOWN:
        yield f"- and {len(items) - _SHOWN} more\n"
