"""Recognise lines that name the decision by which an ADR was replaced."""

import re

from ...paths import MARKDOWN_SUFFIX

_REPLACED = (
    r"\bsuper[sc]eded\b|\b(?:replaced|obsoleted)\s+by\b|ersetzt\s+durch|abgelöst|remplacée?\s+par"
    r"|(?:reemplazad|sustituid|substituíd)[oa]\s+por|sostituit[oa]\s+da|vervangen\s+door"
)
_WORD = r"[^\W\d_]+"
_FEWEST = 4
"""Minimum words of a sentence; a shorter line is a status."""
_ANOTHER = rf"(?i)\]\([^()\s]*{MARKDOWN_SUFFIX}\b|\badrs?[-_ #]*\d"


def is_replaced(line: str) -> bool:
    """Return whether a line is a sentence that says that the ADR was replaced."""
    words = re.findall(_WORD, line)
    return len(words) >= _FEWEST and bool(re.search(_REPLACED, line, re.IGNORECASE))


def names_another(lines: list[str]) -> bool:
    """Return whether a line before the next heading links or names another ADR."""
    for line in lines:
        if line.startswith("#"):
            return False
        if re.search(_ANOTHER, line):
            return True
    return False
