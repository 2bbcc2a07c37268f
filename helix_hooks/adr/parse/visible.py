"""The visible text of a Markdown document as GitHub renders it, with the offset of each piece.

The text comes from the parsed document: GitHub's Markdown (CommonMark with tables, task lists,
strikethrough, footnotes and alerts); `raw_html` adds simple raw HTML. Comments, tags, link targets,
link definitions, table cells without a header and footnotes without a reference are left out.
`tests/unit/adr/parse/test_visible.py` compares the result with cmark-gfm and an HTML parser.

Visible text is not always prose: in the kinds of `ASIDE`, such as quotes and code, the author
asserts nothing.
"""

import re
from bisect import bisect_left, bisect_right
from operator import itemgetter
from typing import Any, NamedTuple

from ...text.invisible import without_invisible

SPAN, CODE, QUOTE, STRUCK, PICTURE, HIDDEN = 1, 2, 4, 8, 16, 32
"""Kinds of text that is not plain prose, as flags: inline code, a code block, a quote, struck-out
text, the alternative text of a picture. HIDDEN text is in raw HTML that some reader may not see.
"""
LAYOUT = 64
"""Text without words: the end of a line or block, a list marker, the border of a cell."""
TASK = 128
"""The box of a task list item."""
LINKED = 256
"""The text of a link."""
BEYOND = 1024
"""Table cells without a header, and sentences in link definitions.

GitHub leaves them out, but shows them where it parses the surrounding blocks differently.
"""
OPENS = 4096
"""Layout at the beginning of a list."""
CLOSES = 8192
"""Layout at the end of a list."""
TOP = 512
"""Layout at the beginning of a top-level block."""
ASIDE = CODE | QUOTE | STRUCK | PICTURE | HIDDEN | BEYOND
"""Kinds of text that are not prose."""
IN_HTML = 32768
"""Text in an element of raw HTML."""
UNSEEN = PICTURE | HIDDEN | BEYOND
"""Kinds that not every reader sees: alternative texts of pictures, and text that only some
renderers hide.
"""
LEFT_OUT = "\x01"
"""Replaces text of another kind that was left out, so that the words around it are not adjacent."""

Span = tuple[int, int]
"""Start and stop as byte offsets."""
Run = tuple[int, int, str, int]
"""Start and stop as byte offsets in the file, the text as it is shown, and its kind as flags.

A plain tuple, since a document has thousands of them.
"""
Event = tuple[Any, Any]

STARTS = {
    "Paragraph": "\n\n", "List": "\n\n", "Item": "\n- ", "Table": "\n\n", "TableHead": "\n",
    "TableRow": "\n", "TableCell": " | ", "HtmlBlock": "\n\n", "Heading": "\n\n",
    "CodeBlock": "\n\n", "BlockQuote": "\n\n", "FootnoteDefinition": "\n\n",
}  # fmt: skip
_SPANS = ("Strong", "Emphasis")
"""Elements whose start adds nothing in a document without raw HTML."""
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
"""Elements whose end adds nothing in a document without raw HTML, the most common first."""
_PLAIN = ("Paragraph", "Item", "TableCell", "TableRow", "TableHead")
"""Blocks whose start only adds one run in a document without raw HTML."""
_LEADING = ("Link", "Image")
FLAGS = {"CodeBlock": CODE, "Strikethrough": STRUCK, "Image": PICTURE, "Link": LINKED}
_DEFINITION = r"(?m)^[ \t>]{0,9}\[((?:[^\]\\\n]|\\.){1,999})\]:\s*(?:<[^>\n]*>|\S*)"
_ASCII_TEXT = bytes(range(32, 127)) + b"\t\n"
_REFERENCE = rb"&#?[0-9A-Za-z]+;"
_SHORTEST_DEFINITION = 6
"""Characters of the shortest link definition between two blocks, with its line ends."""
_MOST_LABEL = 6
"""Maximum words in the label of a link definition; a longer one may be a sentence."""


class VisibleText(NamedTuple):
    """The visible text of a document, and the regions that are not visible.

    `runs` are in the order of the file. `unseen` are the regions that no reader sees, including
    comments; `tags` are the tags of raw HTML. `doubts` are the regions that some reader may not
    see, in order. `targets` are those of links and pictures, with their offsets.
    """

    runs: list[Run]
    unseen: list[Span]
    comments: list[Span]
    tags: list[Span]
    doubts: list[Span]
    targets: list[tuple[int, str]]


