"""Is a changed word the same word, spelt right?

Without a dictionary only the shape of the change can say so: letters swapped, doubled, left out or
mistaken inside of a plain word. What changes a beginning or an ending makes another word of it
(HTTP and HTTPS, include and exclude), and so do pairs that mean the opposite.
"""

_SHORTEST = 4
"""Letters of a word in which a letter may be wrong; shorter ones are each other's neighbours (for,
far).
"""
_LONG = 8
"""Letters from which on two may be wrong."""
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
"""Beginnings that tell words apart which differ inside only."""
_ENDING = 2
"""Letters at the end that belong to the ending of a word: -ed, -es, -er, -al, -ly."""


def is_typo(old: str, new: str) -> bool:
    """Return whether a word may be the corrected spelling of another: the same beginning and
    ending, and one or two letters between.
    """
    if not (_is_plain(old) and _is_plain(new)) or old[0].isupper() != new[0].isupper():
        return False
    one, other = old.casefold(), new.casefold()
    if one == other or one[0] != other[0] or min(len(one), len(other)) < _SHORTEST - 1:
        return False
    if _is_swapped(one, other):
        return True
    if (
        min(len(one), len(other)) < _SHORTEST
        or one[-_ENDING:] != other[-_ENDING:]
        or _are_opposed(one, other)
    ):
        return False
    return _distance(one, other) <= (2 if min(len(one), len(other)) >= _LONG else 1)


def _is_plain(word: str) -> bool:
    """Return whether a word is plain: only letters, and no capital behind the first."""
    return word.isalpha() and word[1:] == word[1:].lower()


def _is_swapped(one: str, other: str) -> bool:
    """Return whether two neighbouring letters changed places, but for the first: teh and the."""
    if len(one) != len(other):
        return False
    places = [
        index for index, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]
    ]
    return (
        len(places) == 2
        and places[1] == places[0] + 1
        and one[places[0]] == other[places[1]]
        and one[places[1]] == other[places[0]]
    )


def _are_opposed(one: str, other: str) -> bool:
    mine, theirs = (
        max((name for name in _OPPOSED if word.startswith(name)), key=len, default="")
        for word in (one, other)
    )
    return mine != theirs


def _distance(one: str, other: str) -> int:
    """Letters that differ: inserted, left out or replaced (Levenshtein)."""
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        above, row[0] = row[0], index
        for place, another in enumerate(other, 1):
            above, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, above + (letter != another)),
            )
    return row[-1]
