"""Text broken at words to the width of a terminal."""

import re

from ..text.width import width

_WORD = r"(?:`[^`\s](?:[^`]{0,38}[^`\s])?`|\S)+"
"""A word; a short text in backticks is not broken."""

LEAST = 40
"""Cells of the narrowest terminal for which text is broken."""


def words(text: str) -> list[str]:
    """Return the parts of a text between which a line may be broken."""
    return re.findall(_WORD, text)


def lines(parts: list[str], columns: int, indent: int, first: int = 0) -> list[list[str]]:
    """Return the parts of each line: the first has `first` cells less, each other `indent`.

    A part that is too long has a line of its own.
    """
    rows: list[list[str]] = [[]]
    used = first
    for part in parts:
        size = width(part)
        if rows[-1] and used + 1 + size > max(columns, LEAST):
            rows.append([])
            used = indent
        used += size + bool(rows[-1])
        rows[-1].append(part)
    return rows


def wrapped(text: str, columns: int, indent: int, first: int | None = None) -> str:
    """Return a text of several lines, all but the first with an indent.

    `first` are the cells that stand before the text; without it, as many as the indent.
    """
    rows = lines(words(text), columns, indent, indent if first is None else first)
    return f"\n{' ' * indent}".join(map(" ".join, rows))
