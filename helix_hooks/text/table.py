"""The one printer of tables for a terminal. Pure.

Cells may have texts of other people, so they are made printable here.
"""

from collections.abc import Collection, Iterable, Sequence

from . import at_line_start, cut, painted, printable, width

Cell = str | tuple[str, str]
"""A text, or a text and the kind of its colour."""

_GAP = "  "
_LEAST = 24
"""Cells of a terminal that the last column needs. With less room, rows are folded."""


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

    The last cell is cut to a terminal of `columns` cells; 0 means no terminal. If the terminal is
    too narrow, each row is folded: its last cell has a line of its own, and there are no heads.
    """
    lines = [_clean(row, columns) for row in rows]
    names = [(head, "rule") for head in heads]
    widths = _widths([names, *lines])
    margin, room = " " * indent, columns - indent
    longest = max((width(row[-1][0]) for row in lines), default=0)
    is_narrow = room - sum(widths) - len(_GAP) * len(widths) < min(longest, _LEAST)
    if columns and is_narrow:
        return [margin + f"\n{margin}  ".join(_folded(row, room, color)) for row in lines]
    if heads:
        lines.insert(0, names)
    if not columns:
        room = 0
    return [margin + _aligned(row, widths, right, room, color) for row in lines]


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
        shown = painted(text, kind, color)
        line += (pad + shown if number in right else shown + pad) + _GAP
        used += widths[number] + len(_GAP)
    text, kind = row[-1]
    if room:
        text = cut(text, room - used)
    return (line + painted(text, kind, color)).rstrip()


def _folded(row: Sequence[tuple[str, str]], room: int, color: bool) -> list[str]:
    """Return the lines of a row: as many cells on each as it has room for, then the last cell."""
    lines, used = [""], 0
    for text, kind in row[:-1]:
        if not text:
            continue
        if used and used + len(_GAP) + width(text) > room:
            lines, used = [*lines, ""], 2
        elif used:
            lines[-1] += _GAP
            used += len(_GAP)
        lines[-1] += painted(text, kind, color)
        used += width(text)
    text, kind = row[-1]
    return [*filter(None, lines), painted(cut(text, room - 2), kind, color)]
