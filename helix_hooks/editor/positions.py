"""Positions in a text of an editor, and the units in which its protocol counts them.

As in the Language Server Protocol, only LF, CR LF and CR end a line.
"""

import re
from bisect import bisect_right
from typing import NamedTuple

UTF_8, UTF_16, UTF_32 = "utf-8", "utf-16", "utf-32"
_LINE_END = r"\r\n|\r|\n"
_LAST_OF_BMP = "\uffff"


class TextPosition(NamedTuple):
    """A position in a text. Line and column count from 0, the column in characters."""

    line: int
    column: int


class TextRange(NamedTuple):
    """The text between two positions; `end` is exclusive."""

    start: TextPosition
    end: TextPosition

    def shares_line(self, other: "TextRange") -> bool:
        """Return whether two ranges have a line in common."""
        return self.start.line <= other.end.line and other.start.line <= self.end.line


class BufferText(NamedTuple):
    """A text with the offsets at which its lines start and end, without their line ends."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def line(self, number: int) -> str:
        """Return a line without its end; "" after the last one."""
        if not 0 <= number < len(self.starts):
            return ""
        return self.text[self.starts[number] : self.ends[number]]

    def offset(self, position: TextPosition) -> int:
        """Return the offset of a position; the nearest offset if the position is outside."""
        if position.line >= len(self.starts):
            return len(self.text)
        line = max(0, position.line)
        return min(self.starts[line] + max(0, position.column), self.ends[line])

    def position(self, offset: int) -> TextPosition:
        """Return the position of an offset; the end of the line for an offset in a line end."""
        line = max(0, bisect_right(self.starts, offset) - 1)
        return TextPosition(line, max(0, min(offset, self.ends[line]) - self.starts[line]))


def buffer_text(text: str) -> BufferText:
    """Return a text with the offsets of its lines."""
    starts, ends = [0], []
    for match in re.finditer(_LINE_END, text):
        ends.append(match.start())
        starts.append(match.end())
    ends.append(len(text))
    return BufferText(text, tuple(starts), tuple(ends))


def units(text: str, encoding: str) -> int:
    """Return the length of a text in code units of an encoding of the protocol."""
    if encoding == UTF_32 or text.isascii():
        return len(text)
    if encoding == UTF_8:
        return len(text.encode("utf-8", "surrogatepass"))
    # UTF-16 has two units for each character outside the Basic Multilingual Plane.
    return len(text) + sum(character > _LAST_OF_BMP for character in text)


def column_of(line: str, count: int, encoding: str) -> int:
    """Return the column, in characters, after some code units of a line.

    A count in the middle of a character gives the column before it.
    """
    if encoding == UTF_32 or line.isascii():
        return max(0, min(count, len(line)))
    passed = 0
    for column, character in enumerate(line):
        passed += units(character, encoding)
        if passed > count:
            return column
    return len(line)
