"""How much a stretch of prose says, whatever its white space and markup."""

import re

_TELLING = 6
_LONGEST = 40
"""Characters of a word that count: a URL or an encoded image says no more than one."""
_DEFINITION = r"(?m)^ {0,3}\[[^\]\n]+\]:(?:[ \t].*)?$"
_INVISIBLE = "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0]"
_PLACEHOLDER = r"(?i)\b(?:todo|tbd|tbc|fixme|wip|n/a|lorem ipsum|to be (?:done|defined|determined|written)|coming soon)\b|\{[^{}\n]*\}"
_SAYS = re.compile(r"[^\W_]")


def length(text: str, enough: int) -> int:
    """Characters of the words in a text, one blank between them; counting stops once there are `enough`.

    Table borders, rules and list markers are not words, so neither line ends nor layout change the number. Link
    definitions, footnotes and invisible characters are not shown, so they do not count either.
    """
    if "]:" in text:
        text = re.sub(_DEFINITION, "", text)
    if not text.isascii():
        text = re.sub(_INVISIBLE, "", text)
    total = -1
    for word in text.split():
        if word.isalnum() or _SAYS.search(word):
            total += min(len(word), _LONGEST) + 1
            if total >= enough:
                break
    return max(total, 0)


def length_of(prose: bytes, start: int, stop: int, enough: int) -> int:
    """`length` of a stretch of a document; most say enough at their beginning, and the rest is not read then."""
    head = 60 + 4 * enough
    top = prose[start : min(stop, start + head)]
    if enough == 1 and top.isascii() and b"]:" not in top and re.search(rb"[A-Za-z0-9]", top):
        return 1
    found = length(top.decode(errors="ignore"), enough)
    return found if found >= enough or stop - start <= head else length(prose[start:stop].decode(), enough)


def is_blank(text: str) -> bool:
    """Whether a text shows nothing at all, neither a word nor a picture, a rule or code."""
    return not re.sub(_INVISIBLE, "", re.sub(_DEFINITION, "", text)).replace("&nbsp;", "").strip()


def says_something(text: str) -> bool:
    """Whether a text has a word besides the usual place-holders for one; those are short."""
    return sum(map(str.isalpha, text.split())) > _TELLING or length(re.sub(_PLACEHOLDER, "", text), 1) > 0
