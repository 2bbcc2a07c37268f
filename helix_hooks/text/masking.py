"""Mask secrets in a text: values of the environment in several forms, and texts like a token.

Everything that a judge writes passes through here. The time is linear in the length of the text.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import ne
from typing import Any, NamedTuple

from . import CharacterView, Span, token_spans, with_masks

# The forms in which a secret may appear in a text, and the views of a text to search for them.
#
# Only letters and digits are compared, in lower case. This covers many forms at once: spaces,
# hyphens, marks or invisible characters between the characters, upper and lower case, and standard
# or URL-safe base64 with or without padding.

_MARKUP = re.compile(r"<[^<>]{0,200}>|&#?\w{1,10};|^[ \t>]{0,9}\d{1,4}[.)][ \t]", re.MULTILINE)
"""HTML tags, character references, and the numbers of a list."""

_ESCAPES = re.compile(r"\\[xX]|\\[uU]\{?0*|&#[xX]0*|\b0[xX]|[uU]\+0*")
"""Prefixes of a character's hexadecimal code in JSON, source code and HTML, as in `\\u0041`."""

_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

_PLAIN = "[A-Za-z0-9]+"


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


def letters(text: str) -> str:
    """Return the letters and digits of a text; in lower case they are the first of its views."""
    return "".join(re.findall(_PLAIN, text))


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


# Secrets, and the texts that look like one.

_NAME = re.compile(
    r"token|key|secret|passw|passphrase|credential|auth(?!or)|cookie|private|webhook"
    r"|connection_?string|(?:^|_)(?:dsn|pat|pass)(?:_|$)|_pwd(?:_|$)",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"max|min|limit|count|size|budget|ttl|timeout|port|seconds|tokens$", re.IGNORECASE
)
_WITH_PASSWORD = re.compile(r"://[^\s/@:]*:([^\s/@]+)@")
_NO_VALUES = frozenset(
    "true false yes no on off none null undefined enabled disabled required optional default "
    "always never auto "
    "example changeme redacted development production staging testing localhost".split()
)
_MIN_SECRET = 6
_SIZE = 8
"""Letters and digits of a piece that is looked up."""

_IN_HEX = 12
"""Minimum hexadecimal digits that identify a secret."""

_MIN_CASE_CHANGES = 3
"""Minimum changes between upper and lower case in a piece that looks random."""


class _Piece(NamedTuple):
    """A piece of the secret `name`, masked in a match of at least `least` characters."""

    name: str
    least: int


class Secrets(NamedTuple):
    """The secrets to mask: `values` are pairs of value and name.

    `pieces` has each piece of `_SIZE` characters of their forms.
    """

    values: tuple[tuple[str, str], ...]
    pieces: Mapping[str, _Piece]


NO_SECRETS = Secrets((), {})
"""No secrets of the environment: only tokens are masked."""


def secrets_of(environment: Mapping[str, str]) -> Secrets:
    """Return the secrets of an environment.

    These are the values of variables with a telling name, and passwords in URLs.
    """
    return _secrets(tuple(sorted(_values(environment))))


def _values(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in environment.items():
        stripped = value.strip()
        if _NAME.search(name) and _is_secret(name, stripped):
            yield stripped, name
        for match in _WITH_PASSWORD.finditer(value):
            if _is_secret("", match[1]):
                yield match[1], name


def _is_secret(name: str, value: str) -> bool:
    if len(value) < _MIN_SECRET or value.casefold() in _NO_VALUES:
        return False
    return not (value.isdigit() and _LIMIT.search(name))


@lru_cache(maxsize=8)
def _secrets(values: tuple[tuple[str, str], ...]) -> Secrets:
    pieces: dict[str, _Piece] = {}
    for value, name in values:
        if value.startswith("/") and value.count("/") > 1:
            continue  # the path of a secret, as in SSH_AUTH_SOCK; its parts are not secret
        for text, least in _pieces(value):
            if text not in pieces or least < pieces[text].least:
                pieces[text] = _Piece(name, least)
    longest_first = sorted(values, key=lambda item: -len(item[0]))
    return Secrets(tuple(longest_first), pieces)


def _pieces(value: str) -> Iterator[tuple[str, int]]:
    """Yield each piece of each form of a secret, with the minimum length of a match."""
    for form in map(letters, written(value)):
        least = _least(form)
        for piece in _cut(form):
            yield piece.lower(), _SIZE if _is_random(piece) else least
    for form in map(letters, in_base64(value)):
        yield from ((piece.lower(), _SIZE) for piece in _cut(form))
    # Escapes of JSON and URLs have hexadecimal digits too.
    yield from ((piece, _IN_HEX) for piece in _cut(value.encode(errors="surrogatepass").hex()))


def _cut(form: str) -> Iterator[str]:
    return (form[at : at + _SIZE] for at in range(len(form) - _SIZE + 1))


def _least(plain: str) -> int:
    """Return the minimum length of a match that could also be prose.

    It is about half of the secret: at most 12 characters, and 12 to 16 for a secret of letters.
    """
    half = len(plain) // 2 - 1
    shortest, longest = (_SIZE, 12) if re.search("[0-9]", plain) else (12, 16)
    return min(max(shortest, min(longest, half)), len(plain))


def _is_random(piece: str) -> bool:
    digits = sum(map(str.isdigit, piece))
    if 2 <= digits <= _SIZE - 2:
        return True
    capitals = [*map(str.isupper, piece)]
    changes: int = sum(map(ne, capitals, capitals[1:]))
    return changes >= _MIN_CASE_CHANGES


def masked(text: str, secrets: Secrets) -> str:
    """Return a text with the name of the variable, or `SHOWN`, in place of each secret.

    Line breaks stay, so that lines keep their numbers.
    """
    spans = [*_literal(text, secrets)]
    if secrets.pieces:
        for view in views(text):
            spans += _matches(view, secrets.pieces)
    return with_masks(text, [*spans, *token_spans(text)])


def masked_values(value: Any, secrets: Secrets) -> Any:
    """Return a JSON value without secrets in its strings and keys."""
    if isinstance(value, str):
        return masked(value, secrets)
    if isinstance(value, dict):
        return {
            masked(str(key), secrets): masked_values(item, secrets) for key, item in value.items()
        }
    if isinstance(value, list):
        return [masked_values(item, secrets) for item in value]
    if isinstance(value, tuple):
        make = getattr(type(value), "_make", tuple)  # a named tuple stays one
        return make(masked_values(item, secrets) for item in value)
    return value


def _literal(text: str, secrets: Secrets) -> Iterator[Span]:
    for value, name in secrets.values:
        at = text.find(value)
        while at >= 0:
            yield Span(at, at + len(value), name)
            at = text.find(value, at + len(value))


def _matches(view: CharacterView, pieces: Mapping[str, _Piece]) -> Iterator[Span]:
    """Yield the parts of a view in which a piece begins at each character but the last seven."""
    run: list[_Piece] = []
    # The last look is at less than a piece, which ends the last run.
    for at in range(len(view.text) - _SIZE + 2):
        piece = pieces.get(view.text[at : at + _SIZE])
        if piece:
            run.append(piece)
        elif run:
            start, end = at - len(run), at + _SIZE - 1
            if end - start >= min(piece.least for piece in run):
                yield Span(view.place(start), view.place(end - 1) + 1, run[0].name)
            run = []
