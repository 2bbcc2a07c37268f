"""The lines of a text as spans of characters, with their line endings."""

import re
from functools import lru_cache
from typing import NamedTuple

from ..text.invisible import BYTE_ORDER_MARK

LONGEST = 1000
"""Maximum characters of a line that is fixed; longer lines are not headers."""
_LINE = r"[^\r\n]*(\r\n|\r|\n|$)"


class TextLine(NamedTuple):
    """A line: the offset of its first character, its text without the ending, and the ending."""

    start: int
    text: str
    ending: str

    @property
    def stop(self) -> int:
        """Return the offset after the text, before the line ending."""
        return self.start + len(self.text)

    @property
    def end(self) -> int:
        """Return the offset after the line ending."""
        return self.stop + len(self.ending)


@lru_cache(maxsize=4)
def lines_of(text: str) -> tuple[TextLine, ...]:
    """Return the lines of a text, the first without a byte order mark.

    They are counted as `AdrDocument` counts them.
    """
    lines: list[TextLine] = []
    start = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    # `str.splitlines` splits at form feeds and other characters too.
    for match in re.finditer(_LINE, text[start:]):
        ending = match[1]
        lines.append(TextLine(start + match.start(), match[0].removesuffix(ending), ending))
        if not ending:
            break
    return tuple(lines)


def line_at(text: str, number: int) -> TextLine | None:
    """Return a line by its number from 1; None beyond the last one, and for a very long one."""
    lines = lines_of(text)
    if not 1 <= number <= len(lines) or len(lines[number - 1].text) > LONGEST:
        return None
    return lines[number - 1]


def newline_of(text: str) -> str:
    """Return the line ending of a text: that of its first line."""
    lines = lines_of(text)
    return lines[0].ending or "\n"
