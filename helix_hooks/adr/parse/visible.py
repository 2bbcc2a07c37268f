"""The visible text of a Markdown document: what a reader of GitHub sees, each piece with its place
in the file.

It is taken from the parsed document: GitHub's Markdown (CommonMark with tables, task lists,
strikethrough, footnotes and alerts), and the raw HTML in it as a browser reads it. Comments, tags,
link targets, link definitions, cells beyond those of the table's header and footnotes without a
reference are not in it. `tests/unit/adr/parse/test_visible.py` compares it with cmark-gfm and an
HTML parser.

Visible is not prose: `ASIDE` are the kinds of text that a reader sees and in which the author
asserts nothing.
"""

import re
from bisect import bisect_left
from operator import itemgetter

from ...records import Any, NamedTuple
from ...text.invisible import without_invisible
from .raw_html import CODE, HIDDEN, PICTURE, QUOTE, SPAN, STRUCK, RawHtml, Span

LAYOUT = 64
"""No words: the end of a line or block, a list marker, the border of a cell."""
TASK = 128
"""The box of a task list item."""
LINKED = 256
"""The text of a link."""
BEYOND = 1024
"""Cells beyond those of the table's header, and sentences in link definitions.

GitHub leaves them out; where it reads the blocks around them in another way, it shows them.
"""
OPENS = 4096
"""Layout where a list begins."""
CLOSES = 8192
"""Layout where a list ends."""
TOP = 512
"""Layout where a block begins that stands in no other one."""
ASIDE = CODE | QUOTE | STRUCK | PICTURE | HIDDEN | BEYOND
"""Kinds that are no prose."""
UNSEEN = PICTURE | HIDDEN | BEYOND
"""Kinds that not every reader sees: what stands in the place of a picture, and what only some
renderers hide.
"""
LEFT_OUT = "\x01"
"""Stands where text of another kind was left out, so that the words around it are no neighbours."""

Run = tuple[int, int, str, int]
"""First byte and the byte behind the last in the file, the text as it is shown, and its kind as
flags. A tuple, since a document has thousands.
"""
Event = tuple[Any, Any]

_TAGS = {
    "Paragraph": "p", "Item": "li", "Table": "table", "TableHead": "tr", "TableRow": "tr",
    "TableCell": "td", "List": "ul", "BlockQuote": "blockquote", "Heading": "h2",
    "FootnoteDefinition": "li", "CodeBlock": "pre", "Emphasis": "em", "Strong": "strong",
    "Link": "a", "Strikethrough": "del",
}  # fmt: skip
"""The kinds of the elements of Markdown on the page."""
_STARTS = {
    "Paragraph": "\n\n", "List": "\n\n", "Item": "\n- ", "Table": "\n\n", "TableHead": "\n",
    "TableRow": "\n", "TableCell": " | ", "HtmlBlock": "\n\n", "Heading": "\n\n",
    "CodeBlock": "\n\n", "BlockQuote": "\n\n", "FootnoteDefinition": "\n\n",
}  # fmt: skip
_SPANS = ("Strong", "Emphasis")
_ENDED_SILENTLY = (
    "Paragraph",
    "Item",
    "Strong",
    "Link",
    "Emphasis",
    "Strikethrough",
    "CodeBlock",
    "Table",
)
"""Elements of which nothing is to be noted at their start, or at their end, in a document without
raw HTML; the most common first.
"""
_PLAIN = ("Paragraph", "Item", "TableCell", "TableRow", "TableHead")
"""Blocks whose start adds one run and nothing else in a document without raw HTML."""
_FLAGS = {"CodeBlock": CODE, "Strikethrough": STRUCK, "Image": PICTURE, "Link": LINKED}
_TEXT_TO_GITHUB = (rb"<![a-z]", rb"(?s)(?!<!--->\Z)<!--.*--->\Z|<!(?!--|\[CDATA\[|[A-Z]+\s)")
"""Text that begins with `<!` in a block and in a line, and is shown on GitHub: its parser,
cmark-gfm, knows no comment in a line that ends with three hyphens, and no declaration but in
capitals.
"""
_DEFINITION = r"(?m)^[ \t>]{0,9}\[((?:[^\]\\\n]|\\.){1,999})\]:\s*(?:<[^>\n]*>|\S*)"
_ASCII_TEXT = bytes(range(32, 127)) + b"\t\n"
_REFERENCE, _IN_HTML = rb"&#?[0-9A-Za-z]+;", rb"&[#A-Za-z]"
"""References to characters; HTML knows some without the semicolon."""
_SHORTEST_DEFINITION = 6
_MOST_LABEL = 6
"""Words of the label of a link definition; a longer one may be a sentence."""


