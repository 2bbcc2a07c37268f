"""Lines of a text as spans of characters, with the line endings and byte order mark it has."""

import re
from functools import lru_cache

from ..records import NamedTuple
from ..text.invisible import BYTE_ORDER_MARK

LONGEST = 1000
"""Characters of a line that may be fixed; longer ones are no header."""
_LINE = r"[^\r\n]*(\r\n|\r|\n|$)"


class TextLine(NamedTuple):
    """A line: offset of its first character, its text without the end, and its end."""

    start: int
    text: str
    ending: str

    @property
    def stop(self) -> int:
        """Return the offset behind the text, before the line's end."""
        return self.start + len(self.text)

    @property
    def end(self) -> int:
        """Return the offset behind the line's end."""
        return self.stop + len(self.ending)


@lru_cache(maxsize=4)
def lines_of(text: str) -> tuple[TextLine, ...]:
    """Return the lines of a text, the first without a byte order mark.

    They are counted as `AdrDocument` counts them.
    """
    found: list[TextLine] = []
    place = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    pattern = re.compile(_LINE)
    while match := pattern.match(text, place):
        ending = match[1]
        found.append(TextLine(place, match[0].removesuffix(ending) if ending else match[0], ending))
        place = match.end()
        if not ending:
            break
    return tuple(found)


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
