"""The readings of a text: as written, without markup, decoded, as displayed, and its hidden parts.

A model reads all of them. Each keeps the places in the file, so that a match has a line.
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
from ...text.invisible import BYTE_ORDER_MARK

PROSE = (".md", ".markdown", ".txt", ".rst", ".adoc")
"""Ends of names of texts that people read as a page; all other texts are code or data."""
_MARKDOWN = (".md", ".markdown")
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
    """A text that was read from a file: `starts` are the offsets of its pieces, `places` those in
    the file. `moves` says of each piece whether it is as long as what it was read from.
    """

    text: str
    starts: tuple[int, ...] = (0,)
    places: tuple[int, ...] = (0,)
    moves: tuple[bool, ...] = (True,)

    def offset(self, place: int) -> int:
        """Return the offset in the file of a place in the text."""
        number = max(0, bisect_right(self.starts, place) - 1)
        return self.places[number] + (place - self.starts[number] if self.moves[number] else 0)


def decoded(data: bytes) -> str:
    """Return a file's bytes as text: UTF-16 by its mark; Latin-1 if there is a NUL byte; else
    UTF-8.
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    if b"\0" in data:
        return data.decode("latin-1")
    return data.decode(errors="replace")


def with_line_feeds(text: str) -> str:
    """Return a text with LF line ends and without a byte order mark, as a document is parsed."""
    return text.removeprefix(BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")


def readings(path: str, text: str) -> Iterator[Reading]:
    """Yield the readings of all of a text."""
    yield Reading(text)
    yield _replaced(_DECODED, text)
    if "<!--" in text or "/*" in text:
        yield _replaced(_BARE, text)
    if path.casefold().endswith(_MARKDOWN):
        yield _shown(path, text)
    blobs = list(_blobs(text))
    if blobs:
        yield joined(blobs, moves=False)


def comments(text: str, is_prose: bool) -> list[Piece]:
    """Return the comments of a text in Markdown or HTML, decoded; of prose also what HTML takes for
    other languages.
    """
    patterns = (_COMMENT, _DEFINITION, _UNPRINTED) if is_prose else (_COMMENT, _DEFINITION)
    return [
        (match.start(), _whole(match[match.lastindex or 0]))
        for pattern in patterns
        for match in pattern.finditer(text)
    ]


def asides(text: str) -> list[Piece]:
    """Return what a Markdown page does not show at once: alternative texts, titles, comments in the
    front matter.
    """
    found = [
        (match.start(), _whole(next(filter(None, match.groups()))))
        for match in _ASIDE.finditer(text)
    ]
    front = re.match(r"---[ \t]*\n.*?\n---[ \t]*\n", text, re.DOTALL)
    return found + [
        (match.start(), match[1]) for match in (_YAML_COMMENT.finditer(front[0]) if front else ())
    ]


def joined(pieces: Iterable[Piece], moves: bool = True) -> Reading:
    """Return several pieces as one text, separated so that no phrase reaches from one to the
    next.
    """
    texts: list[str] = []
    starts, places = [0], [0]
    size = 0
    for place, piece in pieces:
        starts.append(size)
        places.append(place)
        texts.append(piece)
        size += len(piece) + len(_BARRIER)
    return Reading(_BARRIER.join(texts), tuple(starts), tuple(places), (moves,) * len(starts))


def _whole(piece: str) -> str:
    """Return a piece as it stands and without its markup, where the two differ."""
    plain = _DECODED.sub(_meaning, piece)
    return piece if plain == piece else f"{piece}{_BARRIER}{plain}"


def _replaced(pattern: re.Pattern[str], text: str) -> Reading:
    """Return a text with its markup replaced by what it means."""
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
    """Return what markup, an entity or an escape stands for."""
    found = match[0]
    if found[0] == "&":
        return html.unescape(found)
    if found[0] == "%":
        return _bytes(found.replace("%", ""))
    if found.startswith("\\x"):
        return _bytes(found.replace("\\x", ""))
    if found[0] == "\\" and found[1] in "uU":
        codes = (
            re.findall(r"[0-9a-fA-F]{8}", found)
            if found[1] == "U"
            else re.findall(r"[0-9a-fA-F]{1,6}", found.replace("\\u", " "))
        )
        return "".join(chr(int(code, 16)) for code in codes if int(code, 16) <= 0x10FFFF)
    return " " if found[0] == "\\" else ""


def _bytes(digits: str) -> str:
    return bytes.fromhex(digits).decode(errors="replace")


def _shown(path: str, text: str) -> Reading:
    """Return what a reader of the page sees of a text in Markdown."""
    document = parse(text.encode(errors="replace"), path)
    texts: list[str] = []
    starts, places, moves = [0], [0], [True]
    size = at = characters = 0
    for start, stop, piece, kind in document.shown.runs:
        if kind & UNSEEN or not piece:
            continue
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
    """Yield the texts in Base64 or hexadecimal digits, each also without its markup."""
    readers: tuple[tuple[re.Pattern[str], Callable[[str], bytes]], ...] = (
        (_BLOB, _from_base64),
        (_HEX, _from_hex),
    )
    for pattern, read in readers:
        for match in pattern.finditer(text):
            found = decoded(read(match[0]))
            yield match.start(), _whole(found)


def _from_base64(blob: str) -> bytes:
    plain = re.sub(r"\s+", "", blob).rstrip("=").replace("-", "+").replace("_", "/")
    whole = plain[: len(plain) - (len(plain) % 4 == 1)]
    try:
        return base64.b64decode(whole + "=" * (-len(whole) % 4))
    except binascii.Error:
        return b""


def _from_hex(blob: str) -> bytes:
    return bytes.fromhex(re.sub(r"[ :]", "", blob))
