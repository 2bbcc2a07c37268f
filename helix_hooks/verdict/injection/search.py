"""Search for phrases that speak to a reviewer.

Only letters count, through look-alikes: blanks, signs and markup between them and up to two letters
between words make no difference. A phrase of few letters stands between words of its own.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from .lookalike import LEET, WORDS, Letters
from .phrases import ORDERS, READERS

_FEW = 24
"""Letters of a phrase below which it must stand between words of its own: longer ones are in no
other word by chance.
"""
_SPELT = 4
"""Characters of a word in which a digit may stand for a letter; a shorter one is a number, where no
other word has digits.
"""
_REACH = 200
"""Letters from a word of a phrase to its ends."""
_TELLING = 5
"""Letters of a word that is rare enough to begin the search with."""
_LOOSE = r"\w{0,2}?"


class Phrase(NamedTuple):
    """A phrase as it is searched for in letters: `pattern`, which matches only around one of the
    words of each of `parts`, the rarest part first; `spaced` in letters and blanks.
    """

    parts: tuple[tuple[str, ...], ...]
    pattern: str
    spaced: str


class Match(NamedTuple):
    """A phrase in a text reduced to its letters: the places of its first and last letter."""

    start: int
    stop: int
    phrase: Phrase


def matches(phrases: Mapping[str, tuple[str, ...]], squeezed: str) -> Iterator[Match]:
    """Yield the places of phrases in a text reduced to its letters."""
    for phrase in _all(tuple(phrases.items())):
        if all(any(word in squeezed for word in part) for part in phrase.parts):
            for start, stop in _around(phrase.parts[0], squeezed):
                yield from (
                    Match(*match.span(), phrase)
                    for match in _compiled(phrase.pattern).finditer(squeezed, start, stop)
                )


def _around(words: tuple[str, ...], squeezed: str) -> Iterator[tuple[int, int]]:
    """Yield the regions of a text around some words."""
    first = last = -1
    for start in sorted(place for word in words for place in _places(word, squeezed)):
        if first >= 0 and start - _REACH > last:
            yield first, last
            first = -1
        first = max(0, start - _REACH) if first < 0 else first
        last = start + _REACH
    if first >= 0:
        yield first, last


def _places(word: str, squeezed: str) -> Iterator[int]:
    place = squeezed.find(word)
    while place >= 0:
        yield place
        place = squeezed.find(word, place + 1)


def is_whole(phrase: Phrase, quote: str, letters: Letters) -> bool:
    """Return whether words of their own make up a phrase, or single letters do; `quote` is the text
    of the phrase as written.

    Of digits alone no phrase is made. Scripts without blanks have no such words.
    """
    if sum(map(str.isdigit, quote)) * 2 > len(quote):
        return False
    if any(unicodedata.category(char) == "Lo" for char in quote):
        return True
    if any(len(word) < _SPELT for word in re.findall(r"[^\W_]*\d[^\W_]*", quote)) and not _is_leet(
        quote
    ):
        return False
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", quote).translate(letters).split()
    return max(map(len, words)) == 1 or bool(_compiled(phrase.spaced).fullmatch(" ".join(words)))


def _is_leet(quote: str) -> bool:
    """Return whether more than one word has digits for letters; in `message (1a)` a number stands
    beside a word.
    """
    return sum(1 for word in quote.split() if re.search(r"\d", word)) > 1


def speaks(words: str) -> bool:
    """Return whether a text, as letters and blanks, names a reader and asks something of one."""
    return bool(
        _compiled(_any_of(tuple(READERS.values()))).search(words)
        and _compiled(_any_of(tuple(ORDERS.values()))).search(words)
    )


def is_short(match: Match) -> bool:
    """Return whether a phrase may be part of other words by chance."""
    return match.stop - match.start < _FEW


_compiled = lru_cache(maxsize=512)(re.compile)


@lru_cache(maxsize=4)
def _all(rows: tuple[tuple[str, tuple[str, ...]], ...]) -> tuple[Phrase, ...]:
    return tuple(_phrase(row.split()) for _, phrases in rows for row in phrases)


def _phrase(words: list[str]) -> Phrase:
    parts: list[tuple[str, ...]] = []
    pattern = spaced = loose = ""
    for word in words:
        if word == "...":
            pattern, spaced, loose = rf"{pattern}\w{{0,40}}?", rf"{spaced}[\w ]{{0,60}}?", ""
            continue
        choice = word.removeprefix("~").split("/")
        letters, blanks = (
            _any(one.translate(LEET) for one in choice),
            _any(one.translate(WORDS).replace(" ", " ?") for one in choice),
        )
        if word.startswith("~"):
            pattern += f"(?:{loose}{letters}){{0,4}}?"
            spaced += f"(?: ?{blanks}){{0,4}}?"
        else:
            parts.append(tuple(one.translate(LEET) for one in choice))
            pattern += f"{loose}{letters}"
            spaced += f" ?{blanks}"
        loose = _LOOSE
    parts.sort(key=lambda part: (min(map(len, part)) < _TELLING, len(part)))
    return Phrase(tuple(parts), pattern, spaced)


def _any(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


@lru_cache(maxsize=2)
def _any_of(rows: tuple[str, ...]) -> str:
    """Return a pattern of any of some words, each between blanks.

    Words of scripts without blanks stand anywhere.
    """
    words = {" ".join(one.translate(WORDS).split()) for row in rows for one in row.split()}
    spaced = sorted(word for word in words if not _is_dense(word))
    dense = sorted(word for word in words if _is_dense(word))
    return rf"\b(?:{'|'.join(spaced)})\b|{'|'.join(dense)}"


def _is_dense(word: str) -> bool:
    return any(char >= "\u1100" for char in word)
