"""Find a quote in a text. Pure."""

import re
from functools import lru_cache

_MOST = 1000
"""Places of a quote that are looked at."""


def place_of(quote: str, text: str, near: int) -> tuple[int, int] | None:
    """Return the first and last line of a quote, of several the nearest to a line; None if it is
    not there.

    Every character counts but the kind and number of blanks: a sentence may be broken over lines in
    the text and not in the quote.
    """
    words = quote.split()
    if not words:
        return None
    joined, starts = _joined(text)
    wanted = " ".join(words)
    found: list[tuple[int, int]] = []
    at = joined.find(wanted)
    while at >= 0 and len(found) < _MOST:
        found.append((_line(starts, at), _line(starts, at + len(wanted) - 1)))
        at = joined.find(wanted, at + len(wanted))
    return min(found, key=lambda place: abs(place[0] - near)) if found else None


@lru_cache(maxsize=8)
def _joined(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text with single blanks, and for each line with words its offset in there."""
    parts, starts, at = [], [], 0
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        words = " ".join(line.split())
        if words:
            starts.append((at, number))
            parts.append(words)
            at += len(words) + 1
    return " ".join(parts), starts


def _line(starts: list[tuple[int, int]], offset: int) -> int:
    low, high = 0, len(starts)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if starts[middle][0] <= offset else (low, middle)
    return starts[low][1]
