from collections.abc import Iterator

from ..corpus import CLOSED, DECIDED
from ..rule import Adr, Found

MOST = 0.03
"""The part of the words that a typo-sized edit may change."""
_HEADER = ("title", "change_scope", "classification", "component_type", "domain")


class AcceptedChanged:
    """An accepted decision was rewritten.

    People have built on it as it stood, and the record of why would be lost. A decision that no longer holds is superseded by
    a new ADR. What may still change: the status, links and references, ticks of acceptance criteria, a section
    Amendments or Changelog, and typo-sized edits: at most 3 % of the words, and no number, modal verb or negation, since
    "must" to "should" is another decision, and so is another word in the title or the section Decision. The older version is the
    last commit's, with `--since` that of the merge base.
    """

    id = "accepted-changed"
    layer = "corpus"
    severity = "error"

    def check(self, adr: Adr, base: Adr) -> Iterator[Found]:
        status = base.statuses.read(base.header.text("status")) or ""
        if status not in (*DECIDED, *CLOSED):
            return
        help = "restore the text and write a new ADR that supersedes this one, or add it under `## Amendments`"
        says = f"this ADR was already {status.lower()}"
        for name in _HEADER:
            old, new = base.header.text(name), adr.header.text(name)
            if old != new and not (name == "title" and old.casefold() == new.casefold()):
                field = adr.header.fields.get(name)
                yield Found(field.line if field else adr.title_line, f"{says}, and its {name} was changed from {_short(old)} to {_short(new)}", help)
        if adr.doc.data != base.doc.data:
            reason = _rewritten(adr, base)
            if reason:
                yield Found(_first_change(adr, base), f"{says}, and {reason}", help)

    def deleted(self, status: str) -> Iterator[Found]:
        """What there is to say when an ADR was deleted that had this status."""
        if status in (*DECIDED, *CLOSED):
            yield Found(1, f"this ADR was {status.lower()}, and it was deleted", "restore it; a decision that no longer holds is superseded")


def _rewritten(adr: Adr, base: Adr) -> str:
    from ..wording import changed

    change = changed(base.doc, adr.doc, adr.meanings)
    if change.words > max(1, MOST * change.of):
        return f"{change.words} of its {change.of} words were changed; typos are at most 3 %"
    if change.telling:
        return f"a word on which its meaning depends was changed: {_short(change.telling)}"
    if change.swapped:
        return f"its decision now says {_short(change.swapped[1])} instead of {_short(change.swapped[0])}"
    return ""


def _first_change(adr: Adr, base: Adr) -> int:
    """The first line below the title that the older version did not have; the title where lines were only taken out."""
    old = set(base.doc.data.split(b"\n"))
    title = adr.title_line
    lines = enumerate(adr.doc.data.split(b"\n"), 1)
    stated = {field.line for field in adr.header.statuses}
    return next((number for number, line in lines if number >= title and line not in old and number not in stated), title)


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:39] + "…") if text else "nothing"
