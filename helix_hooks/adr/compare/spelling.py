"""Recognise corrected typing errors: the changed word is the same word.

Without a dictionary, the change itself is the only evidence: letters swapped, doubled, left out or
replaced inside a plain word. A change at the beginning or end makes another word (HTTP and HTTPS,
include and exclude), and so does a prefix with another meaning.
"""

_SHORTEST = 4
"""Minimum letters of a word with a wrong letter; shorter words differ in one letter (for, far)."""
_LONG = 8
"""Minimum letters of a word with two wrong letters."""
_OPPOSED = (
    "inter",
    "intra",
    "pre",
    "pro",
    "hyper",
    "hypo",
    "micro",
    "macro",
    "ante",
    "anti",
    "over",
    "under",
    "per",
    "sub",
    "super",
    "mini",
    "maxi",
    "major",
    "minor",
    "quali",
    "quanti",
    "adap",
    "adop",
    "mono",
    "multi",
    "uni",
    "inbound",
    "outbound",
    "unload",
    "upload",
    "down",
)
"""Prefixes of different words that differ only inside."""
_ENDING = 2
"""Letters of an ending: -ed, -es, -er, -al, -ly."""


def is_typo(old: str, new: str) -> bool:
    """Return whether a word may be the corrected spelling of another.

    They have the same beginning and ending, and one or two different letters.
    """
    if not (_is_plain(old) and _is_plain(new)) or old[0].isupper() != new[0].isupper():
        return False
    one, other = old.casefold(), new.casefold()
    size = min(len(one), len(other))
    if one == other or one[0] != other[0] or size < _SHORTEST - 1:
        return False
    return _is_swapped(one, other) or (size >= _SHORTEST and _has_wrong_letters(one, other))


def _has_wrong_letters(one: str, other: str) -> bool:
    if one[-_ENDING:] != other[-_ENDING:] or _are_opposed(one, other):
        return False
    most = 2 if min(len(one), len(other)) >= _LONG else 1
    return _distance(one, other) <= most


def _is_plain(word: str) -> bool:
    """Return whether a word has only letters, and no capital after the first one."""
    return word.isalpha() and word[1:] == word[1:].lower()


def _is_swapped(one: str, other: str) -> bool:
    """Return whether two neighbouring letters changed places: teh and the."""
    if len(one) != len(other):
        return False
    places = [place for place in range(len(one)) if one[place] != other[place]]
    if len(places) != 2 or places[1] != places[0] + 1:
        return False
    first, second = places
    return one[first] == other[second] and one[second] == other[first]


def _are_opposed(one: str, other: str) -> bool:
    return _prefix(one) != _prefix(other)


def _prefix(word: str) -> str:
    """Return the longest prefix of `_OPPOSED` with which a word begins, "" without one."""
    return max(filter(word.startswith, _OPPOSED), key=len, default="")


def _distance(one: str, other: str) -> int:
    """Return the number of letters that are inserted, left out or replaced (Levenshtein)."""
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        diagonal, row[0] = row[0], index
        for place, another in enumerate(other, 1):
            replaced = diagonal + (letter != another)
            diagonal = row[place]
            row[place] = min(row[place] + 1, row[place - 1] + 1, replaced)
    return row[-1]
