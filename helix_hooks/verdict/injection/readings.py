"""The readings of a text: as written, without markup, decoded, as rendered, and its hidden parts.

A model reads all of them. Each reading maps to offsets in the file, so that a match has a line.
"""

import base64
import binascii
import html
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ...adr.parse.document import parse
from ...adr.parse.visible import UNSEEN
from ...paths import MARKDOWN, is_markdown
from ...text.invisible import BYTE_ORDER_MARK

PROSE = (*MARKDOWN, ".txt", ".rst", ".adoc", ".asciidoc", ".org")
"""Extensions of texts that people read as a page; all other texts are code or data."""
_MARKUP = (
    r"</?[A-Za-z?][^<>]*>|\]\([^()\n]{0,1000}\)|\]\[[^\[\]\n]{0,1000}\]|\[\^[^\[\]\n]{0,100}\]"
    r"|&#[xX]?[0-9a-fA-F]{1,7};?|&[A-Za-z]{2,31};"
    r"|(?:%[0-9a-fA-F]{2})+|(?:\\x[0-9a-fA-F]{2})+|(?:\\u[0-9a-fA-F]{4})+|\\u\{[0-9a-fA-F]{1,6}\}"
    r"|\\U[0-9a-fA-F]{8}|\\[nrt]"
)
_DECODED = re.compile(_MARKUP)
_BARE = re.compile(rf"<!--.*?(?:-->|\Z)|/\*.*?(?:\*/|\Z)|{_MARKUP}", re.DOTALL)
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{24,}(?:\n[ \t]*[A-Za-z0-9+/_-]{4,})*={0,2}")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}[ :]?){16,}")
_COMMENT = re.compile(r"<!--(.*?)(?:-->|\Z)", re.DOTALL)
_UNPRINTED = re.compile(r"<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<\?(.*?)(?:\?>|\Z)", re.DOTALL)
"""CDATA sections and processing instructions, which HTML pages do not show."""
_DEFINITION = re.compile(r"^ {0,3}\[[^\]\n]{0,200}\]:[ \t]*(?:#|<>)[ \t]*([^\n]*)$", re.MULTILINE)
"""A link definition without a target, which serves as a comment."""
_ASIDE = re.compile(
    r"!\[([^\[\]]{1,2000})(?=\])"  # the alternative text of an image
    r"|\]\([^()\s]{0,2000}\s+[\"'(]([^\"'()\n]{1,2000})[\"')]"  # the title of a link
    r"|^ {0,3}\[[^\]\n]{0,200}\]:[ \t]*\S{1,2000}[ \t]+"
    r"([\"'(][^\n]{0,2000})$"  # the title of a link definition
    r"|\s(?:alt|title|summary|label|placeholder|aria-[a-z]{1,30}"
    r"|data-[a-z-]{1,30})\s*=\s*(?:\"([^\"<>]{1,2000})\"|'([^'<>]{1,2000})')",
    re.MULTILINE | re.IGNORECASE,
)
_YAML_COMMENT = re.compile(r"(?:^|[ \t])#[ \t]*([^\n]+)$", re.MULTILINE)
_BARRIER = " . qqqq . "
"""A separator between pieces that are not neighbours, so that no phrase spans it."""

Piece = tuple[int, str]
"""A text with the offset in the file at which it begins."""


class Reading(NamedTuple):
    """A text that was read from a file, in pieces.

    `starts` are the offsets of the pieces in the text, and `places` those in the file. `moves`
    tells of each piece whether it is as long as its source.
    """

    text: str
    starts: tuple[int, ...] = (0,)
    places: tuple[int, ...] = (0,)
    moves: tuple[bool, ...] = (True,)

    def offset(self, place: int) -> int:
        """Return the offset in the file of an offset in the text."""
        number = max(0, bisect_right(self.starts, place) - 1)
        if not self.moves[number]:
            return self.places[number]
        return self.places[number] + place - self.starts[number]


