"""The visible lines of a document, with the marks that a reader sees in addition to words."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from html import unescape

from ...text import DIRECTION_CONTROLS
from .document import AdrDocument
from .visible import Kind, Run, covers, indexes

MARK = 2048
"""A visible mark that is not text; its piece describes it."""
TARGET = 16384
"""A mark with the target of a link or a picture."""
_TAG = (
    rb"(?i)<(?:ol|li|details)(?=\s)[^>]*"
    rb"|</?(?:sup|sub|q|ol|details|summary)(?=[\s/>])"
)
"""Simple tags that shift, number or fold the text in them."""
_LEADING_TAG = rb"(?i)<(?:a|img)\s[^>]*?\s?(?:href|src|srcset)\s*=\s*[^>]*"
"""Simple tags with a target."""
_NUMBER = rb"\s*(\d{1,9})[.)]"
"""The number with which a list begins."""
_TURNING = f"[{DIRECTION_CONTROLS}]"
_TEXT_KINDS = Kind.SPAN | Kind.CODE | Kind.QUOTE | Kind.STRUCK | Kind.PICTURE
_LONGEST_NUMBER = 20
"""Bytes in which the number of a list stands."""
Piece = tuple[str, int]
"""A text and its kind as flags."""


def text_of(line: list[Piece]) -> str:
    return "".join(piece for piece, kind in line if not kind & MARK)


def lines_of(doc: AdrDocument, start: int, stop: int) -> Iterator[list[Piece]]:
    return (line for _, line in marked_lines(doc, start, stop))


def marked_lines(
    doc: AdrDocument, start: int, stop: int, soft: bool = False
) -> Iterator[tuple[bool, list[Piece]]]:
    """Yield the visible lines between two offsets, each with whether a top-level block begins.

    With `soft`, the flag is False for a line that continues the paragraph of the line above.
    """
    line: list[Piece] = []
    begins = False
    marks = _Marks(doc, start)
    for index in range(*indexes(doc.shown.runs, start, stop)):
        run = doc.shown.runs[index]
        place, end, piece, kind = run
        line += marks.before(place)
        if not kind & Kind.LAYOUT:
            line.append((piece, kind))
            line += marks.turns(place, end)
            continue
        if "\n" not in piece:
            line.append(marks.of(run))
            continue
        if line:
            yield begins, line
            begins = False
        line = marks.opened(place, kind)
        # Only a line end within a paragraph is one byte of the file.
        is_soft_break = end - place == 1
        begins = begins or (not is_soft_break if soft else bool(kind & Kind.TOP))
    line += marks.closed(stop)
    if line:
        yield begins, line


class _Marks:
    """Marks that a reader sees in addition to words: pictures, notes, boxes, nested lists and their
    numbers, targets, tags that shift or fold the text in them, and tags that may hide it.

    Call the methods in the order of the document, from `start`.
    """

    def __init__(self, doc: AdrDocument, start: int) -> None:
        self._data = doc.data
        self._tags = doc.shown.tags
        self._doubts = doc.shown.doubts
        self._depth = 0
        self._next = bisect_left(self._tags, (start, 0))
        self._targets = doc.shown.targets
        self._next_target = bisect_left(self._targets, (start, ""))

    def before(self, place: int) -> list[Piece]:
        """Return the marks of targets and tags before a place that were not returned yet."""
        marks: list[Piece] = []
        while (
            self._next_target < len(self._targets) and self._targets[self._next_target][0] < place
        ):
            target = self._targets[self._next_target][1].removeprefix("./")
            marks.append((target, MARK | TARGET))
            self._next_target += 1
        while self._next < len(self._tags) and self._tags[self._next][0] < place:
            tag = self._tags[self._next]
            marks += _of_tag(self._data[slice(*tag)], covers(self._doubts, tag[0]))
            self._next += 1
        return marks

    def turns(self, start: int, stop: int) -> list[Piece]:
        """Return a mark for each character that turns the direction of a text."""
        data = self._data[start:stop]
        if data.isascii() and not data.startswith(b"&"):
            return []
        text = unescape(data.decode(errors="replace"))
        return [(f"U+{ord(sign):04X}", MARK) for sign in re.findall(_TURNING, text)]

    def opened(self, place: int, kind: int) -> list[Piece]:
        """Return the marks of a list that begins: inside another one, and with its number."""
        if not kind & Kind.OPENS:
            return []
        self._depth += 1
        marks = [("(", MARK)] if self._depth > 1 else []
        number = re.match(_NUMBER, self._data[place : place + _LONGEST_NUMBER])
        if number:
            marks.append((f"{int(number[1])}.", MARK))
        return marks

    def closed(self, stop: int) -> list[Piece]:
        """Return the marks of tags up to the end of the text, and of the lists that end with it."""
        return [*self.before(stop), *[(")", MARK)] * (self._depth - 1)]

    def of(self, run: Run) -> Piece:
        """Return layout within a line: a box, a picture, a footnote mark, the border of a cell."""
        start, stop, piece, kind = run
        if kind & Kind.CLOSES:
            self._depth = max(0, self._depth - 1)
            return (")", MARK) if self._depth else ("", 0)
        if kind & Kind.TASK:
            return piece.strip(), MARK | Kind.TASK
        if kind & Kind.PICTURE:
            return "(picture)", MARK
        if start < stop and self._data.startswith(b"[^", start):
            return self._data[start:stop].decode(errors="replace").lower(), MARK
        border = piece if "|" in piece else ""
        return border, kind & _TEXT_KINDS


def _of_tag(source: bytes, is_in_doubt: bool) -> list[Piece]:
    """Return the mark of a tag of raw HTML, if a reader may see it."""
    if is_in_doubt:
        return [(" ".join(source.decode(errors="replace").split()), MARK | TARGET)]
    if target := re.match(_LEADING_TAG, source):
        return [(" ".join(target[0].decode(errors="replace").split()), MARK | TARGET)]
    if tag := re.match(_TAG, source):
        return [(" ".join(tag[0].decode(errors="replace").lower().split()), MARK)]
    return []
