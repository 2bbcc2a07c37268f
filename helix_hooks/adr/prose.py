"""How much a stretch of prose says, whatever its white space and markup."""

import re

_LONGEST = 40
"""Characters of a word that count: a URL or an encoded image says no more than one."""
_DEFINITION = r"(?m)^ {0,3}\[[^\]\n]+\]:(?:[ \t].*)?$"
_RANGES = ((0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F))
_INVISIBLE: dict[int, None] = dict.fromkeys(
    [0xAD, 0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFEFF, 0xFFA0, *(code for low, high in _RANGES for code in range(low, high + 1))]
)
"""Characters that are letters, marks or signs to Unicode and nothing to a reader."""
_SIGNS = frozenset(map(chr, _INVISIBLE))
_PLACEHOLDERS = frozenset("todo tbd tbc fixme wip n/a lorem ipsum to be done defined determined written decided coming soon later".split())
_MARKS = "*_`~#-+[](){}<>.,;:!?/|…"
_FEWEST_WORDS = 2
_FEWEST_SIGNS = 6
"""Of a script that puts no blanks between words."""


def length(text: str, enough: int) -> int:
    """Characters of the words in a text, one blank between them; counting stops once there are `enough`.

    Table borders, rules and list markers are not words, so neither line ends nor layout change the number. Link
    definitions, footnotes and invisible characters are not shown, so they do not count either.
    """
    total = -1
    for word in _shown(text).split():
        if word.isalnum() or any(map(str.isalnum, word)):
            total += min(len(word), _LONGEST) + 1
            if total >= enough:
                break
    return max(total, 0)


def length_of(prose: bytes, start: int, stop: int, enough: int) -> int:
    """`length` of a stretch of a document; most say enough at their beginning, and the rest is not read then."""
    head = 60 + 4 * enough
    top = prose[start : min(stop, start + head)]
    if enough == 1 and b"]:" not in top and top.isascii() and any(map(bytes.isalnum, top.split(None, 2))):
        return 1
    found = length(top.decode(errors="ignore"), enough)
    return found if found >= enough or stop - start <= head else length(prose[start:stop].decode(), enough)


def is_blank(text: str) -> bool:
    """Whether a text shows nothing at all, neither a word nor a picture, a rule or code."""
    return not _shown(text).replace("&nbsp;", "").strip()


def says_something(text: str) -> bool:
    """Whether a text has a word besides the usual place-holders for one."""
    shown = _shown(text).strip()
    if shown.startswith("{") and shown.endswith("}"):
        return False
    words = (word.strip(_MARKS) for word in shown.casefold().split())
    return any(word not in _PLACEHOLDERS and any(map(str.isalnum, word)) for word in words)


def _shown(text: str) -> str:
    if "]:" in text:
        text = re.sub(_DEFINITION, "", text)
    return text if text.isascii() or _SIGNS.isdisjoint(text) else text.translate(_INVISIBLE)


def reason_of(text: str) -> str:
    """A reason has two words at least, so that the place-holder "why" of the help is none."""
    words = re.findall(r"[^\W\d_]{2,}", text)
    enough = len(words) >= _FEWEST_WORDS or any(not word.isascii() and len(word) >= _FEWEST_SIGNS for word in words)
    return text if enough and says_something(text) else ""


def shown(text: str) -> str:
    """A text without the characters that nobody sees."""
    return text if text.isascii() else text.translate(_INVISIBLE)
