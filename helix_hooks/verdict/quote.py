"""Find a quote in a text. Pure."""

import re
from bisect import bisect_right
from functools import lru_cache
from operator import itemgetter

_MOST = 1000
"""Maximum number of occurrences of a quote that are compared."""


def place_of(quote: str, text: str, near: int) -> tuple[int, int] | None:
    """Return the first and last line of a quote, of its occurrence nearest to a line; else None.

    Every character counts except the kind and number of blanks: a sentence may be broken over lines
    in the text and not in the quote.
    """
    words = " ".join(quote.split())
    if not words:
        return None
    joined, starts = _joined(text)
    places: list[tuple[int, int]] = []
    at = joined.find(words)
    while at >= 0 and len(places) < _MOST:
        places.append((_line(starts, at), _line(starts, at + len(words) - 1)))
        at = joined.find(words, at + len(words))
    return min(places, key=lambda place: abs(place[0] - near), default=None)


@lru_cache(maxsize=8)
def _joined(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with single blanks, and for each line with words its offset and number."""
    parts, starts, at = [], [], 0
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        words = " ".join(line.split())
        if words:
            starts.append((at, number))
            parts.append(words)
            at += len(words) + 1
    return " ".join(parts), starts


def _line(starts: list[tuple[int, int]], offset: int) -> int:
    """Return the number of the line at an offset."""
    index = bisect_right(starts, offset, key=itemgetter(0)) - 1
    return starts[index][1]
