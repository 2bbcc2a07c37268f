"""The forms in which a secret may appear in a text, and the views of a text to search for them.

Only letters and digits are compared, in lower case. This covers many forms at once: spaces,
hyphens, marks or invisible characters between the characters, upper and lower case, and standard or
URL-safe base64 with or without padding. Pure.
"""

import base64
import json
import re
from bisect import bisect_right
from collections.abc import Iterator

from .invisible import CLASS

_MARKUP = re.compile(r"<[^<>]{0,200}>|&#?\w{1,10};|^[ \t>]{0,9}\d{1,4}[.)][ \t]", re.MULTILINE)
"""HTML tags, character references, and the numbers of a list."""

_ESCAPES = re.compile(r"\\[xX]|\\[uU]\{?0*|&#[xX]0*|\b0[xX]|[uU]\+0*")
"""Prefixes of a character's hexadecimal code in JSON, source code and HTML, as in `\\u0041`."""

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_PLAIN = re.compile("[A-Za-z0-9]+")
_SEEN = re.compile(f"[^{CLASS}]+")


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


def views(text: str) -> Iterator[CharacterView]:
    """Yield views of the letters and digits of a text in lower case.

    Further views leave out the prefixes of escapes and the markup, if the text has any.
    """
    text = _lower(text)
    yield CharacterView(text, _PLAIN)
    for ignored in (_ESCAPES, _MARKUP):
        if ignored.search(text):
            # Spaces keep the places of the other characters.
            yield CharacterView(ignored.sub(lambda match: " " * len(match[0]), text), _PLAIN)


def visible(text: str) -> CharacterView:
    """Return a view of the visible characters of a text."""
    return CharacterView(text, _SEEN)


def letters(text: str) -> str:
    """Return the letters and digits of a text; in lower case they are the first of its views."""
    return "".join(_PLAIN.findall(text))


def _lower(text: str) -> str:
    """Return a text with ASCII letters in lower case."""
    if text.isascii():
        return text.lower()
    # `lower` would turn some other letters into two characters, and move the places behind them.
    return re.sub("[A-Z]+", lambda match: match[0].lower(), text)


def written(secret: str) -> tuple[str, ...]:
    """Return the forms of a secret that keep its letters: itself, in a URL, in a JSON string."""
    data = secret.encode(errors="surrogatepass")
    in_url, in_path = _percent(data, _UNRESERVED), _percent(data, _UNRESERVED | {*b"/"})
    return tuple(dict.fromkeys((secret, in_url, in_path, json.dumps(secret)[1:-1])))


def _percent(data: bytes, unreserved: frozenset[int]) -> str:
    return "".join(chr(byte) if byte in unreserved else f"%{byte:02X}" for byte in data)


def in_base64(secret: str) -> Iterator[str]:
    """Yield a secret in base64, alone and within a longer text that is encoded."""
    data = secret.encode(errors="surrogatepass")
    yield base64.b64encode(data).decode()
    # The secret may begin at any byte of a group of three, which is four characters.
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + data).decode()
        # Characters at both ends also depend on the bytes around the secret.
        yield text[-(-shift * 4 // 3) : (shift + len(data)) * 4 // 3]


def in_hex(secret: str) -> str:
    """Return a secret in hexadecimal digits, which escapes of JSON and URLs have too."""
    return secret.encode(errors="surrogatepass").hex()
