"""Secrets taken out of a text, in whatever form they stand there: values of the environment, and
texts that look like a well-known token.

One sanitizer for everything that a judge says. It works in one pass, so that its time grows with
the text and no faster.
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
"""Texts that are a secret by their shape. Each alternative is bounded or takes what it has read."""

SHOWN = "(a secret)"
"""The text in the place of a token."""

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
_SHORTEST = 6
_LONG = 256
_CHANGES = 3
"""Minimum changes between capitals and small letters in a piece that looks random."""


class _Form(NamedTuple):
    """A form of the secret `name`; a part of it counts that has at least so many characters."""

    text: str
    name: str
    least: int


class _Pieces:
    """The pieces of one length. Most texts have none of them, so their places are computed when one
    was found.
    """

    def __init__(self, size: int) -> None:
        self.size, self.texts = size, set[str]()
        self._forms: list[tuple[_Form, Iterable[int]]] = []

    def add(self, form: _Form, places: Iterable[int]) -> None:
        text, size = form.text, self.size
        self.texts.update([text[at : at + size] for at in places])
        self._forms.append((form, places))

    @cached_property
    def places(self) -> dict[str, list[tuple[_Form, int]]]:
        """The forms that have each piece, with its offset there."""
        found: dict[str, list[tuple[_Form, int]]] = {}
        for form, places in self._forms:
            for at in places:
                found.setdefault(form.text[at : at + self.size], []).append((form, at))
        return found


class Secrets(NamedTuple):
    """The secrets to look for: `values` as they are, and their forms by the `pieces` of them, which
    are there for each length.
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
    """Return the secrets of an environment: values of variables that are named like one, and
    passwords in addresses.
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
    if len(value) < _SHORTEST or value.casefold() in _NO_VALUES:
        return False
    return not (value.isdigit() and _LIMIT.search(name))


@lru_cache(maxsize=8)
def _secrets(values: tuple[tuple[str, str], ...]) -> Secrets:
    pieces: dict[int, _Pieces] = {}
    for value, name in values:
        if value.startswith("/") and value.count("/") > 1:
            continue  # the place of a secret, as in SSH_AUTH_SOCK; only the whole of it counts
        for form, size, places in _forms(value, name):
            pieces.setdefault(size, _Pieces(size)).add(form, places)
    longest_first = sorted(values, key=lambda item: -len(item[0]))
    return Secrets(tuple(longest_first), tuple(pieces[size] for size in sorted(pieces)))


def _forms(value: str, name: str) -> Iterator[tuple[_Form, int, Iterable[int]]]:
    """Yield each form with the length of its pieces and the places of those that tell it."""
    for text in dict.fromkeys(turned(value)):
        plain = skeleton(text)
        random, others = _places(text)
        if len(plain) >= LETTERS:
            yield _Form(plain, name, _least(plain)), LETTERS, others
            yield _Form(plain, name, LETTERS), LETTERS, random
    for form, size in dict.fromkeys(encoded(value)):
        length = min(size, len(form))
        if length >= min(size, LETTERS):
            yield _Form(form, name, length), length, range(0, len(form) - length + 1, _step(form))


def _step(form: str) -> int:
    """Return the distance of pieces in a form: 1, and more in long forms such as a certificate."""
    return 1 + len(form) // _LONG


def _least(plain: str) -> int:
    """Return how long a piece must be that could be prose: about a half, and twelve characters of a
    secret of words.
    """
    half = len(plain) // 2 - 1
    least = max(LETTERS, min(12, half)) if re.search("[0-9]", plain) else max(12, min(16, half))
    return min(least, len(plain))


def _places(text: str) -> tuple[list[int], list[int]]:
    """Return where pieces of a text begin, in its letters and digits: those that no prose would
    have, and the others.
    """
    signs = re.sub(r"[^A-Za-z0-9]", "", text)
    random: list[int] = []
    others: list[int] = []
    for at in range(0, len(signs) - LETTERS + 1, _step(signs)):
        (random if _is_random(signs[at : at + LETTERS]) else others).append(at)
    return random, others


def _is_random(piece: str) -> bool:
    digits = sum(map(str.isdigit, piece))
    if 2 <= digits <= LETTERS - 2:
        return True
    capitals = [*map(str.isupper, piece)]
    changes: int = sum(map(ne, capitals, capitals[1:]))
    return changes >= _CHANGES


def masked(text: str, secrets: Secrets) -> str:
    """Return a text without secrets.

    The name of the variable stands in the place of its value; line breaks stay, so that lines keep
    their number.
    """
    spans = [*_literal(text, secrets)]
    for view in views(text) if secrets.pieces else ():
        spans += [span for pieces in secrets.pieces for span in _found(view, pieces)]
    seen = visible(text)
    spans += [
        _Span(seen.place(match.start()), seen.place(match.end() - 1) + 1, "")
        for match in TOKENS.finditer(seen.text)
    ]
    return _without(text, spans) if spans else text


def masked_values(value: Any, secrets: Secrets) -> Any:
    """Return a JSON value in whose texts and keys no secret stands."""
    if isinstance(value, str):
        return masked(value, secrets)
    if isinstance(value, dict):
        return {
            masked(str(key), secrets): masked_values(item, secrets) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        items = [masked_values(item, secrets) for item in value]
        return items if isinstance(value, list) else _rebuilt(value, items)
    return value


def _rebuilt(value: tuple[Any, ...], items: list[Any]) -> tuple[Any, ...]:
    """Return a tuple of the same kind; a NamedTuple stays one."""
    make = getattr(type(value), "_make", None)
    return make(items) if make else tuple(items)


def _literal(text: str, secrets: Secrets) -> Iterator[_Span]:
    for value, name in secrets.values:
        at = text.find(value)
        while at >= 0:
            yield _Span(at, at + len(value), name)
            at = text.find(value, at + len(value))


def _found(view: CharacterView, pieces: _Pieces) -> Iterator[_Span]:
    """Yield what a view has of forms, each piece made as long as it is in there."""
    signs, at, done = view.text, 0, 0
    size, texts = pieces.size, pieces.texts
    last = len(signs) - size
    while at <= last:
        piece = signs[at : at + size]
        match = _longest(signs, (at, done, size), pieces.places[piece]) if piece in texts else None
        if not match:
            at += 1
            continue
        start, done, name = match
        yield _Span(view.place(start), view.place(done - 1) + 1, name)
        at = max(at + 1, done - size + 1)


def _longest(
    signs: str, where: tuple[int, int, int], known: list[tuple[_Form, int]]
) -> tuple[int, int, str] | None:
    """Return the longest match of a form around a piece of it.

    `where` is the piece, the end of the text that is done, before which no match begins, and the
    length of the piece.
    """
    best = None
    at, done, size = where
    for form, offset in known:
        found = _extended(signs, at, done, size, form, offset)
        length = found[1] - found[0]
        if length >= form.least and (best is None or length > best[1] - best[0]):
            best = found
    return best


def _extended(
    signs: str, at: int, done: int, size: int, form: _Form, offset: int
) -> tuple[int, int, str]:
    first, begin = at, offset
    while first > done and begin > 0 and signs[first - 1] == form.text[begin - 1]:
        first, begin = first - 1, begin - 1
    end, stop = at + size, offset + size
    while end < len(signs) and stop < len(form.text) and signs[end] == form.text[stop]:
        end, stop = end + 1, stop + 1
    return first, end, form.name


def _without(text: str, spans: list[_Span]) -> str:
    """Return a text with a name in the place of each span; those that overlap or touch are one."""
    parts: list[str] = []
    start, end, name = -1, -1, ""
    at = 0
    for span in [*sorted(spans), _Span(len(text) + 1, len(text) + 1, "")]:
        if span.start <= end:
            end, name = max(end, span.end), name or span.name
            continue
        if end >= 0:
            shown = f"({name})" if name else SHOWN
            parts += [text[at:start], shown, "\n" * text.count("\n", start, end)]
            at = end
        start, end, name = span
    return "".join([*parts, text[at:]])
