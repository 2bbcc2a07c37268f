"""The lines of a comment as a reader of GitHub sees them, each with whether an approval may stand
in it. Pure.

The text is the visible text of `adr.parse.visible`. A line that GitHub may show or hide is in
doubt: an objection in it counts, and an approval does not.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import NamedTuple

from ..adr.parse.document import AdrDocument, parse
from ..adr.parse.paragraphs import Paragraph, paragraphs
from ..adr.parse.visible import (
    BEYOND,
    CODE,
    LAYOUT,
    LEFT_OUT,
    LINKED,
    PICTURE,
    QUOTE,
    SPAN,
    STRUCK,
    Span,
)
from ..text.invisible import DIRECTIONS, ODD_LINE_ENDS

NOT_PLAIN = (
    "it is heard only as a plain line of its own, not in a list, heading, table, quote, "
    "link, formatting, HTML or folded part"
)
ODD = (
    "the comment has control characters by which not everybody sees the same; write a new one "
    "without them"
)

_FRONT = b"---\n---\n"
"""An empty front matter, so that the comment has none of its own."""
_HIDDEN = CODE | QUOTE | STRUCK | PICTURE | BEYOND
_LAZY = 1 << 20
"""Kind of a text in a quote that was written without the sign of one."""
_SEPARATORS = re.compile(f"[{ODD_LINE_ENDS}]")
"""Characters that end a line for some programs, and not for GitHub."""
_ORDER = re.compile(f"[{DIRECTIONS}]")
"""Characters that change the order in which a browser draws letters."""
_CELL = " | "
PREFIX = "/helix"
"""The beginning of a command."""

_OPENING = ord("<")
_BREAK = re.compile(rb"(?i)<br[\s/>]|<!--")
_TAG = re.compile(rb"<(/?)([a-zA-Z][^\s/>]*)")
_VOID = (b"br", b"hr", b"img", b"wbr")
_TABLE = re.compile(rb"^[ \t]*[|:-][|:\- \t]*$", re.MULTILINE)
"""The line below the header of a table.