NOTHING = VisibleText(runs=[], unseen=[], comments=[], tags=[], doubts=[], targets=[])


def text(runs: list[Run], start: int, stop: int, leave_out: int = ASIDE, most: int = 0) -> str:
    """Return the visible text between two offsets, with a mark for each run that is left out.

    With `most`, stop after the run that reaches this number of characters.
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


def covers(spans: list[Span], place: int) -> bool:
    """Return whether one of some spans, in order and apart from each other, has a place."""
    index = bisect_right(spans, place, key=itemgetter(0)) - 1
    return index >= 0 and place < spans[index][1]


def offset_in(runs: list[Run], start: int, stop: int, place: int, leave_out: int = ASIDE) -> int:
    """Return the file offset of an index in the text that `text` returns for the same arguments."""
    for index in range(bisect_left(runs, start, key=itemgetter(0)), len(runs)):
        begin, _, piece, kind = runs[index]
        size = len(piece)
        if kind & leave_out:
            size = len(LEFT_OUT)
        if place < size or begin >= stop:
            # A run of several lines is code; any other place is exact enough at the run's start.
            return begin + len(piece[:place].encode()) if "\n" in piece else begin
        place -= size
    return stop


class _Footnote(NamedTuple):
    """A footnote definition: its label, its range of runs, and its place in the file."""

    label: str
    first: int
    last: int
    place: Span


class VisibleReader:
    """Collects the runs of a document in one pass over the events."""

    def __init__(self, data: bytes, body: int) -> None:
        self._data, self._body = data, body
        self._runs: list[Run] = []
        self._hidden: list[Span] = []
        self._cell_stop = 0
        self._block_stop = body
        self._beyond_cells: list[Span] = []
        self._open_footnotes: list[tuple[str, int]] = []
        self._footnotes: list[_Footnote] = []
        self._referred: set[str] = set()
        self._targets: list[tuple[int, str]] = []

    def read(self, events: list[Event]) -> VisibleText:
        """Return the visible text of a document, from all its events."""
        self._read_events(events)
        end = len(self._data) - self._body
        self._gap({"start": end, "end": end})
        return self._result()

    def _read_events(self, events: list[Event]) -> None:
        """Add the runs of all events.

        The loop visits every event of most documents, so it calls nothing for plain text.
        """
        runs, body = self._runs, self._body
        kind = 0
        above: list[int] = []
        for event, place in events:
            if "Text" in event:
                runs.append((place["start"] + body, place["end"] + body, event["Text"], kind))
            elif event == "SoftBreak":
                runs.append((place["start"] + body, place["end"] + body, "\n", kind | LAYOUT))
            elif "Start" in event:
                if not above:
                    self._gap(place)
                above.append(kind)
                block = event["Start"]
                if block not in _SPANS:
                    kind |= self._started(block, place, top=len(above) == 1)
            elif "End" in event:
                kind = above.pop()
                block = event["End"]
                if block not in _ENDED_SILENTLY:
                    self._ended(block, place)
            else:
                self._rarer(event, place, kind)

    def _rarer(self, event: Any, place: Any, kind: int) -> None:
        if event.__class__ is str:
            # A break or a rule; GitHub draws a rule, so it is seen like a picture.
            drawn = PICTURE if event == "Rule" else 0
            self._text(place, "\n", kind | LAYOUT | drawn)
        elif "Code" in event:
            self._text(place, event["Code"], kind | SPAN)
        elif "TaskListMarker" in event:
            box = "[x] " if event["TaskListMarker"] else "[ ] "
            self._text(place, box, kind | LAYOUT | TASK)
        elif "FootnoteReference" in event:
            self._referred.add(_label(event["FootnoteReference"]))
            self._text(place, "", kind | LAYOUT)

    def _text(self, place: Any, piece: str, kind: int) -> None:
        self._runs.append((place["start"] + self._body, place["end"] + self._body, piece, kind))

    def _started(self, block: Any, place: Any, top: bool) -> int:
        """Enter a block or span, and return the kind of its text."""
        start = place["start"] + self._body
        if block in _PLAIN:
            self._runs.append((start, start, STARTS[block], LAYOUT | TOP if top else LAYOUT))
            return 0
        name = block_name(block)
        self._add_start(name, start, top)
        if name == "FootnoteDefinition":
            self._open_footnote(block[name])
        elif name == "BlockQuote":
            alert = block[name]
            if alert and top:
                return 0  # an alert is the author's own text
            self._add_alert_mark(alert, start)
            return QUOTE
        return self._flag(name, block, start)

    def _flag(self, name: str, block: Any, start: int) -> int:
        """Return the kind of the text in a block or span, and keep the target of a link."""
        if name in _LEADING:
            self._targets.append((start, block[name]["dest_url"]))
        return FLAGS.get(name, 0)

    def _open_footnote(self, label: str) -> None:
        self._open_footnotes.append((_label(label), len(self._runs)))

    def _add_start(self, name: str, start: int, top: bool) -> None:
        """Add the layout with which a block begins."""
        if name not in STARTS:
            return
        kind = LAYOUT
        if name == "List":
            kind |= OPENS
        if top:
            kind |= TOP
        self._runs.append((start, start, STARTS[name], kind))

    def _add_alert_mark(self, alert: str | None, start: int) -> None:
        """Add the mark of an alert inside another block, where GitHub shows it as text."""
        if alert:
            self._runs.append((start, start, f"[!{alert.upper()}]\n", QUOTE))

    def _ended(self, block: Any, place: Any) -> None:
        stop = place["end"] + self._body
        name = block_name(block)
        if name == "Heading":
            self._runs.append((stop, stop, "\n\n", LAYOUT))
        elif name == "List":
            self._runs.append((stop, stop, "", LAYOUT | CLOSES))
        elif name == "TableCell":
            self._cell_stop = stop
        elif name in ("TableHead", "TableRow"):
            self._beyond(stop)
        elif name == "Image":
            self._runs.append((stop, stop, "", PICTURE | LAYOUT))
        elif name == "FootnoteDefinition":
            label, first = self._open_footnotes.pop()
            span = (place["start"] + self._body, stop)
            self._footnotes.append(_Footnote(label, first, len(self._runs), span))

    def _gap(self, place: Any) -> None:
        """Add the text between two blocks: GitHub shows some link definitions as text."""
        start, stop = self._block_stop, place["start"] + self._body
        self._block_stop = max(start, place["end"] + self._body)
        if stop - start < _SHORTEST_DEFINITION or b"]:" not in self._data[start:stop]:
            return
        between = self._data[start:stop].decode(errors="replace")
        sentences = re.sub(_DEFINITION, _long_label, between)
        if any(map(str.isalnum, sentences)):
            self._runs.append((start, stop, sentences, BEYOND))

    def _beyond(self, stop: int) -> None:
        """Add the cells of a row for which the table's header has no column."""
        cells = self._data[self._cell_stop : stop].decode(errors="replace")
        if any(map(str.isalnum, cells)):
            self._beyond_cells.append((self._cell_stop, stop))
            self._runs.append((self._cell_stop, stop, cells.replace("\n", " "), BEYOND))

    def _result(self) -> VisibleText:
        runs = self._shown_runs()
        unseen = [*self._hidden, *self._beyond_cells]
        return NOTHING._replace(runs=runs, unseen=unseen, targets=self._targets)

    def _shown_runs(self) -> list[Run]:
        """Return the runs without invisible characters and footnotes that GitHub does not show."""
        runs = self._without_unused_footnotes()
        if _may_have_invisible(self._data):
            runs = [_without_invisible(run) for run in runs]
        return runs

    def _without_unused_footnotes(self) -> list[Run]:
        """Return the runs without the footnotes that GitHub does not show.

        It shows a footnote only if something refers to it, and the first one of each label.
        """
        unused: set[int] = set()
        labels: set[str] = set()
        for note in self._footnotes:
            if note.label in labels or note.label not in self._referred:
                unused.update(range(note.first, note.last))
                self._hidden.append(note.place)
            labels.add(note.label)
        if not unused:
            return self._runs
        return [run for index, run in enumerate(self._runs) if index not in unused]


def block_name(block: Any) -> str:
    """Return the name of a block, which pyromark gives as `name` or as `{name: attributes}`."""
    if block.__class__ is str:
        return block
    name: str = next(iter(block))
    return name


def _long_label(definition: re.Match[str]) -> str:
    """Return the label of a link definition if it may be a sentence."""
    label = definition[1]
    return label if len(label.split()) > _MOST_LABEL else ""


def _may_have_invisible(data: bytes) -> bool:
    """Return whether a Markdown text may have invisible characters, or references to characters."""
    if b"&" in data and re.search(_REFERENCE, data):
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
