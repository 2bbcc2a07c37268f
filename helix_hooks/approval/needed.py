"""Whether a change of an ADR is one on which a judge could say nothing: of its status, of link targets, or of blanks."""

import re

from .. import strict
from ..adr import header
from ..adr.document import AdrDocument
from ..adr.heading import Meanings
from ..adr.status import statuses
from ..strict import Value

_STATED = ("status", "date")
"""Fields that a change of status changes."""
_LINK = re.compile(r"(?<=\])\(\s*(?:<[^>\n]*>|[^\s()\[\]]*)\s*\)|(?m:(?<=\]:) *\S+ *$)|https?://[^\s)>\]]+")
_AROUND = re.compile(r"(?i)\[(?:adr)?[-# ]*\d[^\]\n]*\]\([^)\n]*\)|\badr[- ]?\d+\b|\b(?:by|durch|on|am|since|seit)\b")
"""What may stand beside a status: a successor, a date."""
_LONGEST = 200
"""Characters of a line that states a status; what is longer says more."""


def unneeded(old: AdrDocument, new: AdrDocument, meanings: Meanings) -> str:
    """Why no judge is asked, as in "only the status was changed"; "" when one is.

    Strict: whatever else differs, in a comment or in the kind of a block too, is a change.
    """
    if old.defect or new.defect or old.data == new.data:
        return "" if old.data != new.data else "nothing was changed"
    for name, states, links in (("blanks were", False, False), ("the status was", True, False), ("links were", False, True),
                                ("the status and links were", True, True)):  # fmt: skip
        if _plain(old, meanings, states, links) == _plain(new, meanings, states, links):
            return f"only {name} changed"
    return ""


def _plain(doc: AdrDocument, meanings: Meanings, states: bool, links: bool) -> tuple[object, ...]:
    """All that a document says, with what may change taken out: its texts, its sections, and what its YAML means, where blanks count."""
    read = header.read(doc, meanings)
    stated = [field for name, field in read.fields.items() if name in _STATED] + list(read.statuses)
    values = {field.line: field.text for field in stated if states and _says_only_that(field.text)}
    texts = [_words(part.decode(errors="replace"), values, links) for part in (doc.data, doc.prose)]
    sections = [(section.level, section.title) for section in doc.sections]
    return (*texts, sections, _without(_meant(strict.parse(doc.front or "")[0], {*values.values()}), links))


def _meant(value: Value, stated: set[str]) -> str:
    """A YAML value as one line, in which its structure shows; texts that are a status or a date are left out."""
    if isinstance(value.data, dict):
        return "{" + ", ".join(f"{key!r}: {_meant(entry.value, stated)}" for key, entry in value.data.items()) + "}"
    if isinstance(value.data, list):
        return "[" + ", ".join(_meant(item, stated) for item in value.data) + "]"
    return "" if value.data in stated else repr(value.data and " ".join(value.data.split()))


def _says_only_that(text: str) -> bool:
    """Whether a value is a status or a date, and perhaps what superseded the ADR; whatever else it says is a change of its own."""
    rest = " ".join(re.findall(r"[^\W\d_]+", _AROUND.sub(" ", text)))
    return not rest or rest.casefold() in statuses().names


def _words(text: str, values: dict[int, str], links: bool) -> list[str]:
    rows = text.split("\n")
    for line, value in values.items():
        if value and len(rows[line - 1]) <= _LONGEST:
            rows[line - 1] = rows[line - 1].replace(value, "", 1)
    return _without("\n".join(rows), links).split()


def _without(text: str, links: bool) -> str:
    return _LINK.sub("(link)", text) if links else text
