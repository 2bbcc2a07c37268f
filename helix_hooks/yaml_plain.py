"""Plain YAML to values: block mappings and lists of scalars that stand on a line each.

Most headers and settings are no more than that, and a hook saves the import of PyYAML. All else,
and all that is wrong, is left to PyYAML. `tests/unit/test_yaml_plain.py` compares the two.
"""

import re

from .records import NamedTuple
from .yaml_values import NULLS, MappingEntry, Value

_LONGEST = 1_000
_DEEPEST = 20
_KEY = r"([^\W\d][\w-]*(?: [\w-]+)*):(?: +|$)"
_QUOTED = r"""'((?:[^']|'')*)' *(?: #.*)?|"([^"\\]*)" *(?: #.*)?"""
_PLAIN = r"([\w(/](?:[^:#]|:(?! |$)|(?<! )#)*)(?: #.*)?"
_ITEM = r"""(?:\w[\w./-]*(?: +[\w./-]+)*|"[^"\\]*"|'[^']*')"""
_FLOW_LIST = rf"""\[ *((?:{_ITEM} *, *)*{_ITEM})? *\] *(?: #.*)?"""


class _OtherError(Exception):
    """The text is more than plain YAML."""


class _Row(NamedTuple):
    """A line that is neither blank nor a comment."""

    line: int
    indent: int
    text: str


def read(text: str, first_line: int) -> Value | None:
    """Return the mapping that a text is; None where it is not plain, or wrong."""
    rows = [
        _Row(number, len(line) - len(line.lstrip(" ")), line)
        for number, line in enumerate(text.split("\n"), first_line)
        if line.strip(" ")
    ]
    if not rows or not all(row.text.isprintable() and len(row.text) <= _LONGEST for row in rows):
        return None
    try:
        return _Reader(rows).root()
    except _OtherError:
        return None


class _Reader:
    """One pass over the rows."""

    __slots__ = ("_at", "_rows")

    def __init__(self, rows: list[_Row]) -> None:
        self._rows, self._at = rows, 0

    def root(self) -> Value:
        row = self._next()
        if not row or row.indent:
            raise _OtherError
        value = self._mapping(row, 0, 0)
        if self._next():
            raise _OtherError
        return value

    def _next(self) -> _Row | None:
        """Return the next row that is no comment."""
        while self._at < len(self._rows):
            row = self._rows[self._at]
            if row.text[row.indent] != "#":
                return row
            self._at += 1
        return None

    def _mapping(self, row: _Row, column: int, depth: int) -> Value:
        """Read the entries that begin in a column; the first may stand behind a hyphen."""
        if depth > _DEEPEST:
            raise _OtherError
        entries: dict[str, MappingEntry] = {}
        value = Value(entries, row.line, column + 1)
        while True:
            match = re.compile(_KEY).match(row.text, column)
            if not match or match[1] in entries or match[1] in NULLS:
                raise _OtherError
            self._at += 1
            entry = self._value(row, match.end(), match.end(1) + 1, column, depth)
            entries[match[1]] = MappingEntry(row.line, column + 1, entry)
            following = self._next()
            if not following or following.indent < column:
                return value
            if following.indent > column:
                raise _OtherError
            row = following

    def _value(self, row: _Row, start: int, behind: int, column: int, depth: int) -> Value:
        """Read what stands behind a key, or below it."""
        if start < len(row.text) and row.text[start] != "#":
            if row.text.startswith(">-", start):
                return self._folded(row, start, column)
            return _scalar(row, start)
        below = self._next()
        if below and below.indent >= column and below.text.startswith("- ", below.indent):
            return self._sequence(below, depth + 1)
        if below and below.indent > column:
            return self._mapping(below, below.indent, depth + 1)
        return Value(None, row.line, behind + 1)

    def _sequence(self, row: _Row, depth: int) -> Value:
        if depth > _DEEPEST:
            raise _OtherError
        column = row.indent
        items: list[Value] = []
        value = Value(items, row.line, column + 1)
        while True:
            start = len(row.text) - len(row.text[column + 1 :].lstrip(" "))
            if re.compile(_KEY).match(row.text, start):
                items.append(self._mapping(row, start, depth + 1))
            else:
                self._at += 1
                items.append(_scalar(row, start))
            following = self._next()
            if not following or following.indent < column:
                return value
            if following.indent > column:
                raise _OtherError
            if not following.text.startswith("- ", column):
                return value
            row = following

    def _folded(self, head: _Row, start: int, column: int) -> Value:
        """Read a text over several lines, all of which begin in one column."""
        if head.text[start:].rstrip() != ">-":
            raise _OtherError
        pieces: list[str] = []
        indent = 0
        while self._at < len(self._rows) and self._rows[self._at].indent > column:
            row = self._rows[self._at]
            self._at += 1
            indent = indent or row.indent
            number = head.line + len(pieces) + 1
            if row.indent != indent or row.line != number or row.text.endswith(" "):
                raise _OtherError
            pieces.append(row.text[indent:])
        if not pieces:
            raise _OtherError
        return Value(" ".join(pieces), head.line, start + 1)


def _scalar(row: _Row, start: int) -> Value:
    """Read a scalar, or a list of them in brackets, up to the end of its line."""
    place = row.line, start + 1
    match = re.compile(_PLAIN).fullmatch(row.text, start)
    if match:
        text = match[1].rstrip(" ")
        return Value(None if text in NULLS else text, *place)
    match = re.compile(_QUOTED).fullmatch(row.text, start)
    if match:
        return Value(match[2] if match[1] is None else match[1].replace("''", "'"), *place)
    match = re.compile(_FLOW_LIST).fullmatch(row.text, start)
    if not match:
        raise _OtherError
    items = []
    for item in re.compile(_ITEM).finditer(row.text, *match.span(1)) if match[1] else ():
        text = item[0][1:-1] if item[0][0] in "\"'" else item[0]
        items.append(Value(None if item[0] in NULLS else text, row.line, item.start() + 1))
    return Value(items, *place)
