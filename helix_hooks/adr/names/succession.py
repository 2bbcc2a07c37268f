"""The words with which a text tells that another decision took its place."""

import re

_REPLACED = (
    r"\bsuper[sc]eded\b|\b(?:replaced|obsoleted)\s+by\b|ersetzt\s+durch|abgelöst|remplacée?\s+par"
    r"|(?:reemplazad|sustituid|substituíd)[oa]\s+por|sostituit[oa]\s+da|vervangen\s+door"
)
_WORD = r"[^\W\d_]+"
_FEWEST = 4
"""Words of a sentence; fewer are a status."""


def is_replaced(line: str) -> bool:
    """Return whether a line is a sentence that tells of a successor."""
    words = re.findall(_WORD, line)
    return len(words) >= _FEWEST and bool(re.search(_REPLACED, line, re.IGNORECASE))
