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
from collections.abc import Iterable
from operator import itemgetter
from typing import Any, NamedTuple

from ...text import without_invisible


class Kind:
    """Kinds of text that is not plain prose, as flags."""

    SPAN, CODE, QUOTE, STRUCK, PICTURE, HIDDEN = 1, 2, 4, 8, 16, 32
    """Inline code, a code block, a quote, struck-out text, the alternative text of a picture, and
    text in raw HTML that some reader may not see.
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
"""Layout with which blocks begin."""
_KINDS = {
    "CodeBlock": Kind.CODE,
    "Strikethrough": Kind.STRUCK,
    "Image": Kind.PICTURE,
    "Link": Kind.LINKED,
}
_DEFINITION = r"(?m)^[ \t>]{0,9}\[((?:[^\]\\\n]|\\.){1,999})\]:\s*(?:<[^>\n]*>|\S*)"
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


def text(runs: list[Run], start: int, stop: int, leave_out: int = Kind.ASIDE) -> str:
    """Return the visible text between two offsets, with a mark for each run that is left out."""
    first, last = indexes(runs, start, stop)
    return "".join(
        [LEFT_OUT if kind & leave_out else piece for _, _, piece, kind in runs[first:last]]
    )


def indexes(runs: list[Run], start: int, stop: int) -> tuple[int, int]:
    """Return the range of indexes of the runs between two offsets."""
    first = bisect_left(runs, (start, 0, "", 0))
    return first, bisect_left(runs, (stop, 0, "", 0), first)


def covers(spans: list[Span], place: int) -> bool:
    """Return whether one of some spans, in order and apart from each other, has a place."""
    index = bisect_right(spans, place, key=itemgetter(0)) - 1
    return index >= 0 and place < spans[index][1]


def offset_in(
    runs: list[Run], start: int, stop: int, place: int, leave_out: int = Kind.ASIDE
) -> int:
    """Return the file offset of an index in the text that `text` returns for the same arguments."""
    for index in range(indexes(runs, start, stop)[0], len(runs)):
        begin, _, piece, kind = runs[index]
        size = len(piece)
        if kind & leave_out:
            size = len(LEFT_OUT)
        if place < size or begin >= stop:
            # A run of several lines is code; any other place is exact enough at the run's start.
            return begin + len(piece[:place].encode()) if "\n" in piece else begin
        place -= size
    return stop


class Fence(NamedTuple):
    """A code block; `info` is None for an indented one."""

    info: str | None
    start: int
    stop: int


class Reader:
    """Reads the events of a document in one pass: its visible text and its blocks.

    `headings` are level, start and stop of the headings that are in no item, quote or footnote.
    `fences` are the code blocks. `quotes` are the outermost quotes without alerts. `has_html` is
    true if there is raw HTML, which `raw_html` reads.
    """

    def __init__(self, data: bytes) -> None:
        self.headings: list[tuple[int, int, int]] = []
        self.fences: list[Fence] = []
        self.quotes: list[Span] = []
        self.has_html = False
        self._data = data
        self._runs: list[Run] = []
        self._quote_stop = 0
        self._cell_stop = 0
        self._block_stop = 0
        self._unseen: list[Span] = []
        self._open_footnotes: list[tuple[str, int]] = []
        self._footnotes: list[tuple[str, range, Span]] = []
        self._referred: set[str] = set()
        self._targets: list[tuple[int, str]] = []

    def read(self, events: Iterable[Event]) -> VisibleText:
        """Return the visible text of a document, from all its events."""
        runs = self._runs
        kind = 0
        above: list[int] = []
        # The loop visits every event of every ADR, so it calls nothing for plain text.
        for event, place in events:
            if "Text" in event:
                runs.append((place["start"], place["end"], event["Text"], kind))
            elif "Start" in event:
                start, stop = place["start"], place["end"]
                if not above:
                    self._gap(start, stop)
                above.append(kind)
                kind |= self._start(event["Start"], start, stop, is_top=len(above) == 1)
            elif "End" in event:
                kind = above.pop()
                self._end(block_name(event["End"]), place["start"], place["end"])
            elif event == "SoftBreak":
                runs.append((place["start"], place["end"], "\n", kind | Kind.LAYOUT))
            else:
                self._other(event, place["start"], place["end"], kind)
        self._gap(len(self._data), len(self._data))
        return NOTHING._replace(runs=self._shown_runs(), unseen=self._unseen, targets=self._targets)

    def _start(self, block: Any, start: int, stop: int, is_top: bool) -> int:
        """Enter a block or span, and return the kind of its text."""
        name = block_name(block)
        if name in STARTS:
            kind = Kind.LAYOUT | Kind.TOP if is_top else Kind.LAYOUT
            self._runs.append((start, start, STARTS[name], kind | Kind.OPENS * (name == "List")))
        if name == "Heading":
            if is_top:
                self.headings.append((int(block[name]["level"][1]), start, stop))
        elif name == "CodeBlock":
            code = block[name]
            info = None if code == "Indented" else code["Fenced"]
            self.fences.append(Fence(info, start, stop))
        elif name == "BlockQuote":
            return self._quote(block[name], start, stop, is_top)
        elif name == "FootnoteDefinition":
            self._open_footnotes.append((_label(block[name]), len(self._runs)))
        elif name in ("Link", "Image"):
            self._targets.append((start, block[name]["dest_url"]))
        return _KINDS.get(name, 0)

    def _quote(self, alert: str | None, start: int, stop: int, is_top: bool) -> int:
        """Enter a quote or an alert, which is the author's own text at the top of the document.

        Inside another block, GitHub shows the mark of an alert as text.
        """
        if start >= self._quote_stop:
            self._quote_stop = stop
            if not alert:
                self.quotes.append((start, stop))
        if alert and is_top:
            return 0
        if alert:
            self._runs.append((start, start, f"[!{alert.upper()}]\n", Kind.QUOTE))
        return Kind.QUOTE

    def _end(self, name: str, start: int, stop: int) -> None:
        if name == "Heading":
            self._runs.append((stop, stop, "\n\n", Kind.LAYOUT))
        elif name == "List":
            self._runs.append((stop, stop, "", Kind.LAYOUT | Kind.CLOSES))
        elif name == "TableCell":
            self._cell_stop = stop
        elif name in ("TableHead", "TableRow"):
            # Cells for which the head of the table has no column.
            cells = self._data[self._cell_stop : stop].decode(errors="replace")
            if any(map(str.isalnum, cells)):
                self._unseen.append((self._cell_stop, stop))
                self._runs.append((self._cell_stop, stop, cells.replace("\n", " "), Kind.BEYOND))
        elif name == "Image":
            self._runs.append((stop, stop, "", Kind.PICTURE | Kind.LAYOUT))
        elif name == "FootnoteDefinition":
            label, first = self._open_footnotes.pop()
            self._footnotes.append((label, range(first, len(self._runs)), (start, stop)))

    def _other(self, event: Any, start: int, stop: int, kind: int) -> None:
        """Read inline code, a box of a task, the mark of a footnote, a break or a rule."""
        if event.__class__ is str:
            # GitHub draws a rule, so it is seen like a picture.
            drawn = Kind.PICTURE if event == "Rule" else 0
            self._runs.append((start, stop, "\n", kind | Kind.LAYOUT | drawn))
        elif "Code" in event:
            self._runs.append((start, stop, event["Code"], kind | Kind.SPAN))
        elif "TaskListMarker" in event:
            box = "[x] " if event["TaskListMarker"] else "[ ] "
            self._runs.append((start, stop, box, kind | Kind.LAYOUT | Kind.TASK))
        elif "FootnoteReference" in event:
            self._referred.add(_label(event["FootnoteReference"]))
            self._runs.append((start, stop, "", kind | Kind.LAYOUT))
        else:
            self.has_html = True

    def _gap(self, start: int, stop: int) -> None:
        """Add the text above a top-level block: GitHub shows some link definitions as text."""
        begin = self._block_stop
        self._block_stop = max(begin, stop)
        if start - begin < _SHORTEST_DEFINITION or b"]:" not in self._data[begin:start]:
            return
        between = self._data[begin:start].decode(errors="replace")
        # The label of a link definition may be a sentence.
        sentences = re.sub(
            _DEFINITION, lambda item: item[1] if len(item[1].split()) > _MOST_LABEL else "", between
        )
        if any(map(str.isalnum, sentences)):
            self._runs.append((begin, start, sentences, Kind.BEYOND))

    def _shown_runs(self) -> list[Run]:
        """Return the runs without invisible characters and without unused footnotes.

        GitHub shows a footnote only if something refers to it, and the first one of each label.
        """
        unused: set[int] = set()
        labels: set[str] = set()
        for label, indexes_of_runs, place in self._footnotes:
            if label in labels or label not in self._referred:
                unused.update(indexes_of_runs)
                self._unseen.append(place)
            labels.add(label)
        return [
            (start, stop, piece if kind & Kind.LAYOUT else without_invisible(piece), kind)
            for index, (start, stop, piece, kind) in enumerate(self._runs)
            if index not in unused
        ]


def block_name(block: Any) -> str:
    """Return the name of a block, which pyromark gives as `name` or as `{name: attributes}`."""
    if block.__class__ is str:
        return block
    name: str = next(iter(block))
    return name


def _label(name: str) -> str:
    return " ".join(name.casefold().split())
