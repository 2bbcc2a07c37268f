"""Find changes of an ADR that need no judge. Pure.

Where a judge would decide alone, only white space may change without one. Where a person must
decide anyway, status, date and a few words may.
"""

from ..adr.corpus import DECIDED
from ..adr.names import Meanings, Statuses
from ..adr.parse import header
from ..adr.parse.document import AdrDocument
from ..adr.parse.prose import outline
from ..change.placed_words import placed_words
from ..change.wording import changed

NOTHING_CHANGED = "no file of this type was changed that a judge could read"
"""The reason for an approval type that the change does not touch."""

NOTHING = "nothing was changed"
_BLANKS = "only blanks were changed"
_LITTLE = "only status, date or a few words were changed, and a person decides"
_STATED = ("status", "date")
"""Fields that a change of status may change."""


def is_decided(doc: AdrDocument, meanings: Meanings, statuses: Statuses) -> bool:
    """Return whether an ADR is decided, accepted or in words of the team's own."""
    text = header.read(doc, meanings).text("status")
    # A status in words of the team's own is not a proposal.
    return bool(text) and (statuses.read(text) or DECIDED[0]) in DECIDED


def unneeded(
    old: AdrDocument, new: AdrDocument, meanings: Meanings, by_person: bool = False
) -> str:
    """Return why no judge is needed; "" if one is. `by_person`: a person must decide anyway.

    Blanks are those between words and between blocks. In code, HTML and YAML, and if they change
    the blocks, they are a change.
    """
    if old.data == new.data:
        return NOTHING
    if old.defect or new.defect:
        return ""
    same = placed_words(old, meanings) == placed_words(new, meanings)
    if same and _plain(old) == _plain(new):
        return _BLANKS
    if not by_person or _fixed_fields(old, meanings) != _fixed_fields(new, meanings):
        return ""
    return _LITTLE if changed(old, new, meanings, amends=False).is_small else ""


def _plain(doc: AdrDocument) -> tuple[object, ...]:
    """Return the header without trailing blanks, and blocks and words of the text."""
    rows = doc.data.decode().split("\n")
    yaml: list[str] = []
    if doc.front is not None:
        first = doc.front_line - 1
        count = doc.front.count("\n") + bool(doc.front)
        yaml = [row.rstrip() for row in rows[first : first + count]]
    text = "\n".join(rows[doc.data.count(b"\n", 0, doc.body) :])
    return yaml, outline(text), text.split()


def _fixed_fields(doc: AdrDocument, meanings: Meanings) -> dict[str, object]:
    """Return the fields of the YAML header, without status and date."""
    if doc.front is None:
        return {}
    body = doc.line_at(doc.body)
    fields = header.read(doc, meanings).fields.items()
    return {name: item.text for name, item in fields if name not in _STATED and item.line < body}
