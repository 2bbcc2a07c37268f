"""Lines and positions of a text, in the units of the Language Server Protocol. Pure."""

import re
from bisect import bisect_right

from lsprotocol import types

_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
"""The codec of each encoding of the protocol, and the bytes of a code unit."""


class EditorText:
    """A text by lines. Columns count characters; positions count code units of the `encoding`.

    As in the protocol, only LF, CR LF and CR end a line. Lines count from 0.
    """

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self.starts = [0]
        self._ends: list[int] = []
        self._codec, self._width = _UNITS[encoding]
        for match in re.finditer(r"\r\n|\r|\n", text):
            self._ends.append(match.start())
            self.starts.append(match.end())
        self._ends.append(len(text))

    def line(self, number: int) -> str:
        """Return a line without its end; "" outside of the text."""
        if not 0 <= number < len(self.starts):
            return ""
        return self.text[self.starts[number] : self._ends[number]]

    @property
    def line_end(self) -> str:
        """The end of the first line, for lines that are inserted."""
        return self.text[self._ends[0] : self.starts[1]] if len(self.starts) > 1 else "\n"

    def offset(self, line: int) -> int:
        """Return the offset at which a line starts; the end of the text after the last line."""
        return self.starts[line] if line < len(self.starts) else len(self.text)

    def column(self, position: types.Position) -> int:
        """Return the column of a position. In the middle of a character, it is the one before."""
        data = self.line(position.line).encode(self._codec, "surrogatepass")
        return len(data[: position.character * self._width].decode(self._codec, "ignore"))

    def position(self, line: int, column: int) -> types.Position:
        """Return the position of a column."""
        data = self.line(line)[:column].encode(self._codec, "surrogatepass")
        return types.Position(line, len(data) // self._width)

    def part(self, line: int, start: int, stop: int) -> types.Range:
        """Return the range of the columns of one line."""
        return types.Range(self.position(line, start), self.position(line, stop))

    def range(self, start: int, stop: int) -> types.Range:
        """Return the range between two offsets."""
        return types.Range(*(self._at(offset) for offset in (start, stop)))

    def _at(self, offset: int) -> types.Position:
        line = bisect_right(self.starts, offset) - 1
        return self.position(line, min(offset, self._ends[line]) - self.starts[line])
