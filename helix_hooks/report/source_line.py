"""A quoted line of an ADR, and the position of the words that a finding refers to."""

from functools import lru_cache
from typing import NamedTuple

from ..text import cut, ending, is_reordered, printable, width, without_tokens

_READ = 6_000
"""Characters of a line in which words are marked. Words behind them are too far to be shown."""

_LONGEST_TOKEN = 300
_MORE = "…"


class SourceLine(NamedTuple):
    """A quoted line. The marked words begin after `start` cells and take `cells`; 0 for none."""

    text: str
    start: int = 0
    cells: int = 0


def quoted(line: str, column: int, end_column: int, most: int) -> SourceLine:
    """Return a line cut to at most `most` cells around the words between two columns.

    Columns begin at 1. Nothing is marked if the words are the whole line, or if a terminal may
    reorder them. A line with a token is cut only at its end, so that the token is recognised.
    """
    start, stop = column - 1, end_column - 1
    if not 0 <= start < stop <= min(len(line), _READ) or not _is_plain(line):
        return _whole(line, most)
    lead, trail = line[max(start - most, 0) : start], line[stop : stop + most]
    if not (lead.strip() or trail.strip()):
        return _whole(line, most)
    is_lead_cut = start > most
    before = printable(lead if is_lead_cut else lead.lstrip())
    marked = printable(line[start : min(stop, start + most)])
    after = printable(trail.rstrip())
    before = _cut_left(before, marked, after, most, is_cut=is_lead_cut)
    marked = cut(marked, most - width(before))
    after = cut(after, most - width(before + marked))
    text = f"{before}{marked}{after}"
    if is_reordered(text):
        return SourceLine(text)
    return SourceLine(text, width(before), width(marked))


@lru_cache(maxsize=8)
def _whole(line: str, most: int) -> SourceLine:
    """Return a line from its beginning. Cached: thousands of findings may be on one line."""
    text = printable(line.strip(), most)
    return SourceLine(cut(text, most))


@lru_cache(maxsize=8)
def _is_plain(line: str) -> bool:
    """Return whether the part of a line in which words are marked has no token."""
    part = line[: _READ + _LONGEST_TOKEN]
    return without_tokens(part) == part


def _cut_left(before: str, marked: str, after: str, most: int, *, is_cut: bool) -> str:
    """Return the end of the text before the marked words, so that they and a sign after them fit.

    `is_cut` says that `before` is not the beginning of the line.
    """
    needed = width(marked) + min(width(after), 1)
    if not is_cut and width(before) + needed <= most:
        return before
    # Half of the room around the marked words, but at least a quarter of the line.
    room = max((most - width(marked)) // 2, most // 4, 1)
    end = ending(before, room - 1)
    if end == before and not is_cut:
        return before
    return f"{_MORE}{end}"
