"""Find changes of an ADR that need no judge: only status, link targets, or blanks. Pure."""

import re
from typing import NamedTuple

from ..adr.compare.placed_words import placed_words
from ..adr.names.heading import Meanings
from ..adr.names.status import statuses
from ..adr.parse import header
from ..adr.parse.document import AdrDocument
from ..adr.parse.outline import outline

_STATED = ("status", "date")
"""Fields that a change of status may change."""
_DATE = r"\b\d{4}[-./]\d{1,2}(?:[-./]\d{1,2})?\b|\b\d{1,2}[-./]\d{1,2}[-./]\d{2,4}\b|\b\d{4}\b"
_AROUND = re.compile(
    rf"(?i)\[(?:adr)?[-# ]{{0,3}}\d{{1,6}}\]\([^)\s]*\)|\badr[- ]?\d{{1,6}}\b|#\d{{1,6}}\b|{_DATE}"
    rf"|\b(?:by|durch|on|am|since|seit)\b"
)
"""Text that may follow a status: the id of a successor, a date. A title is not among it."""
_MARKUP = "*_`~,.;:()"
NOTHING = "nothing was changed"


class _Ignored(NamedTuple):
    """A kind of change that needs no judge: its name, and the parts that are not compared."""

    name: str
    status: bool = False
    links: bool = False
    markup: bool = False


_KINDS = (
    _Ignored("blanks were"),
    _Ignored("the status was", status=True),
    _Ignored("markup was", markup=True),
    _Ignored("the status and markup were", status=True, markup=True),
    _Ignored("links were", links=True, markup=True),
    _Ignored("the status and links were", status=True, links=True, markup=True),
)
"""From the fewest ignored parts on, so that the first match describes the change best."""
_LONGEST = 200
"""Maximum characters of a line with only a status; a longer line has other text."""


def unneeded(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> str:
    """Return why no judge is needed, e.g. "only the status was changed"; "" if one is.

    Then no visible word has changed except the status. Blanks are those between words and between
    blocks. In code, HTML and YAML, and if they change the blocks, they are a change.
    """
    if old.data == new.data:
        return NOTHING
    if old.defect or new.defect or placed_words(old, meanings) != placed_words(new, meanings):
        return ""
    for kind in _KINDS:
        if _plain(old, meanings, kind) == _plain(new, meanings, kind):
            return f"only {kind.name} changed"
    return ""


def _plain(doc: AdrDocument, meanings: Meanings, ignored: _Ignored) -> tuple[object, ...]:
    """Return a document without the ignored parts. Unless markup is ignored, all words count."""
    rows = doc.data.decode().split("\n")
    if ignored.status:
        _take_out(doc, meanings, rows)
    yaml: list[str] = []
    if doc.front is not None:
        first = doc.front_line - 1
        count = doc.front.count("\n") + bool(doc.front)
        yaml = [row.rstrip() for row in rows[first : first + count]]
    text = "\n".join(rows[doc.data.count(b"\n", 0, doc.body) :])
    return yaml, outline(text, ignored.links), [] if ignored.markup else text.split()


def _take_out(doc: AdrDocument, meanings: Meanings, rows: list[str]) -> None:
    """Replace each status and date by the same text, if its line has nothing else."""
    read = header.read(doc, meanings)
    stated = [field for name, field in read.fields.items() if name in _STATED]
    for field in (*stated, *read.statuses):
        row = rows[field.line - 1]
        if not field.text or len(row) > _LONGEST or _is_nested(doc, field.line, row):
            continue
        if _says_only_that(field.text):
            rows[field.line - 1] = row.replace(field.text, "(stated)", 1)


def _is_nested(doc: AdrDocument, line: int, row: str) -> bool:
    """Return whether a line is an indented one in the front matter, part of a longer YAML value."""
    if doc.front is None or not row[:1].isspace():
        return False
    return line < doc.front_line + doc.front.count("\n")


def _says_only_that(text: str) -> bool:
    """Return whether a value is only a status or a date, perhaps with the id of a successor."""
    words = _AROUND.sub(" ", text).translate(dict.fromkeys(map(ord, _MARKUP), " "))
    remainder = " ".join(words.split())
    return not remainder or remainder.casefold() in statuses().names