def decoded(data: bytes) -> str:
    """Return a file's bytes as text: UTF-16 with its mark, Latin-1 with a NUL byte, else UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if b"\0" in data:
        return data.decode("latin-1")
    return data.decode(errors="replace")


def with_line_feeds(text: str) -> str:
    """Return a text with LF line ends and without a byte order mark, like a parsed document."""
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def readings(path: str, text: str) -> Iterator[Reading]:
    """Yield the readings of a complete text."""
    yield Reading(text)
    yield _replaced(_DECODED, text)
    if "<!--" in text or "/*" in text:
        yield _replaced(_BARE, text)
    if is_markdown(path):
        yield _rendered(path, text)
    blobs = list(_blobs(text))
    if blobs:
        yield joined(blobs, moves=False)


def comments(text: str, is_prose: bool) -> list[Piece]:
    """Return the comments of a text in Markdown or HTML, decoded.

    In prose, CDATA sections and processing instructions are comments too.
    """
    patterns = [_COMMENT, _DEFINITION]
    if is_prose:
        patterns.append(_UNPRINTED)
    pieces: list[Piece] = []
    for pattern in patterns:
        matches = pattern.finditer(text)
        pieces += [(match.start(), _with_plain(match[match.lastindex or 0])) for match in matches]
    return pieces


def asides(text: str) -> list[Piece]:
    """Return the texts that a Markdown page does not show at first.

    These are alternative texts, titles, and comments in the front matter.
    """
    pieces = [
        (match.start(), _with_plain(next(filter(None, match.groups()))))
        for match in _ASIDE.finditer(text)
    ]
    front = re.match(r"---[ \t]*\n.*?\n---[ \t]*\n", text, re.DOTALL)
    if front:
        pieces += [(match.start(), match[1]) for match in _YAML_COMMENT.finditer(front[0])]
    return pieces


def joined(pieces: Iterable[Piece], moves: bool = True) -> Reading:
    """Return several pieces as one text, separated so that no phrase spans two of them."""
    texts: list[str] = []
    starts, places = [0], [0]
    size = 0
    for place, piece in pieces:
        starts.append(size)
        places.append(place)
        texts.append(piece)
        size += len(piece) + len(_BARRIER)
    return Reading(_BARRIER.join(texts), tuple(starts), tuple(places), (moves,) * len(starts))


def _with_plain(piece: str) -> str:
    """Return a piece as written, followed by the piece without its markup if that differs."""
    plain = _DECODED.sub(_meaning, piece)
    if plain == piece:
        return piece
    return f"{piece}{_BARRIER}{plain}"


def _replaced(pattern: re.Pattern[str], text: str) -> Reading:
    """Return a text with its markup replaced by its meaning."""
    texts: list[str] = []
    starts, places, moves = [0], [0], [True]
    size = behind = 0

    def take(piece: str, place: int, is_moved: bool) -> None:
        nonlocal size
        if piece:
            texts.append(piece)
            starts.append(size)
            places.append(place)
            moves.append(is_moved)
            size += len(piece)

    for match in pattern.finditer(text):
        take(text[behind : match.start()], behind, is_moved=True)
        take(_meaning(match), match.start(), is_moved=False)
        behind = match.end()
    take(text[behind:], behind, is_moved=True)
    return Reading("".join(texts), tuple(starts), tuple(places), tuple(moves))


def _meaning(match: re.Match[str]) -> str:
    """Return the text that an entity or an escape represents; "" for markup."""
    source = match[0]
    if source[0] == "&":
        return html.unescape(source)
    if source[0] == "%":
        return _bytes(source.replace("%", ""))
    if source[0] != "\\":
        return ""
    if source[1] == "x":
        return _bytes(source.replace("\\x", ""))
    if source[1] == "U":
        return _characters(re.findall(r"[0-9a-fA-F]{8}", source))
    if source[1] == "u":
        return _characters(re.findall(r"[0-9a-fA-F]{1,6}", source.replace("\\u", " ")))
    return " "


def _characters(codes: Iterable[str]) -> str:
    numbers = (int(code, 16) for code in codes)
    return "".join(chr(number) for number in numbers if number <= 0x10FFFF)


def _bytes(digits: str) -> str:
    return bytes.fromhex(digits).decode(errors="replace")


def _rendered(path: str, text: str) -> Reading:
    """Return the visible text of a page in Markdown."""
    document = parse(text.encode(errors="replace"), path)
    texts: list[str] = []
    starts, places, moves = [0], [0], [True]
    size = at = characters = 0
    for start, stop, piece, kind in document.shown.runs:
        if kind & UNSEEN or not piece:
            continue
        # Offsets of the document are bytes, and those of the text are characters.
        if start > at:
            characters += len(document.data[at:start].decode(errors="replace"))
            at = start
        texts.append(piece)
        starts.append(size)
        places.append(characters)
        moves.append(len(piece) == stop - start)
        size += len(piece)
    return Reading("".join(texts), tuple(starts), tuple(places), tuple(moves))


def _blobs(text: str) -> Iterator[Piece]:
    """Yield the texts in Base64 or hexadecimal digits, also without their markup."""
    readers: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
        (_BLOB, _from_base64),
        (_HEX, _from_hex),
    )
    for pattern, read in readers:
        for match in pattern.finditer(text):
            yield match.start(), _with_plain(decoded(read(match[0])))


def _from_base64(blob: str) -> bytes:
    plain = re.sub(r"\s+", "", blob).rstrip("=").replace("-", "+").replace("_", "/")
    # One digit behind groups of four has too few bits for a byte.
    digits = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        return base64.b64decode(digits + "=" * (-len(digits) % 4))
    except binascii.Error:
        return b""


def _from_hex(blob: str) -> bytes:
    return bytes.fromhex(re.sub(r"[ :]", "", blob))
