"""Mask secrets in a text: values of the environment in any form, and texts that look like a token.

Everything that a judge writes passes through here. The time is linear in the length of the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from operator import ne
from typing import Any, NamedTuple

from .encodings import LETTERS, CharacterView, encoded, skeleton, turned, views, visible

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
_LONG_FORM = 256
_MIN_CASE_CHANGES = 3
"""Minimum changes between upper and lower case in a piece that looks random."""


class _Form(NamedTuple):
    """A form of the secret `name`. A part of it is masked if it has at least `least` characters."""

    text: str
    name: str
    least: int


class _Pieces:
    """The pieces of one length, and the forms that have them."""

    def __init__(self, size: int) -> None:
        self.size, self.texts = size, set[str]()
        self._forms: list[tuple[_Form, Iterable[int]]] = []

    def add(self, form: _Form, places: Iterable[int]) -> None:
        text, size = form.text, self.size
        self.texts.update([text[at : at + size] for at in places])
        self._forms.append((form, places))

    @cached_property
    def places(self) -> dict[str, list[tuple[_Form, int]]]:
        """The forms that have each piece, with the offset of the piece.

        Computed for the first match: most texts have none.
        """
        places: dict[str, list[tuple[_Form, int]]] = {}
        for form, offsets in self._forms:
            for offset in offsets:
                piece = form.text[offset : offset + self.size]
                places.setdefault(piece, []).append((form, offset))
        return places


class Secrets(NamedTuple):
    """The secrets to mask: `values` are pairs of value and name.

    `pieces` are parts of their forms, by length.
    """

    values: tuple[tuple[str, str], ...]
    pieces: tuple[_Pieces, ...]


NO_SECRETS = Secrets((), ())
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
    pieces: dict[int, _Pieces] = {}
    for value, name in values:
        if value.startswith("/") and value.count("/") > 1:
            continue  # the path of a secret, as in SSH_AUTH_SOCK; its parts are not secret
        for form, size, places in _forms(value, name):
            pieces.setdefault(size, _Pieces(size)).add(form, places)
    longest_first = sorted(values, key=lambda item: -len(item[0]))
    return Secrets(tuple(longest_first), tuple(pieces[size] for size in sorted(pieces)))


def _forms(value: str, name: str) -> Iterator[tuple[_Form, int, Iterable[int]]]:
    """Yield each form of a secret, with length and offsets of the pieces that identify it."""
    for text in dict.fromkeys(turned(value)):
        plain = skeleton(text)
        random, prose = _places(text)
        if len(plain) >= LETTERS:
            yield _Form(plain, name, _least(plain)), LETTERS, prose
            yield _Form(plain, name, LETTERS), LETTERS, random
    for form, size in dict.fromkeys(encoded(value)):
        length = min(size, len(form))
        if length >= min(size, LETTERS):
            yield _Form(form, name, length), length, range(0, len(form) - length + 1, _step(form))


def _step(form: str) -> int:
    """Return the distance between pieces: 1, and more in a long form such as a certificate."""
    return 1 + len(form) // _LONG_FORM


def _least(plain: str) -> int:
    """Return the minimum length of a match that could also be prose.

    It is about half of the secret: at most 12 characters, and 12 to 16 for a secret of letters.
    """
    half = len(plain) // 2 - 1
    shortest, longest = (LETTERS, 12) if re.search("[0-9]", plain) else (12, 16)
    return min(max(shortest, min(longest, half)), len(plain))


def _places(text: str) -> tuple[list[int], list[int]]:
    """Return the offsets of pieces in the letters and digits of a text.

    The first list has the pieces that look random, the second those that could be prose.
    """
    letters = re.sub(r"[^A-Za-z0-9]", "", text)
    random: list[int] = []
    prose: list[int] = []
    for offset in range(0, len(letters) - LETTERS + 1, _step(letters)):
        places = random if _is_random(letters[offset : offset + LETTERS]) else prose
        places.append(offset)
    return random, prose


def _is_random(piece: str) -> bool:
    digits = sum(map(str.isdigit, piece))
    if 2 <= digits <= LETTERS - 2:
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
            for pieces in secrets.pieces:
                spans += _matches(view, pieces)
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


def _matches(view: CharacterView, pieces: _Pieces) -> Iterator[_Span]:
    """Yield the parts of forms in a view, each as long as possible."""
    characters, index, done = view.text, 0, 0
    size, texts = pieces.size, pieces.texts
    last = len(characters) - size
    while index <= last:
        piece = characters[index : index + size]
        match = None
        if piece in texts:
            match = _longest(characters, (index, done, size), pieces.places[piece])
        if not match:
            index += 1
            continue
        start, done, name = match
        yield _Span(view.place(start), view.place(done - 1) + 1, name)
        # The next match may share its beginning with the end of this one.
        index = max(index + 1, done - size + 1)


def _longest(
    characters: str, piece: tuple[int, int, int], forms: list[tuple[_Form, int]]
) -> tuple[int, int, str] | None:
    """Return start, end and name of the longest match around a piece; None if all are too short.

    `piece` is its index, the end of the last match, before which no match begins, and its length.
    `forms` are the forms that have the piece, with its offset.
    """
    best = None
    for form, offset in forms:
        match = _extended(characters, piece, form, offset)
        length = match[1] - match[0]
        if length >= form.least and (best is None or length > best[1] - best[0]):
            best = match
    return best


def _extended(
    characters: str, piece: tuple[int, int, int], form: _Form, offset: int
) -> tuple[int, int, str]:
    """Return the match of a form around a piece, extended in both directions."""
    index, done, size = piece
    first, begin = index, offset
    while first > done and begin > 0 and characters[first - 1] == form.text[begin - 1]:
        first, begin = first - 1, begin - 1
    end, stop = index + size, offset + size
    while end < len(characters) and stop < len(form.text) and characters[end] == form.text[stop]:
        end, stop = end + 1, stop + 1
    return first, end, form.name


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
