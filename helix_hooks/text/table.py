"""The one printer of tables for a terminal. Pure.

Cells may have texts of other people, so they are made printable here.
"""

from collections.abc import Collection, Iterable, Sequence

from . import at_line_start, cut, painted, printable, width

Cell = str | tuple[str, str]
"""A text, or a text and the kind of its colour."""

_GAP = "  "
_LEAST = 24
"""Cells to which the last column may be cut."""


def table(
    rows: Iterable[Sequence[Cell]],
    heads: Sequence[str] = (),
    *,
    indent: int = 0,
    right: Collection[int] = (),
    color: bool = False,
    columns: int = 0,
) -> list[str]:
    """Return a text for each row, the heads first, if there are any.

    The last cell of a row is not padded; in a row with fewer cells it reaches into the columns
    after its own. `right` has the numbers of the columns that are aligned at the right.

    The last cell is cut to a terminal of `columns` cells; 0 means no terminal. A terminal that is
    too narrow for it wraps the line.
    """
    lines = [_clean(row, columns) for row in rows]
    names = [(head, "rule") for head in heads]
    widths = _widths([names, *lines])
    if heads:
        lines.insert(0, names)
    room = columns - indent if columns else 0
    return [" " * indent + _aligned(row, widths, right, room, color) for row in lines]


def _clean(row: Sequence[Cell], columns: int) -> list[tuple[str, str]]:
    """Return the cells with their colours, without secrets and control characters."""
    cells = [(cell, "") if isinstance(cell, str) else cell for cell in row]
    text, kind = cells[-1]
    cells[-1] = printable(text, columns), kind
    text, kind = cells[0]
    return [(at_line_start(text), kind), *((printable(text), kind) for text, kind in cells[1:])]


def _widths(lines: Sequence[Sequence[tuple[str, str]]]) -> list[int]:
    """Return the width of each column but the last one."""
    widths = [0] * (max(map(len, lines)) - 1)
    for row in lines:
        for number, (text, _) in enumerate(row[:-1]):
            widths[number] = max(widths[number], width(text))
    return widths


def _aligned(
    row: Sequence[tuple[str, str]],
    widths: Sequence[int],
    right: Collection[int],
    room: int,
    color: bool,
) -> str:
    """Return the line of a row, in `room` cells; 0 means no limit."""
    line, used = "", 0
    for number, (text, kind) in enumerate(row[:-1]):
        pad = " " * (widths[number] - width(text))
        shown = _painted(text, kind, color)
        line += (pad + shown if number in right else shown + pad) + _GAP
        used += widths[number] + len(_GAP)
    text, kind = row[-1]
    if room:
        text = cut(text, max(room - used, _LEAST))
    return (line + _painted(text, kind, color)).rstrip()


def _painted(text: str, kind: str, color: bool) -> str:
    return painted(text, kind, color and bool(kind and text))
