"""Letters that look alike, and the plain letters that a reader takes them for. Pure.

`LOOK_ALIKE` is from Unicode's confusables.txt (Unicode Technical Standard 39): single letters and
signs that look like a letter of A to Z, without those that compatibility decomposition (NFKD)
replaces. Small capitals, turned letters and letters with a stroke are added.
"""

import unicodedata

from ...text.invisible import without_invisible

LOOK_ALIKE = {
    "a": "\u0250\u0251\u03b1\u0430\u13aa\u15c5\u1d00\u237a\ua4ee\U000102a0\U00016f40",
    "b": (
        "\u0180\u0184\u0299\u0392\u03b2\u0432\u044c\u13cf\u13f4\u1472\u15af\u15f7\ua4d0\ua7b4"
        "\U00010282"
        "\U000102a1\U00010301\U0001d6a9\U0001d6e3\U0001d71d\U0001d757\U0001d791"
    ),
    "c": (
        "\u0254\u0441\u13df\u1d04\u2ca5\ua4da\U000102a2\U00010302\U0001043d\U0001051c\U000118e9"
        "\U000118f2\U0001f74c"
    ),
    "d": "\u0111\u0501\u13a0\u13e7\u146f\u15de\u15ea\u1d05\ua4d2\ua4d3",
    "e": (
        "\u01dd\u0395\u03b5\u0435\u0454\u13ac\u1d07\u212e\u22ff\u2d39\ua4f0\uab32\U00010286"
        "\U000118a6"
        "\U000118ae\U0001d6ac\U0001d6e6\U0001d720\U0001d75a\U0001d794"
    ),
    "f": (
        "\u03dc\u0584\u15b4\u1e9d\ua4dd\ua730\ua799\uab35\U00010287\U000102a5\U00010525\U000118c2"
        "\U0001d213\U0001d7ca"
    ),
    "g": "\u018d\u0261\u0262\u050d\u0581\u13c0\u13f3\u1d83\ua4d6",
    "h": (
        "\u0127\u0265\u029c\u0397\u043d\u04bb\u0570\u13bb\u13c2\u157c\u2c8e\ua4e7\U000102cf"
        "\U0001d6ae\U0001d6e8\U0001d722\U0001d75c\U0001d796"
    ),
    "i": "\u0131\u0268\u0269\u026a\u03b9\u0456\u04cf\u13a5\u1d09\u2373\U000118c3",
    "j": "\u03f3\u0458\u13ab\u148d\u1d0a\ua4d9\ua7b2",
    "k": (
        "\u039a\u03ba\u043a\u13e6\u16d5\u1d0b\u2c94\ua4d7\U00010518\U0001d6b1\U0001d6eb\U0001d725"
        "\U0001d75f\U0001d799"
    ),
    "l": (
        "\u0142\u01c0\u029f\u06f1\u13de\u14aa\u16c1\u2223\u23fd\u2c92\u2cd0\u2d4f\ua4e1\ua4f2\uffe8"
        "\U0001028a"
        "\U00010309\U00010320\U0001041b\U00010526\U000118b2\U00016f16\U00016f28\U0001d22a"
    ),
    "m": (
        "\u039c\u03fa\u043c\u13b7\u15f0\u16d6\u1d0d\u2c98\ua4df\U000102b0\U00010311\U0001d6b3"
        "\U0001d6ed\U0001d727\U0001d761\U0001d79b"
    ),
    "n": "\u0274\u03b7\u043f\u0578\u057c\u2c9a\ua4e0\U00010513",
    "o": (
        "\u00f8\u03bf\u03c3\u043e\u0585\u06f5\u0966\u09e6\u0a66\u0ae6\u0b20\u0b66\u0be6\u0c66\u0ce6"
        "\u0d20"
        "\u0d66\u0e50\u0ed0\u101d\u1040\u10ff\u12d0\u1d0f\u1d11\u2c9f\u2d54\u3007\ua4f3\uab3d"
        "\U00010292"
        "\U000102ab\U0001042c\U000104ea\U00010516\U000114d0\U000118b5\U000118c8\U000118d7\U000118e0"
    ),
    "p": "\u03c1\u0440\u13e2\u146d\u1d18\u2374\u2ca3\ua4d1\U00010295",
    "q": "\u051b\u0563\u0566\u2d55",
    "r": (
        "\u01a6\u0279\u0280\u0433\u13a1\u13d2\u1587\u1d26\u2c85\ua4e3\uab47\uab48\uab81\U000104b4"
        "\U00016f35\U0001d216"
    ),
    "s": "\u01bd\u0455\u054f\u13d5\u13da\ua4e2\ua731\U00010296\U00010448\U000118c1\U00016f3a",
    "t": (
        "\u0167\u0287\u03a4\u03c4\u0442\u13a2\u1d1b\u22a4\u27d9\u2ca6\ua4d4\U00010297\U000102b1"
        "\U00010315"
        "\U00016f0a\U0001d6bb\U0001d6f5\U0001d72f\U0001d769\U0001d7a3\U0001f768"
    ),
    "u": (
        "\u0289\u028b\u03c5\u057d\u1200\u144c\u1d1c\u222a\u22c3\ua4f4\ua79f\uab4e\uab52\U000104f6"
        "\U000118d8\U00016f42"
    ),
    "v": (
        "\u028c\u03bd\u0475\u06f7\u13d9\u142f\u1d20\u2228\u22c1\u2d38\ua4e6\ua6df\U0001051d"
        "\U00011706\U000118c0\U00016f08\U0001d20d"
    ),
    "w": (
        "\u026f\u028d\u03c9\u051d\u0561\u13b3\u13d4\u1d21\ua4ea\U0001170a\U0001170e\U0001170f"
        "\U000118e6\U000118ef"
    ),
    "x": (
        "\u00d7\u03a7\u03c7\u0445\u1541\u157d\u166d\u16b7\u2573\u292b\u292c\u2a2f\u2cac\u2d5d\ua4eb"
        "\ua7b3"
        "\U00010290\U000102b4\U00010317\U00010322\U00010527\U000118ec\U0001d6be\U0001d6f8\U0001d732"
        "\U0001d76c"
        "\U0001d7a6"
    ),
    "y": (
        "\u0263\u028e\u028f\u03b3\u0443\u10e7\u13a9\u13bd\u1d8c\u1eff\u2ca8\ua4ec\uab5a\U000102b2"
        "\U000118dc\U00016f43"
    ),
    "z": (
        "\u0396\u13c3\u1d22\ua4dc\U000102f5\U000118a9\U000118c4\U000118e5\U0001d6ad\U0001d6e7"
        "\U0001d721\U0001d75b\U0001d795"
    ),
}
"""Letters of other scripts by the letter that they look like."""

