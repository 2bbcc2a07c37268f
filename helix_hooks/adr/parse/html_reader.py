"""The visible text of a document with raw HTML, which few ADRs have."""

import re
from typing import Any

from .raw_html import Piece, RawHtml
from .visible import (
    HIDDEN,
    LAYOUT,
    PICTURE,
    Event,
    Span,
    VisibleReader,
    VisibleText,
    block_name,
)

_TAGS = {
    "Paragraph": "p", "Item": "li", "Table": "table", "TableHead": "tr", "TableRow": "tr",
    "TableCell": "td", "List": "ul", "Heading": "h2", "FootnoteDefinition": "li",
    "CodeBlock": "pre", "Emphasis": "em", "Strong": "strong", "Link": "a", "Strikethrough": "del",
}  # fmt: skip
"""The HTML elements of Markdown, except quotes: see `_open_quote`."""
_TEXT_TO_GITHUB = (rb"<![a-z]", rb"(?s)(?!<!--->\Z)<!--.*--->\Z|<!(?!--|\[CDATA\[|[A-Z]+\s)")
"""Text that begins with `<!` in a block and in a line, and that GitHub shows.

Its parser, cmark-gfm, knows no comment in a line that ends with three hyphens, and no declaration
in lowercase letters.
"""
_REFERENCE = rb"&[#A-Za-z]"
"""The beginning of a character reference; HTML knows some without the semicolon."""


class HtmlReader(VisibleReader):
    """Passes the elements of Markdown to an HTML parser, which knows what a browser shows."""

    def __init__(self, data: bytes, body: int) -> None:
        super().__init__(data, body)
        self._html = RawHtml(data)
        self._lost_headings: set[int] = set()
        self._quotes: list[str] = []

    def _read_events(self, events: list[Event]) -> None:
        kind = 0
        above: list[int] = []
        for event, place in events:
            if "Text" in event:
                self._text(place, event["Text"], kind)
            elif "Start" in event:
                if not above:
                    self._gap(place)
                above.append(kind)
                kind |= self._started(event["Start"], place, top=len(above) == 1)
            elif "End" in event:
                kind = above.pop()
                self._ended(event["End"], place)
            elif "Html" in event or "InlineHtml" in event:
                self._raw(place, kind, inline="InlineHtml" in event)
            else:
                self._rarer(event, place, kind)

    def _text(self, place: Any, piece: str, kind: int) -> None:
        start, stop = place["start"] + self._body, place["end"] + self._body
        html = self._html
        if html.swallows:
            self._hidden.append((start, stop))
            return
        if html.kind & HIDDEN:
            self._hidden.append((start, stop))
        self._runs.append((start, stop, piece, kind | html.kind))

    def _started(self, block: Any, place: Any, top: bool) -> int:
        """Enter a block or span, and return the kind of its text as far as Markdown decides it."""
        start = place["start"] + self._body
        name = block_name(block)
        if name == "BlockQuote":
            self._start_quote(block[name], start, top)
            return 0  # the HTML parser knows where a quote ends
        html = self._html
        if name in _TAGS:
            html.begin(_TAGS[name])
        if not html.swallows:
            self._add_start(name, start, top)
        if name == "Heading" and (html.swallows or html.kind & HIDDEN):
            self._lost_headings.add(start)
        elif name == "FootnoteDefinition":
            self._open_footnote(block[name])
        if name == "CodeBlock":
            return 0  # the HTML parser knows where code ends
        return self._flag(name, block, start)

    def _start_quote(self, alert: str | None, start: int, top: bool) -> None:
        # An alert is the author's own text, and GitHub knows it only at the top level.
        tag = "div" if alert and top else "blockquote"
        self._quotes.append(tag)
        self._html.begin(tag)
        if not self._html.swallows:
            self._add_start("BlockQuote", start, top)
        if not top:
            self._add_alert_mark(alert, start)

    def _ended(self, block: Any, place: Any) -> None:
        name = block_name(block)
        if name == "BlockQuote":
            self._html.end(self._quotes.pop())
        elif name in _TAGS:
            self._html.end(_TAGS[name])
        if name != "List" or not self._html.swallows:
            super()._ended(block, place)

    def _raw(self, place: Any, kind: int, inline: bool) -> None:
        """Read a fragment of raw HTML."""
        if kind & PICTURE:
            return  # a tag in an alternative text is text there
        start, stop = place["start"] + self._body, place["end"] + self._body
        source = self._data[start:stop]
        if not self._html.swallows and re.match(_TEXT_TO_GITHUB[inline], source):
            self._text(place, source.decode(errors="replace"), kind)
            return
        for piece in self._html.feed(start, stop):
            self._add_piece(piece, kind | piece.kind)

    def _add_piece(self, piece: Piece, kind: int) -> None:
        """Add a piece of raw HTML: a picture, a line break or text."""
        if piece.tag == "img":
            self._runs.append((piece.start, piece.stop, "", PICTURE | LAYOUT | kind))
            return
        if piece.tag:
            self._runs.append((piece.start, piece.stop, "\n", LAYOUT | kind))
            return
        if kind & HIDDEN:
            self._hidden.append((piece.start, piece.stop))
        source = self._data[piece.start : piece.stop].decode(errors="replace")
        self._runs.append((piece.start, piece.stop, _decoded(source), kind))

    def _result(self) -> VisibleText:
        runs = self._shown_runs(_REFERENCE)
        html = self._html
        html.finish(len(self._data))
        hidden: list[Span] = [*self._hidden, *self._beyond_cells]
        unseen = sorted([*html.comments, *hidden])
        lost = frozenset(self._lost_headings)
        return VisibleText(
            runs=runs,
            unseen=unseen,
            comments=html.comments,
            tags=html.tags,
            lost_headings=lost,
            targets=self._targets,
        )


def _decoded(text: str) -> str:
    """Return the text of raw HTML with its character references decoded."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)