class VisibleText(NamedTuple):
    """The visible text of a document and what is not visible of it.

    `runs` stand in the order of the file. `unseen` are the regions that no reader sees, comments
    among them; `tags` are those of raw HTML. `lost_headings` are the offsets of headings that stand
    in a comment, a tag or hidden text.
    """

    runs: list[Run]
    unseen: list[Span]
    comments: list[Span]
    tags: list[Span]
    lost_headings: frozenset[int]


NOTHING = VisibleText([], [], [], [], frozenset())


def shown(events: list[Event], data: bytes, body: int) -> VisibleText:
    """Collect the visible text from the parser's events, whose places count from `body` on."""
    reader = _Reader(data, body)
    reader.read(events)
    return reader.result()


def text(runs: list[Run], start: int, stop: int, leave_out: int = ASIDE, most: int = 0) -> str:
    """The visible text between two offsets; of kinds that are left out, a mark stays.

    With `most`, reading ends behind the run in which so many characters are reached.
    """
    first = bisect_left(runs, start, key=itemgetter(0))
    last = bisect_left(runs, stop, first, key=itemgetter(0))
    if not most:
        return "".join(
            [LEFT_OUT if kind & leave_out else piece for _, _, piece, kind in runs[first:last]]
        )
    pieces: list[str] = []
    size = 0
    for index in range(first, last):
        _, _, piece, kind = runs[index]
        pieces.append(LEFT_OUT if kind & leave_out else piece)
        size += len(piece)
        if size >= most:
            break
    return "".join(pieces)


def offset_in(runs: list[Run], start: int, stop: int, place: int, leave_out: int = ASIDE) -> int:
    """The offset in the file of a place in the text that `text` returns for the same arguments."""
    for index in range(bisect_left(runs, start, key=itemgetter(0)), len(runs)):
        begin, _, piece, kind = runs[index]
        size = 1 if kind & leave_out else len(piece)
        if place < size or begin >= stop:
            return begin + (len(piece[:place].encode()) if "\n" in piece else 0)
        place -= size
    return stop


class _Footnote(NamedTuple):
    """A definition: its name, its first run and the one behind its last, its place in the file."""

    label: str
    first: int
    last: int
    place: Span


