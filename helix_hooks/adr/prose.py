"""How much a stretch of prose says, whatever its white space and markup."""

import re

_WORD = re.compile(r"\S*\w\S*")


def length(text: str, enough: int) -> int:
    """Characters of the words in a text, one blank between them; counting stops once there are `enough`.

    Table borders, rules and list markers are not words, so neither line ends nor layout change the number.
    """
    total = -1
    for match in _WORD.finditer(text):
        total += match.end() - match.start() + 1
        if total >= enough:
            break
    return max(total, 0)
