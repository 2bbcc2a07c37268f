"""Search for phrases that address a reviewer.

Only letters count, with look-alikes replaced. Blanks, signs and markup between letters, and up to
two letters between words, make no difference. A short phrase must consist of separate words.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from .lookalike import LEET, WORDS, Letters
from .phrases import ORDERS, READERS

_FEW = 24
"""Minimum letters of a phrase that need not consist of separate words.

So many letters are part of other words only by design.
"""
_SPELT = 4
"""Minimum characters of a word in which a digit may replace a letter.

A shorter one is a number, unless another word has digits too.
"""
_REACH = 200
"""Maximum number of letters from a word of a phrase to the phrase's ends."""
_TELLING = 5
"""Minimum letters of a word that is rare enough to begin the search with."""
_LOOSE = r"\w{0,2}?"


class Phrase(NamedTuple):
    """A phrase in the form of the search.

    `pattern` is a regular expression on letters. It can match only around one of the words of each
    of `parts`, the rarest part first. `spaced` is one on letters and blanks.
    """

    parts: tuple[tuple[str, ...], ...]
    pattern: str
    spaced: str


class Match(NamedTuple):
    """A phrase in a text reduced to its letters: the offset of its first letter, and its end."""

    start: int
    stop: int
    phrase: Phrase


def matches(phrases: Mapping[str, tuple[str, ...]], squeezed: str) -> Iterator[Match]:
    """Yield the places of phrases in a text reduced to its letters."""
    for phrase in _all(tuple(phrases.items())):
        # Searching for plain words first is much faster than the pattern.
        if not all(any(word in squeezed for word in part) for part in phrase.parts):
            continue
        pattern = _compiled(phrase.pattern)
        for start, stop in _around(phrase.parts[0], squeezed):
            for match in pattern.finditer(squeezed, start, stop):
                yield Match(*match.span(), phrase)


def _around(words: tuple[str, ...], squeezed: str) -> Iterator[tuple[int, int]]:
    """Yield the regions of a text around some words; regions that overlap are one."""
    starts: list[int] = []
    for word in words:
        starts += _places(word, squeezed)
    first = last = -1
    for start in sorted(starts):
        if first >= 0 and start - _REACH > last:
            yield first, last
            first = -1
        if first < 0:
            first = max(0, start - _REACH)
        last = start + _REACH
    if first >= 0:
        yield first, last


def _places(word: str, squeezed: str) -> Iterator[int]:
    place = squeezed.find(word)
    while place >= 0:
        yield place
        place = squeezed.find(word, place + 1)


def is_whole(phrase: Phrase, quote: str, letters: Letters) -> bool:
    """Return whether a phrase consists of separate words, or of single letters.

    `quote` is the text of the phrase as written. Only digits are never a phrase.
    """
    if sum(map(str.isdigit, quote)) * 2 > len(quote):
        return False
    # Scripts without case, such as Chinese, have no blanks between words.
    if any(unicodedata.category(char) == "Lo" for char in quote):
        return True
    if _has_number(quote) and not _is_leet(quote):
        return False
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", quote).translate(letters).split()
    return max(map(len, words)) == 1 or bool(_compiled(phrase.spaced).fullmatch(" ".join(words)))


def _has_number(quote: str) -> bool:
    """Return whether a word with digits is too short to be a word with replaced letters."""
    return any(len(word) < _SPELT for word in re.findall(r"[^\W_]*\d[^\W_]*", quote))


def _is_leet(quote: str) -> bool:
    """Return whether several words have digits as letters.

    In `message (1a)` a number follows a word.
    """
    return sum(1 for word in quote.split() if re.search(r"\d", word)) > 1


def speaks(words: str) -> bool:
    """Return whether a text of letters and blanks addresses a reader and requests something."""
    names_reader = _compiled(_any_of(tuple(READERS.values()))).search(words)
    has_order = _compiled(_any_of(tuple(ORDERS.values()))).search(words)
    return bool(names_reader and has_order)


def is_short(match: Match) -> bool:
    """Return whether a phrase may be part of other words by chance."""
    return match.stop - match.start < _FEW


_compiled = lru_cache(maxsize=512)(re.compile)


@lru_cache(maxsize=4)
def _all(rows: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Phrase, ...]:
    parsed: list[Phrase] = []
    for _, phrases in rows:
        parsed += [_phrase(phrase.split()) for phrase in phrases]
    return tuple(parsed)


def _phrase(words: list[str]) -> Phrase:
    """Return a phrase from its row in the table; `phrases` describes the syntax."""
    parts: list[tuple[str, ...]] = []
    pattern = spaced = loose = ""
    for word in words:
        if word == "...":
            pattern, spaced, loose = rf"{pattern}\w{{0,40}}?", rf"{spaced}[\w ]{{0,60}}?", ""
            continue
        choice = word.removeprefix("~").split("/")
        letters = _any(one.translate(LEET) for one in choice)
        blanks = _any(one.translate(WORDS).replace(" ", " ?") for one in choice)
        if word.startswith("~"):
            pattern += f"(?:{loose}{letters}){{0,4}}?"
            spaced += f"(?: ?{blanks}){{0,4}}?"
        else:
            parts.append(tuple(one.translate(LEET) for one in choice))
            pattern += f"{loose}{letters}"
            spaced += f" ?{blanks}"
        loose = _LOOSE
    # The rarest part first: long words, and few of them.
    parts.sort(key=lambda part: (min(map(len, part)) < _TELLING, len(part)))
    return Phrase(tuple(parts), pattern, spaced)


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


@lru_cache(maxsize=2)
def _any_of(rows: tuple[str, ...]) -> str:
    """Return a pattern of any of some words, each between blanks.

    Words of scripts without blanks may be anywhere.
    """
    words: set[str] = set()
    for row in rows:
        words |= {" ".join(word.translate(WORDS).split()) for word in row.split()}
    spaced = sorted(word for word in words if not _is_dense(word))
    dense = sorted(word for word in words if _is_dense(word))
    return rf"\b(?:{'|'.join(spaced)})\b|{'|'.join(dense)}"


def _is_dense(word: str) -> bool:
    """Return whether a word is of a script without blanks: Hangul is the first of them here."""
    return any(char >= "\u1100" for char in word)
