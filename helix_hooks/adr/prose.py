"""How much a stretch of prose says, whatever its white space and markup."""

import re

_HEAD = 600
_LONGEST = 40
"""Characters of a word that count: a URL or an encoded image says no more than one."""
_SAYS = re.compile(r"[^\W_]")


def length(text: str, enough: int) -> int:
    """Characters of the words in a text, one blank between them; counting stops once there are `enough`.

    Table borders, rules and list markers are not words, so neither line ends nor layout change the number.
    """
    total = -1
    for word in text.split():
        if word.isalnum() or _SAYS.search(word):
            total += min(len(word), _LONGEST) + 1
            if total >= enough:
                break
    return max(total, 0)


def length_of(prose: bytes, start: int, stop: int, enough: int) -> int:
    """`length` of a stretch of a document; most say enough at their beginning, and the rest is not read then."""
    found = length(prose[start : min(stop, start + _HEAD)].decode(errors="ignore"), enough)
    return found if found >= enough or stop - start <= _HEAD else length(prose[start:stop].decode(), enough)
