"""The lines of a comment as GitHub renders them, each with the reason why it can't approve. Pure.

The text is the visible text of `adr.parse.visible`. A line that GitHub may show or hide is in
doubt: an objection in it counts, and an approval does not.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import NamedTuple

from ..adr.parse.document import AdrDocument, parse
from ..adr.parse.prose import Paragraph, paragraphs
from ..adr.parse.visible import LEFT_OUT, Kind, Span
from ..text import DIRECTIONS, ODD_LINE_ENDS

NOT_PLAIN = (
    "a command must be a plain line of its own, not in a list, heading, table, quote, "
    "link, formatting, HTML or folded part"
)
ODD = (
    "the comment has control characters that are displayed in different ways; post a new one "
    "without them"
)

_FRONT = b"---\n---\n"
"""An empty front matter, so that the comment has none of its own."""
_HIDDEN = Kind.CODE | Kind.QUOTE | Kind.STRUCK | Kind.PICTURE | Kind.BEYOND
_LAZY = 1 << 20
"""Kind of a text in a quote that has no `>` at the beginning of its line."""
_SEPARATORS = re.compile(f"[{ODD_LINE_ENDS}]")
"""Characters that end a line for some programs, and not for GitHub."""
_ORDER = re.compile(f"[{DIRECTIONS}]")
"""Characters that change the order in which a browser shows letters."""
_CELL = " | "
PREFIX = "/helix"
"""The beginning of a command."""

_BREAK = re.compile(rb"(?i)<br[\s/>]|<!--")
_TABLE = re.compile(rb"^[ \t]*[|:-][|:\- \t]*$", re.MULTILINE)
"""The line below the header of a table.

GitHub begins a table within a paragraph too; the parser here does not.
"""

_BEFORE_PARAGRAPH = re.compile(rb" {0,3}(?:#{1,6}[ \t].*|`{3,}|~{3,}|---)?[ \t]*")
"""A line after which every parser begins a new paragraph: blank, a heading, a fence or `---`.

After any other line, such as a list item, the text may continue that line instead.
"""
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
"""Characters that look like those of `/helix reject` (Unicode, confusables.txt).