class _Reader:
    """One pass over the events."""

    def __init__(self, data: bytes, body: int) -> None:
        self._data, self._body = data, body
        self._html: RawHtml | None = None
        self._runs: list[Run] = []
        self._hidden: list[Span] = []
        self._lost_headings: set[int] = set()
        self._cell_stop = 0
        self._block_stop = body
        self._beyond_cells: list[Span] = []
        self._quotes: list[str] = []
        self._open_footnotes: list[tuple[str, int]] = []
        self._footnotes: list[_Footnote] = []
        self._referred: set[str] = set()

    def read(self, events: list[Event]) -> None:
        """The loop visits every event of every document, so it calls nothing for plain text."""
        runs, body = self._runs, self._body
        raw = b"<" in self._data and any(
            "Html" in event or "InlineHtml" in event for event, _ in events
        )
        self._html = html = RawHtml(self._data) if raw else None
        kind = 0
        above: list[int] = []
        for event, place in events:
            if "Text" in event:
                if html is None:
                    runs.append((place["start"] + body, place["end"] + body, event["Text"], kind))
                else:
                    self._text(place, event["Text"], kind)
            elif event == "SoftBreak" and html is None:
                runs.append((place["start"] + body, place["end"] + body, "\n", kind | LAYOUT))
            elif "Start" in event:
                if not above:
                    self._gap(place)
                above.append(kind)
                block = event["Start"]
                if html is not None or block not in _SPANS:
                    kind |= self._started(block, place, top=len(above) == 1)
            elif "End" in event:
                kind = above.pop()
                block = event["End"]
                if html is not None or block not in _ENDED_SILENTLY:
                    self._ended(block, place)
            else:
                self._rarer(event, place, kind)
        self._gap({"start": len(self._data) - body, "end": len(self._data) - body})

    def _rarer(self, event: Any, place: Any, kind: int) -> None:
        if event.__class__ is str:
            self._text(place, "\n", kind | LAYOUT | (PICTURE if event == "Rule" else 0))
        elif "Code" in event:
            self._text(place, event["Code"], kind | SPAN)
        elif "Html" in event or "InlineHtml" in event:
            self._raw(place, kind, inline="InlineHtml" in event)
        elif "TaskListMarker" in event:
            self._text(place, "[x] " if event["TaskListMarker"] else "[ ] ", kind | LAYOUT | TASK)
        elif "FootnoteReference" in event:
            self._referred.add(_label(event["FootnoteReference"]))
            self._text(place, "", kind | LAYOUT)

    def _text(self, place: Any, piece: str, kind: int) -> None:
        start, stop = place["start"] + self._body, place["end"] + self._body
        html = self._html
        if html is None:
            self._runs.append((start, stop, piece, kind))
            return
        if html.swallows:
            self._hidden.append((start, stop))
            return
        if html.kind & HIDDEN:
            self._hidden.append((start, stop))
        self._runs.append((start, stop, piece, kind | html.kind))

    def _started(self, block: Any, place: Any, top: bool) -> int:
        """Enter a block or span, and return the kind of its text.

        An alert is the author's own text.
        """
        start = place["start"] + self._body
        html = self._html
        if html is None and block in _PLAIN:
            self._runs.append((start, start, _STARTS[block], LAYOUT | TOP if top else LAYOUT))
            return 0
        name = block if block.__class__ is str else next(iter(block))
        alert = name == "BlockQuote" and top and bool(block[name])
        if name == "BlockQuote":
            self._quotes.append("div" if alert else "blockquote")
        if html is not None and name in _TAGS:
            html.begin(self._quotes[-1] if name == "BlockQuote" else _TAGS[name])
        if name in _STARTS and not (html is not None and html.swallows):
            kind = OPENS | LAYOUT if name == "List" else LAYOUT
            self._runs.append((start, start, _STARTS[name], kind | TOP if top else kind))
        if name == "Heading" and html is not None and (html.swallows or html.kind & HIDDEN):
            self._lost_headings.add(start)
        if name == "FootnoteDefinition":
            self._open_footnotes.append((_label(block[name]), len(self._runs)))
        if name == "BlockQuote":
            if (
                block[name] and not alert
            ):  # GitHub knows alerts only where they stand in no other block
                self._runs.append((start, start, f"[!{block[name].upper()}]\n", QUOTE))
            return 0 if alert or html is not None else QUOTE
        if html is not None and name == "CodeBlock":
            # With HTML in the document, its parser knows where quotes and code end.
            return 0
        return _FLAGS.get(name, 0)

    def _ended(self, block: Any, place: Any) -> None:
        name = block if block.__class__ is str else next(iter(block))
        start, stop = place["start"] + self._body, place["end"] + self._body
        tag = self._quotes.pop() if name == "BlockQuote" else _TAGS.get(name, "")
        if self._html is not None and tag:
            self._html.end(tag)
        if name == "Heading":
            self._runs.append((stop, stop, "\n\n", LAYOUT))
        elif name == "List" and not (self._html is not None and self._html.swallows):
            self._runs.append((stop, stop, "", LAYOUT | CLOSES))
        elif name == "TableCell":
            self._cell_stop = stop
        elif name in ("TableHead", "TableRow"):
            self._beyond(stop)
        elif name == "Image":
            self._runs.append((stop, stop, "", PICTURE | LAYOUT))
        elif name == "FootnoteDefinition":
            label, first = self._open_footnotes.pop()
            self._footnotes.append(_Footnote(label, first, len(self._runs), (start, stop)))

    def _gap(self, place: Any) -> None:
        """Add the text between two blocks: GitHub shows some link definitions as text."""
        start, stop = self._block_stop, place["start"] + self._body
        self._block_stop = max(start, place["end"] + self._body)
        if stop - start < _SHORTEST_DEFINITION or b"]:" not in self._data[start:stop]:
            return
        between = self._data[start:stop].decode(errors="replace")
        said = re.sub(
            _DEFINITION,
            lambda match: match[1] if len(match[1].split()) > _MOST_LABEL else "",
            between,
        )
        if any(map(str.isalnum, said)):
            self._runs.append((start, stop, said, BEYOND))

    def _beyond(self, stop: int) -> None:
        """Take in the cells of a row that the table's header does not have."""
        said = self._data[self._cell_stop : stop].decode(errors="replace")
        if any(map(str.isalnum, said)):
            self._beyond_cells.append((self._cell_stop, stop))
            self._runs.append((self._cell_stop, stop, said.replace("\n", " "), BEYOND))

    def _raw(self, place: Any, kind: int, inline: bool) -> None:
        html = self._html
        if html is None:
            return
        start, stop = place["start"] + self._body, place["end"] + self._body
        if kind & PICTURE:
            return  # a tag in an alternative text is text there
        if not html.swallows and re.match(_TEXT_TO_GITHUB[inline], self._data[start:stop]):
            self._text(place, self._data[start:stop].decode(errors="replace"), kind)
            return
        for piece in html.feed(start, stop):
            mine = kind | piece.kind
            if piece.tag == "img":
                self._runs.append((piece.start, piece.stop, "", PICTURE | LAYOUT | mine))
            elif piece.tag:
                self._runs.append((piece.start, piece.stop, "\n", LAYOUT | mine))
            else:
                if mine & HIDDEN:
                    self._hidden.append((piece.start, piece.stop))
                said = self._data[piece.start : piece.stop].decode(errors="replace")
                self._runs.append((piece.start, piece.stop, _decoded(said), mine))

    def result(self) -> VisibleText:
        html = self._html
        runs = self._without_unused_footnotes()
        if _may_have_invisible(self._data, _REFERENCE if html is None else _IN_HTML):
            runs = [_without_invisible(run) for run in runs]
        hidden = [*self._hidden, *self._beyond_cells]
        if html is None:
            return VisibleText(runs, hidden, [], [], frozenset())
        html.finish(len(self._data))
        unseen = sorted([*html.comments, *hidden])
        return VisibleText(runs, unseen, html.comments, html.tags, frozenset(self._lost_headings))

    def _without_unused_footnotes(self) -> list[Run]:
        """GitHub shows a footnote only where something refers to it, and of two with one name the
        first.
        """
        unused: set[int] = set()
        seen: set[str] = set()
        for note in self._footnotes:
            if note.label in seen or note.label not in self._referred:
                unused.update(range(note.first, note.last))
                self._hidden.append(note.place)
            seen.add(note.label)
        return (
            [run for index, run in enumerate(self._runs) if index not in unused]
            if unused
            else self._runs
        )


def _may_have_invisible(data: bytes, reference: bytes) -> bool:
    """Return whether a Markdown text has invisible characters, or references to characters."""
    if b"&" in data and re.search(reference, data):
        return True
    others = data.translate(None, _ASCII_TEXT).decode(errors="replace")
    return without_invisible(others) != others


def _without_invisible(run: Run) -> Run:
    start, stop, piece, kind = run
    if kind & LAYOUT or (piece.isascii() and piece.isprintable()):
        return run
    return start, stop, without_invisible(piece), kind


def _label(name: str) -> str:
    return " ".join(name.casefold().split())


def _decoded(text: str) -> str:
    """Return the text of raw HTML with its character references decoded."""
    if "&" not in text:
        return text
    import html

    return html.unescape(text)
