"""The text right under the title, which early MADR has for a context."""

import re

from .document import AdrDocument
from .prose import length

_LABEL = r"\W*[^\W\d_][\w /-]{0,30}[*_]*\s*[:\uff1a](.*)"
"""A line `Date: 2025-03-01`, or one with another label."""
_LONGEST_VALUE = 40
"""Characters of prose behind a label; more than that are a sentence."""
_ENOUGH = 24
"""Characters of prose that tell more than a subtitle does."""


def tells_something(doc: AdrDocument) -> bool:
    """Return whether prose stands between the title and the first section, header lines apart."""
    start = doc.title.start if doc.title else doc.body
    stop = doc.sections[0].heading_start if doc.sections else len(doc.data)
    if stop - start < _ENOUGH:
        return False
    lines = doc.prose(start, stop).split("\n")
    prose = " ".join(line for line in lines if not _is_field(line))
    return length(prose, _ENOUGH) >= _ENOUGH


def _is_field(line: str) -> bool:
    label = re.match(_LABEL, line)
    return "|" in line or bool(label and length(label[1], _LONGEST_VALUE) < _LONGEST_VALUE)