Compatible characters of Unicode are replaced by normalization instead.
"""
_LETTERS: dict[str, str] = {}
for _letter_of_command, _signs in _LOOK_ALIKES.items():
    _LETTERS |= dict.fromkeys(_signs, _letter_of_command)


class CommentLine(NamedTuple):
    """A line of a comment as GitHub renders it.

    A line without a command is not examined: `written` is "" and `doubt` is NOT_PLAIN.
    """

    shown: str
    """The rendered text with leading blanks. Code has no slashes, so no command begins there."""
    written: str
    """The source line on which the rendered line begins."""
    doubt: str
    """The reason why no approval counts in the line, "" if it is plain text."""


def lines(comment: str) -> tuple[CommentLine, ...]:
    """Return the lines of a comment.

    If programs disagree on line ends, the lines of both readings are returned, all in doubt.
    """
    text = comment.replace("\0", "\ufffd")
    has_separators = bool(_SEPARATORS.search(text))
    rows = _examined_lines(text, ODD if has_separators or _ORDER.search(text) else "")
    if not has_separators:
        return rows
    return tuple(dict.fromkeys((*rows, *_examined_lines(_SEPARATORS.sub("\n", text), ODD))))


class _Row(NamedTuple):
    """A rendered line."""

    start: int
    """The offset of the first piece in the source, in bytes."""
    pieces: list[tuple[str, int]]
    """Texts, each with its kind: 0 for plain text, or bits such as CODE and LINKED."""

    @property
    def shown(self) -> str:
        return "".join(map(_visible_text, self.pieces))


def _visible_text(piece: tuple[str, int]) -> str:
    """Return the text of a piece; LEFT_OUT instead of a hidden one, and of slashes in code."""
    text, kind = piece
    # Text of a quote in a line without `>` is rendered as part of it, but looks like a plain line
    # in the source: it is kept, so that an objection in it counts.
    if kind & _HIDDEN and kind & ~Kind.SPAN != Kind.QUOTE | _LAZY:
        return LEFT_OUT
    if kind & Kind.SPAN:
        return text.replace("/", LEFT_OUT)
    return text


class _Source(NamedTuple):
    """A parsed comment. All offsets are in bytes."""

    doc: AdrDocument
    blocks: list[Paragraph]
    """The texts that every parser takes for paragraphs."""
    starts: list[int]
    """The start of each block."""
    reach: list[list[int]]
    """`reach[i][j]`: in block i, the largest end of its first j + 1 formatted spans."""
    html: list[int]
    """The offsets of the tags and comments of raw HTML."""
    has_quote_tag: bool
    """The comment has an HTML element `<blockquote>`."""


def _examined_lines(text: str, doubt: str) -> tuple[CommentLine, ...]:
    """Return the lines of a text. `doubt` is a reason that applies to all of them, "" for none."""
    doc = parse(_FRONT + text.encode(errors="replace"), "")
    blocks = [block for block in paragraphs(doc) if _is_paragraph(doc.data, block)]
    source = _Source(
        doc=doc,
        blocks=blocks,
        starts=[block.start for block in blocks],
        reach=[list(accumulate((stop for _, stop in block.inside), max)) for block in blocks],
        html=sorted(start for start, _ in [*doc.shown.tags, *doc.shown.comments]),
        has_quote_tag=b"<blockquote" in doc.data.lower(),
    )
    return tuple(_comment_line(source, row, doubt) for row in _rows(source))


def _comment_line(source: _Source, row: _Row, doubt: str) -> CommentLine:
    shown = row.shown
    # Only lines with a command need the source and its doubts, which cost time.
    if PREFIX not in alike(shown).casefold():
        return CommentLine(shown, "", NOT_PLAIN)
    start, stop = _bounds(source.doc, row)
    doubt = doubt or _doubt(source, row, start, stop)
    return CommentLine(shown, _written(source.doc, start, stop), doubt)


def _rows(source: _Source) -> list[_Row]:
    """Return the rendered lines that have any text."""
    rows = [_Row(0, [])]
    for start, _, piece, kind in source.doc.shown.runs:
        texts = _split(piece, kind)
        if texts[0]:
            if not rows[-1].pieces:
                rows[-1] = _Row(start, [])
            rows[-1].pieces.append((texts[0], _kind(source, start, kind)))
        # Only code, HTML and alerts have pieces of several lines. They are in doubt in any case,
        # so the start of the piece is precise enough for its later lines.
        rows += [_Row(start, [(text, kind)] if text else []) for text in texts[1:]]
    return [row for row in rows if row.pieces]


def _split(piece: str, kind: int) -> list[str]:
    """Return the lines of a piece. Layout has no text, and ends a line or does not."""
    if not kind & Kind.LAYOUT:
        return piece.split("\n")
    ends_line = "\n" in piece or piece == _CELL
    return ["", ""] if ends_line else [""]


def _kind(source: _Source, start: int, kind: int) -> int:
    """Return the kind of a piece, with _LAZY for a line of a quote without `>`."""
    data = source.doc.data
    # An HTML element is a quote too, and needs no `>` on its lines.
    if not kind & Kind.QUOTE or source.has_quote_tag:
        return kind
    has_sign = b">" in data[data.rfind(b"\n", 0, start) + 1 : start]
    return kind if has_sign else kind | _LAZY


def _bounds(doc: AdrDocument, row: _Row) -> tuple[int, int]:
    """Return the offsets of the source line on which a row begins: its first byte, and its end."""
    start = doc.data.rfind(b"\n", 0, row.start) + 1
    stop = doc.data.find(b"\n", row.start)
    return start, stop if stop >= 0 else len(doc.data)


def _written(doc: AdrDocument, start: int, stop: int) -> str:
    """Return a source line, without the backslash of a hard line break."""
    line = doc.data[start:stop].decode()
    return line.removesuffix("\\") if stop < len(doc.data) else line


def _doubt(source: _Source, row: _Row, start: int, stop: int) -> str:
    """Return the reason why an approval in a row does not count, "" if it is plain text."""
    index = bisect_right(source.starts, row.start) - 1
    if index < 0 or row.start >= source.blocks[index].stop:
        return NOT_PLAIN
    block = source.blocks[index]
    if (
        _is_formatted(source, row, index)
        or _is_in_html(source, block, start, stop)
        or _is_ambiguous(source.doc.data, start, block)
    ):
        return NOT_PLAIN
    return ""


def _is_formatted(source: _Source, row: _Row, index: int) -> bool:
    """Return whether a row of a block has formatting, or begins within formatted text.

    Formatted text may follow within a row, but not stand at its beginning, where the command is.
    """
    if row.pieces[0][1] != 0 or any(kind & ~(Kind.SPAN | Kind.LINKED) for _, kind in row.pieces):
        return True
    # Spans may be nested, so the last one that begins earlier may have ended before an outer one.
    earlier_spans = bisect_left(source.blocks[index].inside, (row.start + 1, 0))
    return earlier_spans > 0 and source.reach[index][earlier_spans - 1] > row.start


def _is_in_html(source: _Source, block: Paragraph, start: int, stop: int) -> bool:
    """Return whether raw HTML occurs in a line, or in its paragraph above it.

    A browser may end the paragraph there. After raw HTML that is not simple, nothing is certain.
    """
    doc = source.doc
    if doc.shown.doubts:
        return True
    first = bisect_left(source.html, block.start)
    for offset in source.html[first : bisect_left(source.html, stop)]:
        # A `<br>` or a comment on an earlier line does not end the paragraph.
        if offset >= start or not _BREAK.match(doc.data, offset):
            return True
    return False


def _is_paragraph(data: bytes, block: Paragraph) -> bool:
    """Return whether every parser takes a block for a paragraph, not for a list item or a table."""
    line_start = data.rfind(b"\n", 0, block.start) + 1
    line_above = data.rfind(b"\n", 0, line_start - 1) + 1, line_start - 1
    if not _BEFORE_PARAGRAPH.fullmatch(data, *line_above):
        return False
    # The line below is searched too: it may make the last line of the block a table's header.
    has_line_end = data[block.stop - 1 : block.stop] == b"\n"
    stop = data.find(b"\n", block.stop if has_line_end else block.stop + 1)
    return not _TABLE.search(data, block.start, stop if stop >= 0 else len(data))


def _is_ambiguous(data: bytes, start: int, block: Paragraph) -> bool:
    """Return whether a line may be part of a formula, or of syntax that only one parser knows."""
    # A block formula between two `$$` may contain whole paragraphs.
    if _is_between(b"$$", data, start, (0, len(data))):
        return True
    paragraph = (block.start, block.stop)
    if _is_between(b"$", data, start, paragraph) or _is_between(b"~", data, start, paragraph):
        return True
    if data.count(b"[", block.start, start) > data.count(b"]", block.start, start):
        return True
    return data.rfind(b"<", block.start, start) > data.rfind(b">", block.start, start)


def _is_between(sign: bytes, data: bytes, start: int, span: Span) -> bool:
    """Return whether a sign is in a span both before and after an offset."""
    first, stop = span
    return data.find(sign, first, start) >= 0 and data.find(sign, start, stop) >= 0


def alike(text: str) -> str:
    """Return a text of the same length, with look-alikes replaced by the letters of a command."""
    if text.isascii():
        return text
    return "".join(_letter(sign) for sign in text)


def _letter(sign: str) -> str:
    plain = unicodedata.normalize("NFKC", sign)
    # Some characters become several, such as a ligature; offsets must remain valid.
    return _LETTERS.get(sign.lower(), plain if len(plain) == 1 else sign)
