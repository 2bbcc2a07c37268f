"""A line of an ADR as a report quotes it, and the place of the words that a finding is about."""

from functools import lru_cache

from ..records import NamedTuple
from ..text.sanitize import printable, without_tokens
from ..text.width import beginning, ending, is_reordered, width

_READ = 6_000
"""Characters of a line in which words are marked; those further on are too far to be shown."""

_LONGEST_TOKEN = 300
_MORE = "…"


class SourceLine(NamedTuple):
    """A quoted line. The marked words begin behind `start` cells and take `cells`; 0 for none."""

    text: str
    start: int = 0
    cells: int = 0


def quoted(line: str, column: int, end_column: int, most: int) -> SourceLine:
    """Return a line in at most so many cells, cut around the words between two columns.

    Nothing is marked where the words are the whole line, or where a terminal may draw them
    elsewhere. A line with a token is only cut at its end, so that the token is recognised.
    """
    start, stop = column - 1, end_column - 1
    if not 0 <= start < stop <= min(len(line), _READ) or not _is_plain(line):
        return _whole(line, most)
    if not (line[max(start - most, 0) : start].strip() or line[stop : stop + most].strip()):
        return _whole(line, most)
    lead = line[max(start - most, 0) : start]
    before = printable(lead.lstrip() if start <= most else lead)
    marked = printable(line[start : min(stop, start + most)])
    after = printable(line[stop : stop + most].rstrip())
    before = _cut_left(before, marked, after, most, is_cut=start > most)
    marked = _cut(marked, most - width(before))
    after = _cut(after, most - width(before + marked))
    text = f"{before}{marked}{after}"
    if is_reordered(text):
        return SourceLine(text)
    return SourceLine(text, width(before), width(marked))


@lru_cache(maxsize=8)
def _whole(line: str, most: int) -> SourceLine:
    """A line from its beginning; cached, since thousands of findings may stand on one."""
    text = printable(line.strip(), most)
    return SourceLine(_cut(text, most))


@lru_cache(maxsize=8)
def _is_plain(line: str) -> bool:
    """Return whether no token stands in the part of a line that is marked."""
    part = line[: _READ + _LONGEST_TOKEN]
    return without_tokens(part) == part


def _cut_left(before: str, marked: str, after: str, most: int, *, is_cut: bool) -> str:
    """Return the text before the marked words, cut so that they and some text behind fit."""
    needed = width(marked) + min(width(after), 1)
    if not is_cut and width(before) + needed <= most:
        return before
    room = max((most - width(marked)) // 2, most // 4, 1)
    kept = ending(before, room - 1)
    return before if kept == before and not is_cut else f"{_MORE}{kept}"


def _cut(text: str, most: int) -> str:
    if width(text) <= most:
        return text
    return f"{beginning(text, most - 1)}{_MORE}" if most > 0 else ""
