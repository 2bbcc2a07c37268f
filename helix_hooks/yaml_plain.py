"""Read plain YAML: block mappings and lists of scalars, each on a line of its own or folded.

Most headers and settings have nothing else, so a hook need not import PyYAML. Any other text, and
a wrong one, is left to PyYAML. `tests/unit/test_yaml_plain.py` compares the two.
"""

import re

from .records import NamedTuple
from .yaml_values import NULLS, MappingEntry, Value

_LONGEST = 1_000
_DEEPEST = 20
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
    """Return the mapping of a text; None if the text is not plain or is wrong."""
    lines = text.split("\n")
    if ">-" in text and any(map(str.isspace, lines)):
        return None  # blanks may be a part of the text
    rows = [
        _Row(number, len(line) - len(line.lstrip(" ")), line)
        for number, line in enumerate(lines, first_line)
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
        """Return the next row that is not a comment."""
        while self._at < len(self._rows):
            row = self._rows[self._at]
            if row.text[row.indent] != "#":
                return row
            self._at += 1
        return None

    def _mapping(self, row: _Row, column: int, depth: int) -> Value:
        """Read the entries that begin in a column; the first may follow a hyphen."""
        if depth > _DEEPEST:
            raise _OtherError
        entries: dict[str, MappingEntry] = {}
        value = Value(entries, row.line, column + 1)
        while True:
            key = _key(row.text, column)
            if not key or key in entries or key in NULLS:
                raise _OtherError
            self._at += 1
            entries[key] = MappingEntry(
                row.line, column + 1, self._value(row, column + len(key) + 1, column, depth)
            )
            following = self._next()
            if not following or following.indent < column:
                return value
            if following.indent > column:
                raise _OtherError
            row = following

    def _value(self, row: _Row, behind: int, column: int, depth: int) -> Value:
        """Read the value after a key, or below it."""
        text = row.text[behind:].lstrip(" ")
        if text and text[0] != "#":
            start = len(row.text) - len(text)
            return self._folded(row, start, column) if text[0] == ">" else _scalar(row, start)
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
            if _key(row.text, start):
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


def _key(text: str, start: int) -> str:
    """Return the words before a colon that begin at an offset, "" without such a key."""
    key = text[start : max(start, text.find(":", start))]
    behind = text[start + len(key) + 1 : start + len(key) + 2]
    words = key.split(" ")
    is_key = (key[:1].isalpha() or key[:1] == "_") and all(words) and behind in ("", " ")
    plain = "".join(words).replace("-", "").replace("_", "")
    return key if is_key and (not plain or plain.isalnum()) else ""


def _scalar(row: _Row, start: int) -> Value:
    """Read a scalar, or a list of them in brackets, up to the end of its line."""
    text = row.text[start:]
    place = row.line, start + 1
    first = text[:1]
    if first.isalnum() or (first and first in "_(/"):
        plain = text.partition(" #")[0].rstrip(" ")
        if ": " in plain or plain.endswith(":"):
            raise _OtherError
        return Value(None if plain in NULLS else plain, *place)
    if first and first in "\"'":
        return Value(_quoted(text), *place)
    match = re.fullmatch(_FLOW_LIST, text) if text.rstrip(" ") != "[]" else None
    if not match and text.rstrip(" ") != "[]":
        raise _OtherError
    items = []
    for item in re.compile(_ITEM).finditer(text, *match.span(1)) if match and match[1] else ():
        plain = item[0][1:-1] if item[0][0] in "\"'" else item[0]
        column = start + item.start() + 1
        items.append(Value(None if item[0] in NULLS else plain, row.line, column))
    return Value(items, *place)


def _quoted(text: str) -> str:
    """Return the content of the quotes at the start of a text; a comment may follow."""
    sign = text[0]
    stop = text.find(sign, 1)
    while sign == "'" and text.startswith("''", stop):
        stop = text.find(sign, stop + 2)
    rest = text[stop + 1 :].lstrip(" ")
    is_comment = rest.startswith("#") and text[stop + 1] == " "
    inner = text[1:stop]
    if stop < 1 or (rest and not is_comment) or (sign == '"' and "\\" in inner):
        raise _OtherError
    return inner.replace("''", "'") if sign == "'" else inner