GitHub begins a table within a paragraph too; the parser here does not.
"""

_ENDED = re.compile(rb" {0,3}(?:#{1,6}[ \t].*|`{3,}|~{3,}|---)?[ \t]*")
"""A line behind which a paragraph begins for every parser, as the one behind a list does not."""
_LOOK_ALIKES = {
    "/": "\u1735\u2044\u2215\u2571\u27cb\u29f8\u3033\u30ce\u31d3\u4e3f\u2cc6\U0001d23a",
    "h": "\u04bb\u0570\u13c2",
    "e": "\u0435\u04bd\u212e",
    "l": "\u04cf\u01c0",
    "i": "\u0456\u0131\u03b9\u04c0",
    "x": "\u0445\u00d7\u03c7",
    "r": "\u0433\u1d26",
    "j": "\u0458\u03f3",
    "c": "\u0441\u03f2",
    "t": "\u0442\u03c4",
}
"""Signs that look like those of `/helix reject` (Unicode, confusables.txt), beside the ones that
Unicode calls compatible.
"""
_LETTERS = {sign: letter for letter, signs in _LOOK_ALIKES.items() for sign in signs}


class CommentLine(NamedTuple):
    """A line as it is `shown`, and the source line on which it begins, as `written`.

    `shown` has the blanks at its beginning, and lacks the slashes in code, so that no command
    begins there. `doubt` says why no approval counts in the line, "" in a plain one.
    """

    shown: str
    written: str
    doubt: str


def lines(comment: str) -> tuple[CommentLine, ...]:
    """Return the lines of a comment.

    Where programs disagree on line ends, these are the lines of both readings, all in doubt.
    """
    text = comment.replace("\0", "\ufffd")
    odd = _SEPARATORS.search(text) or _ORDER.search(text)
    rows = _read(text, ODD if odd else "")
    if not _SEPARATORS.search(text):
        return rows
    return tuple(dict.fromkeys((*rows, *_read(_SEPARATORS.sub("\n", text), ODD))))


class _Row(NamedTuple):
    """The pieces of a line, each with its kind, and the offset of the first one in the file."""

    start: int
    pieces: list[tuple[str, int]]

    @property
    def shown(self) -> str:
        return "".join(map(_shown, self.pieces))


def _shown(piece: tuple[str, int]) -> str:
    text, kind = piece
    if kind & _HIDDEN and kind & ~SPAN != QUOTE | _LAZY:
        return LEFT_OUT
    return text.replace("/", LEFT_OUT) if kind & SPAN else text


class _Source(NamedTuple):
    """A parsed comment, with its paragraphs that are paragraphs for every parser (`blocks`).

    `starts` are their offsets, and `reach` says for each formatting in them how far any formatting
    goes that begins before it. `html` are the places at which the nesting of raw HTML changes, each
    with whether an element is open behind it.
    """

    doc: AdrDocument
    blocks: list[Paragraph]
    starts: list[int]
    reach: list[list[int]]
    html: list[tuple[int, bool]]
    has_quote_tag: bool


def _read(text: str, doubt: str) -> tuple[CommentLine, ...]:
    doc = parse(_FRONT + text.encode(errors="replace"), "")
    every, raw = paragraphs(doc)
    blocks = [block for block in every if _is_paragraph(doc.data, block)]
    source = _Source(
        doc=doc,
        blocks=blocks,
        starts=[block.start for block in blocks],
        reach=[list(accumulate((stop for _, stop in block.inside), max)) for block in blocks],
        html=_nesting(doc, raw),
        has_quote_tag=b"<blockquote" in doc.data.lower(),
    )
    return tuple(_line(source, row, doubt) for row in _rows(source))


def _line(source: _Source, row: _Row, doubt: str) -> CommentLine:
    shown = row.shown
    if PREFIX not in alike(shown).casefold():
        return CommentLine(shown, "", NOT_PLAIN)
    start, stop = _bounds(source.doc, row)
    return CommentLine(
        shown, _written(source.doc, start, stop), doubt or _doubt(source, row, start, stop)
    )


def _rows(source: _Source) -> list[_Row]:
    rows = [_Row(0, [])]
    for start, _, piece, kind in source.doc.shown.runs:
        if kind & LAYOUT and not ("\n" in piece or piece == _CELL):
            continue
        first, *others = ("", "") if kind & LAYOUT else piece.split("\n")
        if first:
            rows[-1] = rows[-1] if rows[-1].pieces else _Row(start, [])
            rows[-1].pieces.append(
                (first, kind | _LAZY if kind & QUOTE and _is_lazy(source, start) else kind)
            )
        rows += [_Row(start, [(other, kind)] if other else []) for other in others]
    return [row for row in rows if row.pieces]


def _is_lazy(source: _Source, start: int) -> bool:
    """Return whether a line of a quote has no sign of one, and the quote is no element of HTML."""
    data = source.doc.data
    return not source.has_quote_tag and b">" not in data[data.rfind(b"\n", 0, start) + 1 : start]


def _bounds(doc: AdrDocument, row: _Row) -> tuple[int, int]:
    """Return the first byte of the source line on which a row begins, and the byte behind its
    last.
    """
    stop = doc.data.find(b"\n", row.start)
    return doc.data.rfind(b"\n", 0, row.start) + 1, stop if stop >= 0 else len(doc.data)


def _written(doc: AdrDocument, start: int, stop: int) -> str:
    """Return the source line, without the backslash that breaks it."""
    line = doc.data[start:stop].decode()
    return line.removesuffix("\\") if stop < len(doc.data) else line


def _doubt(source: _Source, row: _Row, start: int, stop: int) -> str:
    index = bisect_right(source.starts, row.start) - 1
    block = source.blocks[index] if index >= 0 else None
    if block is None or row.start >= block.stop:
        return NOT_PLAIN
    is_marked = any(kind & ~(SPAN | LINKED) for _, kind in row.pieces) or row.pieces[0][1] != 0
    before = bisect_left(block.inside, (row.start + 1, 0))
    if is_marked or (before and source.reach[index][before - 1] > row.start):
        return NOT_PLAIN
    if _is_in_html(source, block, start, stop) or _may_be_else(source.doc.data, start, block):
        return NOT_PLAIN
    return ""


def _is_in_html(source: _Source, block: Paragraph, start: int, stop: int) -> bool:
    """Return whether raw HTML is open at the start of a line, or stands in it.

    HTML before it in its paragraph counts too, since a browser may end the paragraph there.
    """
    above = bisect_left(source.html, (start, False))
    if above and source.html[above - 1][1]:
        return True
    first = bisect_left(source.html, (block.start, False))
    here = source.html[first : bisect_left(source.html, (stop, False))]
    return any(place >= start or not _BREAK.match(source.doc.data, place) for place, _ in here)


def _nesting(doc: AdrDocument, raw: list[Span]) -> list[tuple[int, bool]]:
    """Return the places of tags and comments, each with whether an element is open behind it.

    After an element that ended out of order, everything counts as open.
    """
    places: list[tuple[int, bool]] = []
    above: list[bytes] = []
    is_broken = False
    lost = _unread(doc, raw)
    for start, stop in sorted(
        [*doc.shown.tags, *doc.shown.comments, *((place, place) for place in lost[:1])]
    ):
        tag = _TAG.match(doc.data, start, stop)
        is_broken |= start == stop
        if tag and tag[2].lower() not in _VOID:
            if not tag[1]:
                above.append(tag[2].lower())
            else:
                is_broken |= not above or above.pop() != tag[2].lower()
        places.append((start, is_broken or bool(above)))
    return places


def _unread(doc: AdrDocument, raw: list[Span]) -> list[int]:
    """Return the places in raw HTML at which something begins that is neither a comment nor a whole
    tag.
    """
    known = bytearray(len(doc.data))
    for start, stop in [*doc.shown.comments, *doc.shown.tags]:
        known[start:stop] = b"x" * (stop - start)
    return [
        place
        for start, stop in raw
        for place in range(start, stop)
        if doc.data[place] == _OPENING and not known[place]
    ]


def _is_paragraph(data: bytes, block: Paragraph) -> bool:
    """Return whether a paragraph is one for every parser: not the rest of a list, and no table."""
    above = data.rfind(b"\n", 0, block.start) + 1
    if not _ENDED.fullmatch(data, data.rfind(b"\n", 0, above - 1) + 1, above - 1):
        return False
    begins_below = data[block.stop - 1 : block.stop] == b"\n"
    below = data.find(b"\n", block.stop if begins_below else block.stop + 1)
    return not _TABLE.search(data, block.start, below if below >= 0 else len(data))


def _may_be_else(data: bytes, start: int, block: Paragraph) -> bool:
    """Return whether a line may be part of a formula, or of something that only one parser
    knows.
    """
    for sign, first, last in ((b"$", *block[:2]), (b"~", *block[:2]), (b"$$", 0, len(data))):
        if data.find(sign, first, start) >= 0 and data.find(sign, start, last) >= 0:
            return True
    if data.count(b"[", block.start, start) > data.count(b"]", block.start, start):
        return True
    return data.rfind(b"<", block.start, start) > data.rfind(b">", block.start, start)


def alike(text: str) -> str:
    """Return a text of the same length, with look-alikes replaced by the letters of a command."""
    if text.isascii():
        return text
    return "".join(_letter(sign) for sign in text)


def _letter(sign: str) -> str:
    plain = unicodedata.normalize("NFKC", sign)
    return _LETTERS.get(sign.lower(), plain if len(plain) == 1 else sign)
