from collections.abc import Iterator

from ..corpus import OPEN
from ..field import Field
from ..heading import normalise
from ..reference import key_in_path
from ..rule import Adr, Found

MOST = 0.03
"""The part of the words that a typo-sized edit may change."""
_MAY_CHANGE = frozenset(
    "status date supersedes superseded_by related_to depends_on last_updated updated last_modified modified reviewed review_date last_reviewed "
    "tags links files files_create files_modify files_docs concept language parent nav_order implemented implementation_status amended "
    "amended_by amends".split()
)
"""Header fields that may change; of the others, only those that were empty."""


class AcceptedChanged:
    """An accepted decision was rewritten.

    People have built on it as it stood, and the record of why would be lost. A decision that no longer holds is superseded by
    a new ADR. What may still change: the status, links and references, ticks of acceptance criteria, new paragraphs under
    Amendments or Changelog, and typo-sized edits: at most 3 % of the words (one, in a short text), and no number, modal verb or
    negation, since "must" to "should" is another decision, and so are other words in the title or the section Decision. Its number stays,
    and it is not deleted. The older version is the last commit's, with `--since` that of the merge base. It can't be suppressed.
    """

    id = "accepted-changed"
    layer = "corpus"
    severity = "error"

    def check(self, adr: Adr, base: Adr) -> Iterator[Found]:
        stated = base.header.text("status")
        status = base.statuses.read(stated) or (stated and "decided")
        if not status or status in OPEN:
            return
        help = "restore the text and write a new ADR that supersedes this one, or add it under `## Amendments`"
        says = f"this ADR was already {status.lower()}"
        old_key, new_key = key_in_path(base.doc.path), key_in_path(adr.doc.path)
        if old_key and old_key != new_key:
            yield Found(adr.title_line, f"{says}, and its number was changed from {old_key} to {new_key or 'none'}", "give it its number back")
        for name, old in base.header.fields.items():
            if name == "title" and normalise(old.text) == normalise(_title(adr)):
                continue
            if name not in _MAY_CHANGE and old.text and old.text.casefold() != adr.header.text(name).casefold() and _stated(base, old):
                field = adr.header.fields.get(name)
                said = f"its {name} was changed from {_short(old.text)} to {_short(adr.header.text(name))}"
                yield Found(field.line if field else adr.title_line, f"{says}, and {said}", help)
        if adr.doc.data != base.doc.data:
            reason = _rewritten(adr, base)
            if reason:
                yield Found(_first_change(adr, base), f"{says}, and {reason}", help)

    def deleted(self, status: str, stated: str) -> Iterator[Found]:
        """What there is to say when an ADR was deleted that had this status, and stated it so."""
        if stated and status not in OPEN:
            yield Found(
                1, f"this ADR was {(status or 'decided').lower()}, and it was deleted", "restore it; a decision that no longer holds is superseded"
            )


def _title(adr: Adr) -> str:
    return adr.header.text("title") or (adr.doc.title.title if adr.doc.title else "")


def _stated(base: Adr, field: Field) -> bool:
    """Whether a field stands in the YAML header; the text is compared as such."""
    return base.doc.front is not None and field.line < base.doc.line_at(base.doc.body)


def _rewritten(adr: Adr, base: Adr) -> str:
    from ..wording import changed

    change = changed(base.doc, adr.doc, adr.meanings)
    if change.words > max(1, MOST * change.of):
        return f"{change.words} of its {change.of} words were changed; typos are at most 3 %"
    if change.telling:
        return f"a word on which its meaning depends was changed: {_short(change.telling)}"
    if change.swapped:
        return f"its title or decision now says {_short(change.swapped[1])} instead of {_short(change.swapped[0])}"
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
