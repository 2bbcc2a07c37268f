"""The forms in which a text may stand in another one: encoded, reversed, with signs between its
characters.

Everything is compared by its letters and digits alone, in lower case. That makes one form of many:
with blanks, hyphens or marks between the characters, in either case, in standard and URL-safe
base64 with or without padding.
"""

import base64
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache

from .invisible import CLASS

LETTERS, NUMBERS, BITS = 8, 12, 32
"""Minimum characters that identify a form: letters and digits, digits alone (16 of them at most),
zeros and ones.
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
"""Ranges of Unicode with letters and digits of other shapes: wide, raised, circled, mathematical,
with accents.
"""

_MARKUP = re.compile(r"<[^<>]{0,200}>|&#?\w{1,10};|^[ \t>]{0,9}\d{1,4}[.)][ \t]", re.MULTILINE)
"""Tags, references, and the numbers of a list."""

_FIRST_FLAG = 0x1F1E6
"""The first of the letters that form flags."""

_ESCAPES = re.compile(r"\\[xX]|\\[uU]\{?0*|&#[xX]?0*|\b0[xXoObB]|[uU]\+0*|\\0+|\bchr\b|\bord\b")
"""Signs before the code of a character; a code in decimals needs none of it."""

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class CharacterView:
    """A part of a text's characters in one row, with the place of each in the text."""

    def __init__(self, text: str, wanted: "re.Pattern[str]") -> None:
        matches = list(wanted.finditer(text))
        self.text = "".join(match[0] for match in matches)
        self._starts: list[int] = []
        self._places: list[int] = []
        at = 0
        for match in matches:
            self._starts.append(at)
            self._places.append(match.start())
            at += match.end() - match.start()

    def place(self, index: int) -> int:
        """Return where a character of the view stands in the text."""
        piece = bisect_right(self._starts, index) - 1
        return self._places[piece] + index - self._starts[piece]


_PLAIN = re.compile("[A-Za-z0-9]+")
_SEEN = re.compile(f"[^{CLASS}]+")


def views(text: str) -> Iterator[CharacterView]:
    """Yield the letters and digits of a text in lower case; once more without the signs of escapes,
    and without markup, where it has some.
    """
    text = _lower(text if text.isascii() else text.translate(_shapes()))
    yield CharacterView(text, _PLAIN)
    for left_out in (_ESCAPES, _MARKUP):
        if left_out.search(text):
            yield CharacterView(left_out.sub(lambda match: " " * len(match[0]), text), _PLAIN)


def visible(text: str) -> CharacterView:
    """Return the characters of a text that a reader sees."""
    return CharacterView(text, _SEEN)


def skeleton(text: str) -> str:
    """Return a text as a view shows it."""
    text = text if text.isascii() else text.translate(_shapes())
    return "".join(_PLAIN.findall(_lower(text)))


def _lower(text: str) -> str:
    """Return the text with ASCII in lower case; other letters may become two characters."""
    return (
        text.lower() if text.isascii() else re.sub("[A-Z]+", lambda match: match[0].lower(), text)
    )


@lru_cache(maxsize=1)
def _shapes() -> dict[int, str]:
    """Return the plain letter or digit for each character that is drawn like one."""
    found = {ord(sign): plain for sign, plain in _LOOK_ALIKES.items()}
    for first, last in _DRAWN:
        for number in range(first, last + 1):
            plain = _PLAIN.findall(unicodedata.normalize("NFKD", chr(number)))
            if len(plain) == 1 and len(plain[0]) == 1:
                found[number] = plain[0]
    return found | {_FIRST_FLAG + at: chr(ord("A") + at) for at in range(26)}


def encoded(text: str) -> Iterator[tuple[str, int]]:
    """Yield each encoded form of a text, with the number of its characters that tell it."""
    data = text.encode(errors="surrogatepass")
    wide, turned_over = (
        text.encode("utf-16-le", errors="surrogatepass"),
        text.translate(_ROT13).encode(errors="surrogatepass"),
    )
    for whole, encode in (
        (data, _encoded),
        (data[::-1], _encoded),
        (wide, _as_bytes),
        (turned_over, _as_bytes),
    ):
        for form, telling in encode(whole):
            plain = skeleton(form)
            yield plain, telling
            yield plain[::-1], telling


def turned(text: str) -> Iterator[str]:
    """Yield the forms of a text in which its letters and digits stay readable: as it is, in rot13,
    percent-encoded, and each backwards.
    """
    for form in (text, text.translate(_ROT13), _percent(text.encode(errors="surrogatepass"))):
        yield from (form, form[::-1])


def _as_bytes(data: bytes) -> Iterator[tuple[str, int]]:
    yield from ((encode(data).decode(), LETTERS) for encode in (base64.b64encode, base64.b32encode))
    for shift in range(3):
        yield _inner(base64.b64encode, data, shift, 3, 4), LETTERS
    yield data.hex(), NUMBERS


def _encoded(data: bytes) -> Iterator[tuple[str, int]]:
    yield from _as_bytes(data)
    for shift in range(5):
        yield _inner(base64.b32encode, data, shift, 5, 8), LETTERS
    for encode in (base64.b64encode, base64.b16encode, base64.b32encode):
        yield base64.b64encode(encode(data)).decode().rstrip("="), LETTERS
        yield encode(data).hex(), NUMBERS
    yield base64.b64encode(data.hex().encode()).decode().rstrip("="), LETTERS
    yield base64.b64encode(base64.b64encode(base64.b64encode(data))).decode().rstrip("="), LETTERS
    yield data.hex().encode().hex(), NUMBERS
    yield from (
        ("".join(f"{byte:03}" for byte in data), NUMBERS),
        ("".join(f"{byte:b}" for byte in data), BITS),
        ("".join(f"{byte:07b}" for byte in data), BITS),
    )
    yield from (
        ("".join(str(byte) for byte in data), NUMBERS),
        ("".join(f"{byte:o}" for byte in data), NUMBERS),
    )
    yield from (
        ("".join(f"{byte:03o}" for byte in data), NUMBERS),
        ("".join(f"{byte:08b}" for byte in data), BITS),
    )


def _inner(encode: Callable[[bytes], bytes], data: bytes, shift: int, of: int, to: int) -> str:
    """Return the part of an encoded text that is the same whatever stands around it: `of` bytes are
    `to` characters there.
    """
    text = encode(b"\0" * shift + data).decode().rstrip("=")
    first = -(-shift * to // of)
    whole = (len(data) + shift) * 8 // (8 * of // to)
    return text[first:whole]


def _percent(data: bytes) -> str:
    return "".join(chr(byte) if byte in _UNRESERVED else f"%{byte:02X}" for byte in data)
