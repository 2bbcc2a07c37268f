"""The visible lines of a document with the marks in them: what a reader sees beside words."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from html import unescape

from ...text.invisible import DIRECTION_CONTROLS
from .document import AdrDocument
from .visible import CLOSES, LAYOUT, OPENS, PICTURE, TASK, TOP, Run

MARK = 2048
"""No text, but something that a reader sees: its piece says what."""
_TAG = rb"(?i)</?(?:sup|sub|bdo|td|th|tr|q|ol)(?=[\s/>])|<[a-z][^>]*\sdir\s*=[^>]*"
"""Tags that shift, turn or number the text in them."""
_TURNING = f"[{DIRECTION_CONTROLS}]"
Piece = tuple[str, int]
"""A text and its kind."""


def text_of(line: list[Piece]) -> str:
    return "".join(piece for piece, kind in line if not kind & MARK)


def lines_of(doc: AdrDocument, start: int, stop: int) -> Iterator[list[Piece]]:
    return (line for _, line in marked_lines(doc, start, stop))


def marked_lines(
    doc: AdrDocument, start: int, stop: int, soft: bool = False
) -> Iterator[tuple[bool, list[Piece]]]:
    """The visible lines between two offsets, each with whether a block begins with it that stands
    in no other one.

    With `soft`, whether it is the first one, or another line than the one above on the page too.
    """
    line: list[Piece] = []
    begins = False
    marks = _Marks(doc, start)
    for index in range(*doc.runs_between(start, stop)):
        place, end, piece, kind = doc.shown.runs[index]
        line += marks.before(place)
        if not kind & LAYOUT:
            line.append((piece, kind))
            line += marks.turns(place, end)
        elif "\n" not in piece:
            line.append(marks.of(doc.shown.runs[index]))
        else:
            if line:
                yield begins, line
                begins = False
            line = []
            line += marks.opened(kind)
            begins = begins or (end - place != 1 if soft else bool(kind & TOP))
    line += marks.closed()
    if line:
        yield begins, line


class _Marks:
    """Marks that a reader sees beside words: pictures, notes, boxes, nested lists, and tags that
    shift or turn the text in them.

    A document is read from `start` on.
    """

    def __init__(self, doc: AdrDocument, start: int) -> None:
        self._data = doc.data
        self._tags = doc.shown.tags
        self._depth = 0
        self._next = bisect_left(self._tags, (start, 0))

    def before(self, place: int) -> list[Piece]:
        """The telling tags that stand before a place and were not returned yet."""
        found: list[Piece] = []
        while self._next < len(self._tags) and self._tags[self._next][0] < place:
            tag = re.match(_TAG, self._data[slice(*self._tags[self._next])])
            self._next += 1
            if tag:
                found.append((tag[0].decode(errors="replace").lower(), MARK))
        return found

    def turns(self, start: int, stop: int) -> list[Piece]:
        """A mark for each sign that turns the direction of a text."""
        data = self._data[start:stop]
        if data.isascii() and not data.startswith(b"&"):
            return []
        return [
            (f"U+{ord(sign):04X}", MARK)
            for sign in re.findall(_TURNING, unescape(data.decode(errors="replace")))
        ]

    def opened(self, kind: int) -> list[Piece]:
        """A mark where a list begins in another one."""
        self._depth += bool(kind & OPENS)
        return [("(", MARK)] if kind & OPENS and self._depth > 1 else []

    def closed(self) -> list[Piece]:
        """Marks for the lists that end where the text does."""
        return [(")", MARK)] * (self._depth - 1)

    def of(self, run: Run) -> Piece:
        """Layout that stands in a line: a box, a picture, a note, the border of a cell."""
        start, stop, piece, kind = run
        if kind & CLOSES:
            self._depth = max(0, self._depth - 1)
            return (")", MARK) if self._depth else ("", 0)
        if kind & TASK:
            return piece.strip(), MARK | TASK
        if kind & PICTURE:
            return "(picture)", MARK
        if start < stop and self._data.startswith(b"[^", start):
            return self._data[start:stop].decode(errors="replace").lower(), MARK
        return piece if "|" in piece else "", kind & ~LAYOUT & 31
