"""Mask secrets in a text: values of the environment in several forms, and texts like a token.

Everything that a judge writes passes through here. The time is linear in the length of the text.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import ne
from typing import Any, NamedTuple

from .encodings import CharacterView, in_base64, in_hex, letters, views, visible, written

TOKENS = re.compile(
    r"gh[pousr]_[A-Za-z0-9]{16,}|github_pat_\w{20,}|(?:(?<![^\W_])sk-|sk-ant-)[\w-]{16,}|(?:AKIA"
    r"|ASIA)[A-Z0-9]{16}|xox[abeoprs]-[\w-]{10,}"
    r"|(?<![\w-])eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}|AIza[\w-]{30,}|glpat-[\w-]{20,}"
    r"|npm_[A-Za-z0-9]{30,}"
    r"|xapp-[\w-]{10,}|hf_[A-Za-z0-9]{30,}|pypi-[\w-]{50,}|[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"
    r"|ya29\.[\w-]{20,}"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
)
"""Texts that look like a secret. No alternative backtracks, so the search is linear."""

SHOWN = "(a secret)"
"""The mask of a token."""

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


class _Span(NamedTuple):
    start: int
    end: int
    name: str


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
    yield from ((piece, _IN_HEX) for piece in _cut(in_hex(value)))


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
    visible_text = visible(text)
    for match in TOKENS.finditer(visible_text.text):
        start = visible_text.place(match.start())
        spans.append(_Span(start, visible_text.place(match.end() - 1) + 1, ""))
    if not spans:
        return text
    return _without(text, spans)


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
        return _rebuilt(value, [masked_values(item, secrets) for item in value])
    return value


def _rebuilt(value: tuple[Any, ...], items: list[Any]) -> tuple[Any, ...]:
    """Return a tuple of the same class, which may be a NamedTuple."""
    make = getattr(type(value), "_make", tuple)
    return make(items)


def _literal(text: str, secrets: Secrets) -> Iterator[_Span]:
    for value, name in secrets.values:
        at = text.find(value)
        while at >= 0:
            yield _Span(at, at + len(value), name)
            at = text.find(value, at + len(value))


def _matches(view: CharacterView, pieces: Mapping[str, _Piece]) -> Iterator[_Span]:
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
                yield _Span(view.place(start), view.place(end - 1) + 1, run[0].name)
            run = []


def _without(text: str, spans: list[_Span]) -> str:
    """Return a text with a mask in place of each span; spans that overlap or touch are joined."""
    parts: list[str] = []
    start, end, name = -1, -1, ""
    done = 0
    sentinel = _Span(len(text) + 1, len(text) + 1, "")
    for span in [*sorted(spans), sentinel]:
        if span.start <= end:
            end, name = max(end, span.end), name or span.name
            continue
        if end >= 0:
            mask = f"({name})" if name else SHOWN
            parts += [text[done:start], mask, "\n" * text.count("\n", start, end)]
            done = end
        start, end, name = span
    return "".join([*parts, text[done:]])