_LETTERS: dict[int, str] = {}
for _letter, _others in LOOK_ALIKE.items():
    _LETTERS |= dict.fromkeys(map(ord, _others), _letter)
_LEET = dict(zip("0134578@$", "oieastbas", strict=True))
"""Digits and signs that replace letters."""
_ALIKE = {"l": "i", "\u0131": "i"}
"""A lowercase L, an uppercase I and a one look the same, so they are one letter here."""
_ENCLOSED = ((0x1F150, 26), (0x1F170, 26), (0x1F1E6, 26))
"""First letter and number of letters in circles, in squares, and of flags. NFKD keeps them."""


class Letters(dict[int, str]):
    """A table for `str.translate`: the plain letters of each character, else `other`.

    With `leet`, digits are letters. Characters are computed on first use.
    """

    def __init__(self, leet: bool, other: str = "") -> None:
        super().__init__()
        self._leet, self._other = leet, other

    def __missing__(self, code: int) -> str:
        shown = "".join(self._letters(char) for char in unicodedata.normalize("NFKD", _plain(code)))
        if not shown and not _is_unseen(chr(code)):
            shown = self._other
        self[code] = shown
        return shown

    def _letters(self, char: str) -> str:
        if self._leet and char in _LEET:
            char = _LEET[char]
        folded = _LETTERS.get(ord(char), "")
        if not folded:
            folded = "".join(_LETTERS.get(ord(one), one) for one in char.casefold())
        letters = (one for one in folded if unicodedata.category(one).startswith("L"))
        return "".join(_ALIKE.get(one, one) for one in letters)


def _is_unseen(char: str) -> bool:
    """Return whether a character is an accent or invisible, so that it separates no words."""
    return unicodedata.category(char).startswith("M") or not without_invisible(char)


def _plain(code: int) -> str:
    for first, count in _ENCLOSED:
        if first <= code < first + count:
            return chr(ord("a") + code - first)
    return chr(code)


SQUEEZED, LEET = Letters(leet=False), Letters(leet=True)
"""Only letters, and the same with digits as letters."""
WORDS, LEET_WORDS = Letters(leet=False, other=" "), Letters(leet=True, other=" ")
"""The same with a blank for each character between words."""
