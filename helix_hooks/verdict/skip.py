"""Find changes of an ADR that need no judge: of its status, of link targets, or of blanks. Pure."""

import re

from ..adr.compare.placed_words import placed_words
from ..adr.names.heading import Meanings
from ..adr.names.status import statuses
from ..adr.parse import header
from ..adr.parse.document import AdrDocument
from ..adr.parse.outline import outline

_STATED = ("status", "date")
"""Fields that a change of status changes."""
_DATE = r"\b\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?\b|\b\d{1,2}[-./]\d{1,2}[-./]\d{2,4}\b|\b\d{4}\b"
_AROUND = re.compile(
    rf"(?i)\[(?:adr)?[-# ]{{0,3}}\d{{1,6}}\]\([^)\s]*\)|\badr[- ]?\d{{1,6}}\b|#\d{{1,6}}\b|{_DATE}"
    rf"|\b(?:by|durch|on|am|since|seit)\b"
)
"""Text that may stand beside a status: the id of a successor, a date. Its title is text."""
_MARKUP = "*_`~,.;:()"
NOTHING = "nothing was changed"
_KINDS = (
    ("blanks were", False, False, True),
    ("the status was", True, False, True),
    ("markup was", False, False, False),
    ("the status and markup were", True, False, False),
    ("links were", False, True, False),
    ("the status and links were", True, True, False),
)
_LONGEST = 200
"""Maximum characters of a line that states a status; a longer line says more."""


def unneeded(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> str:
    """Return why no judge is asked, as in "only the status was changed"; "" when one is.

    No visible word has changed then but that of the status. Blanks are those between words and
    between blocks; in code, HTML and YAML, and where they make another block, they are a change.
    """
    if old.defect or new.defect or old.data == new.data:
        return "" if old.data != new.data else NOTHING
    if placed_words(old, meanings) != placed_words(new, meanings):
        return ""
    for name, states, links, words in _KINDS:
        if _plain(old, meanings, states, links, words) == _plain(
            new, meanings, states, links, words
        ):
            return f"only {name} changed"
    return ""


def _plain(
    doc: AdrDocument, meanings: Meanings, states: bool, links: bool, words: bool
) -> tuple[object, ...]:
    """Return a document without what may change; with `words`, every character but blanks too."""
    rows = doc.data.decode().split("\n")
    front = (doc.front or "").count("\n") + bool(doc.front)
    if states:
        _take_out(doc, meanings, rows)
    body = doc.data.count(b"\n", 0, doc.body)
    yaml = (
        [row.rstrip() for row in rows[doc.front_line - 1 : doc.front_line - 1 + front]]
        if doc.front is not None
        else []
    )
    text = "\n".join(rows[body:])
    return yaml, outline(text, links), text.split() if words else []


def _take_out(doc: AdrDocument, meanings: Meanings, rows: list[str]) -> None:
    """Put the same in the place of each status and date, where its line says only that."""
    read = header.read(doc, meanings)
    stated = [field for name, field in read.fields.items() if name in _STATED]
    for field in (*stated, *read.statuses):
        row = rows[field.line - 1]
        nested = (
            doc.front is not None
            and field.line < doc.front_line + doc.front.count("\n")
            and row[:1].isspace()
        )
        if field.text and len(row) <= _LONGEST and _says_only_that(field.text) and not nested:
            rows[field.line - 1] = row.replace(field.text, "(stated)", 1)


def _says_only_that(text: str) -> bool:
    """Return whether a value is a status or a date, and perhaps what superseded the ADR, and
    nothing else.
    """
    rest = " ".join(_AROUND.sub(" ", text).translate(dict.fromkeys(map(ord, _MARKUP), " ")).split())
    return not rest or rest.casefold() in statuses().names
