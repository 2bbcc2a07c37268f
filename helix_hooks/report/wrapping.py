"""Wrapping of text at words to the width of a terminal."""

import re

from ..text.width import width

_WORD = r"(?:`[^`\s](?:[^`]{0,38}[^`\s])?`|\S)+"
"""A word. Code in backticks with up to 40 characters is one word, so that it can be copied."""

LEAST = 40
"""Cells of the narrowest terminal to which text is wrapped."""


def words(text: str) -> list[str]:
    """Return the parts of a text between which a line may end."""
    return re.findall(_WORD, text)


def lines(parts: list[str], columns: int, indent: int, first: int = 0) -> list[list[str]]:
    """Return the parts of each line of at most `columns` cells.

    The first line has room for `first` cells less, each other for `indent` less. A part that is
    too long has a line of its own.
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
    """Return a wrapped text. All lines but the first have an indent.

    `first` is the number of cells before the text on its first line, by default the indent.
    """
    if first is None:
        first = indent
    rows = lines(words(text), columns, indent, first)
    return f"\n{' ' * indent}".join(map(" ".join, rows))
