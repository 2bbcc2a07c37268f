"""Whether a change of an ADR is one on which a judge could say nothing: of its status, of link targets, or of blanks."""

import re
from collections.abc import Callable

from ..adr import header
from ..adr.document import AdrDocument
from ..adr.heading import Meanings

_STATED = ("status", "date")
"""Fields that a change of status changes."""
_LINK = re.compile(r"(?<=\])\(\s*(?:<[^>\n]*>|[^\s()\[\]]*)\s*\)|(?m:(?<=\]:) *\S+ *$)|https?://[^\s)>\]]+")
_LONGEST = 200
"""Characters of a line that states a status; what is longer says more."""

Neutral = Callable[[list[str]], list[str]]


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
    """All that a document says, with what may change taken out: its texts, its sections, its header."""
    read = header.read(doc, meanings)
    stated = {name: field for name, field in read.fields.items() if states and name in _STATED}
    values = {field.line: field.text for field in (*stated.values(), *(read.statuses if states else ()))}
    texts = [_words(part.decode(errors="replace"), values, links) for part in (doc.data, doc.prose)]
    sections = [(section.level, section.title) for section in doc.sections]
    fields = {name: tuple(_without(text, links) for text in field.texts) for name, field in read.fields.items() if name not in stated}
    return (*texts, sections, fields)


def _words(text: str, values: dict[int, str], links: bool) -> list[str]:
    rows = text.split("\n")
    for line, value in values.items():
        if value and len(rows[line - 1]) <= _LONGEST:
            rows[line - 1] = rows[line - 1].replace(value, "", 1)
    return _without("\n".join(rows), links).split()


def _without(text: str, links: bool) -> str:
    return _LINK.sub("(link)", text) if links else text
