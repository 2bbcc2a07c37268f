"""The amount of words in a prose text, whatever its white space and markup."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import attrgetter

from ...text.invisible import without_invisible
from .blocks import blocks
from .document import AdrDocument, Section
from .visible import ASIDE, LINKED, SPAN
from .visible import text as text_of

_LONGEST = 40
"""Maximum characters of a word that count, so that a URL or an encoded image counts as one word."""
_PLACEHOLDERS = frozenset(
    "todo tbd tbc fixme wip n/a lorem ipsum to be done defined determined written decided coming "
    "soon later".split()
)
_MARKS = "*_`~#-+[](){}<>.,;:!?/|…"
_FEWEST_WORDS = 2
_FEWEST_SIGNS = 6
"""Minimum letters in scripts without blanks between words."""


def length(text: str, enough: int) -> int:
    """Return the characters of the words in a visible text, with one space between them.

    A word has a letter or a digit, so neither line ends nor layout change the number. Counting
    stops at `enough`.
    """
    total = -1
    for word in text.split():
        if word.isalnum() or any(map(str.isalnum, word)):
            total += min(len(word), _LONGEST) + 1
            if total >= enough:
                break
    return max(total, 0)


def length_of(doc: AdrDocument, start: int, stop: int, enough: int) -> int:
    """Return the `length` of the prose between two offsets."""
    return length(doc.prose(start, stop), enough)


def says_something(text: str) -> bool:
    """Return whether a text has a word that is not a usual placeholder."""
    shown = without_invisible(text).strip()
    if shown.startswith("{") and shown.endswith("}"):
        return False
    for raw in shown.casefold().split():
        word = raw.strip(_MARKS)
        if word not in _PLACEHOLDERS and any(map(str.isalnum, word)):
            return True
    return False


def reason_of(text: str) -> str:
    """Return a text if it can be a reason, else "".

    A reason has at least two words, so the placeholder "why" in the help is not one.
    """
    words = re.findall(r"[^\W\d_]{2,}", text)
    if len(words) < _FEWEST_WORDS and not any(map(_is_long_unspaced, words)):
        return ""
    return text if says_something(text) else ""


def states_something(doc: AdrDocument, section: Section) -> bool:
    """Return whether a section, with its subsections, has prose of its own.

    That is a word outside of headings, links, code, quotes, pictures, struck-out text and the names
    of columns.
    """
    first = bisect_left(doc.sections, section.heading_start, key=attrgetter("heading_start"))
    for part in doc.sections[first:]:
        if part.heading_start >= section.stop:
            break
        start, stop = part.start, part.own_stop
        text = text_of(doc.shown.runs, start, stop, ASIDE | LINKED | SPAN)
        words = _words(text)
        if next(words, None) is None:
            continue
        if "|" not in text:
            return True
        named = 0
        for block in blocks(doc, start, stop):
            if block.head:
                named += len([*_words(" ".join(block.cells))])
        if not named or len([*words]) >= named:
            return True
    return False


def _words(text: str) -> Iterator[str]:
    """Yield the words that are no addresses and no usual placeholders."""
    for word in text.casefold().split():
        plain = word.strip(_MARKS)
        if "://" not in word and plain not in _PLACEHOLDERS and any(map(str.isalnum, plain)):
            yield plain


def _is_long_unspaced(word: str) -> bool:
    return not word.isascii() and len(word) >= _FEWEST_SIGNS


def is_code_alone(doc: AdrDocument) -> bool:
    """Return whether a file has only code, such as a sample next to its ADR."""
    has_prose = doc.title or doc.prose_markup[doc.body :].strip()
    return bool(doc.fences) and not has_prose
