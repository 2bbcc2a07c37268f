"""The forms in which a secret may appear in a text: encoded, reversed, or with other characters
between its own.

Only letters and digits are compared, in lower case. This covers many forms at once: spaces,
hyphens or marks between the characters, upper and lower case, and standard or URL-safe base64 with
or without padding.
"""

import base64
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache

from .invisible import CLASS

LETTERS, NUMBERS, BITS = 8, 12, 32
"""Minimum characters that identify a form: of letters and digits, of decimal or hexadecimal digits,
and of zeros and ones.
"""

_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
    "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm",
)
_LOOK_ALIKES = dict(
    zip("аеорсухіѕјһԁԛԝкАВЕКМНОРСТУХІЅЈ", "aeopcyxisjhdqwkABEKMHOPCTYXISJ", strict=True)
)
"""Cyrillic letters that look like Latin ones."""

_DRAWN = ((0xAA, 0x24F), (0x2B0, 0x2FF), (0x1D00, 0x1DBF), (0x2070, 0x209C), (0x2100, 0x214F),
          (0x2460, 0x24FF),
          (0xFF01, 0xFF5E), (0x1D400, 0x1D7FF), (0x1F100, 0x1F189))  # fmt: skip
"""Ranges of Unicode with variants of letters and digits: wide, superscript, circled, mathematical,
with accents.
"""

_MARKUP = re.compile(r"<[^<>]{0,200}>|&#?\w{1,10};|^[ \t>]{0,9}\d{1,4}[.)][ \t]", re.MULTILINE)
"""HTML tags, character references, and the numbers of a list."""

_FIRST_FLAG = 0x1F1E6
"""The first of the 26 regional indicators, which form flags."""

_ESCAPES = re.compile(r"\\[xX]|\\[uU]\{?0*|&#[xX]?0*|\b0[xXoObB]|[uU]\+0*|\\0+|\bchr\b|\bord\b")
"""Prefixes of a character's code in source code and HTML, as in `\\x41` and `&#x41;`."""

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class CharacterView:
    """The characters of a text that match a pattern, each with its place in the text."""

    def __init__(self, text: str, pattern: "re.Pattern[str]") -> None:
        matches = list(pattern.finditer(text))
        self.text = "".join(match[0] for match in matches)
        self._starts: list[int] = []
        self._places: list[int] = []
        length = 0
        for match in matches:
            self._starts.append(length)
            self._places.append(match.start())
            length += match.end() - match.start()

    def place(self, index: int) -> int:
        """Return the place of a character of the view in the text."""
        piece = bisect_right(self._starts, index) - 1
        return self._places[piece] + index - self._starts[piece]


_PLAIN = re.compile("[A-Za-z0-9]+")
_SEEN = re.compile(f"[^{CLASS}]+")


def views(text: str) -> Iterator[CharacterView]:
    """Yield views of the letters and digits of a text in lower case.

    Further views leave out the prefixes of escapes and the markup, if the text has any.
    """
    text = _lower(_with_plain_letters(text))
    yield CharacterView(text, _PLAIN)
    for ignored in (_ESCAPES, _MARKUP):
        if ignored.search(text):
            # Spaces keep the places of the other characters.
            yield CharacterView(ignored.sub(lambda match: " " * len(match[0]), text), _PLAIN)


def visible(text: str) -> CharacterView:
    """Return a view of the visible characters of a text."""
    return CharacterView(text, _SEEN)


def skeleton(text: str) -> str:
    """Return the letters and digits of a text as in the first of its views."""
    return "".join(_PLAIN.findall(_lower(_with_plain_letters(text))))


def _with_plain_letters(text: str) -> str:
    if text.isascii():
        return text
    return text.translate(_plain_letters())


def _lower(text: str) -> str:
    """Return a text with ASCII letters in lower case."""
    if text.isascii():
        return text.lower()
    # `lower` would turn some other letters into two characters, and move the places behind them.
    return re.sub("[A-Z]+", lambda match: match[0].lower(), text)


@lru_cache(maxsize=1)
def _plain_letters() -> dict[int, str]:
    """Return the plain letter or digit for the code of each character that looks like one."""
    letters = {ord(character): plain for character, plain in _LOOK_ALIKES.items()}
    for first, last in _DRAWN:
        for number in range(first, last + 1):
            plain = _PLAIN.findall(unicodedata.normalize("NFKD", chr(number)))
            if len(plain) == 1 and len(plain[0]) == 1:
                letters[number] = plain[0]
    for index in range(26):
        letters[_FIRST_FLAG + index] = chr(ord("A") + index)
    return letters


def encoded(text: str) -> Iterator[tuple[str, int]]:
    """Yield each encoded form of a text, with the number of characters that identify it."""
    data = text.encode(errors="surrogatepass")
    utf_16 = text.encode("utf-16-le", errors="surrogatepass")
    rot13 = text.translate(_ROT13).encode(errors="surrogatepass")
    for source, encode in (
        (data, _encoded),
        (data[::-1], _encoded),
        (utf_16, _as_bytes),
        (rot13, _as_bytes),
    ):
        for form, size in encode(source):
            plain = skeleton(form)
            yield plain, size
            yield plain[::-1], size


def turned(text: str) -> Iterator[str]:
    """Yield the forms of a text that keep its letters and digits.

    These are the text itself, rot13 and percent-encoding, and each of them reversed.
    """
    for form in (text, text.translate(_ROT13), _percent(text.encode(errors="surrogatepass"))):
        yield from (form, form[::-1])


def _as_bytes(data: bytes) -> Iterator[tuple[str, int]]:
    yield base64.b64encode(data).decode(), LETTERS
    yield base64.b32encode(data).decode(), LETTERS
    # The secret may begin at any byte of a group of three, within a longer encoded text.
    for shift in range(3):
        yield _inner(base64.b64encode, data, shift, 3, 4), LETTERS
    yield data.hex(), NUMBERS


def _encoded(data: bytes) -> Iterator[tuple[str, int]]:
    yield from _as_bytes(data)
    for shift in range(5):
        yield _inner(base64.b32encode, data, shift, 5, 8), LETTERS
    yield from _encoded_twice(data)
    for style, size in (
        ("03", NUMBERS), ("b", BITS), ("07b", BITS), ("", NUMBERS),
        ("o", NUMBERS), ("03o", NUMBERS), ("08b", BITS),
    ):  # fmt: skip
        yield "".join(format(byte, style) for byte in data), size


def _encoded_twice(data: bytes) -> Iterator[tuple[str, int]]:
    for encode in (base64.b64encode, base64.b16encode, base64.b32encode):
        yield base64.b64encode(encode(data)).decode().rstrip("="), LETTERS
        yield encode(data).hex(), NUMBERS
    yield base64.b64encode(data.hex().encode()).decode().rstrip("="), LETTERS
    yield base64.b64encode(base64.b64encode(base64.b64encode(data))).decode().rstrip("="), LETTERS
    yield data.hex().encode().hex(), NUMBERS


def _inner(
    encode: Callable[[bytes], bytes], data: bytes, shift: int, group: int, characters: int
) -> str:
    """Return the part of an encoded text that does not depend on the bytes around it.

    The encoding turns each `group` of bytes into some `characters`. `shift` is the number of bytes
    of a group before the data.
    """
    text = encode(b"\0" * shift + data).decode().rstrip("=")
    start = -(-shift * characters // group)
    end = (len(data) + shift) * 8 // (8 * group // characters)
    return text[start:end]


def _percent(data: bytes) -> str:
    """Return bytes percent-encoded, as in a URL."""
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)
