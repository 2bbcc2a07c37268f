"""The amount of words in a stretch of prose, whatever its white space and markup."""

import re

from ...text.invisible import without_invisible
from .document import AdrDocument

_LONGEST = 40
"""Characters of a word that count: a URL or an encoded image says no more than one."""
_PLACEHOLDERS = frozenset(
    "todo tbd tbc fixme wip n/a lorem ipsum to be done defined determined written decided coming "
    "soon later".split()
)
_MARKS = "*_`~#-+[](){}<>.,;:!?/|…"
_FEWEST_WORDS = 2
_FEWEST_SIGNS = 6
"""Minimum letters, in scripts that put no blanks between words."""


def length(text: str, enough: int) -> int:
    """Count the characters of the words in a visible text, one blank between them; counting stops
    once there are `enough`.

    A word has a letter or a digit, so neither line ends nor layout change the number.
    """
    total = -1
    for word in text.split():
        if word.isalnum() or any(map(str.isalnum, word)):
            total += min(len(word), _LONGEST) + 1
            if total >= enough:
                break
    return max(total, 0)


def length_of(doc: AdrDocument, start: int, stop: int, enough: int) -> int:
    """`length` of the prose between two offsets; most say enough at their beginning, and the rest
    is not read then.
    """
    top = doc.prose(start, stop, 60 + 4 * enough)
    found = length(top, enough)
    return found if found >= enough else length(doc.prose(start, stop), enough)


def says_something(text: str) -> bool:
    """Return whether a text has a word besides the usual place-holders for one."""
    shown = without_invisible(text).strip()
    if shown.startswith("{") and shown.endswith("}"):
        return False
    words = (word.strip(_MARKS) for word in shown.casefold().split())
    return any(word not in _PLACEHOLDERS and any(map(str.isalnum, word)) for word in words)


def reason_of(text: str) -> str:
    """A reason has two words at least, so that the place-holder "why" of the help is none."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    enough = len(words) >= _FEWEST_WORDS or any(
        not word.isascii() and len(word) >= _FEWEST_SIGNS for word in words
    )
    return text if enough and says_something(text) else ""


def is_code_alone(doc: AdrDocument) -> bool:
    """Return whether a file is only code, as a sample beside its ADR."""
    return bool(doc.fences) and not (doc.title or doc.prose_markup[doc.body :].strip())
