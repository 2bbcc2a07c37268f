"""Read plain YAML: block mappings and lists of scalars, each on a line of its own or folded.

Most headers and settings have nothing else, so a hook does not import PyYAML. Any other text, and
an invalid one, is left to PyYAML. `tests/unit/test_yaml_plain.py` compares the two.
"""

import re

from .records import NamedTuple
from .yaml_values import NULLS, MappingEntry, Value

_MAX_LINE_LENGTH = 1_000
_MAX_DEPTH = 20
_ITEM = r"""(?:\w[\w./-]*(?: +[\w./-]+)*|"[^"\\]*"|'[^']*')"""
_FLOW_LIST = rf"""\[ *((?:{_ITEM} *, *)*{_ITEM})? *\] *(?: #.*)?"""


class _NotPlainError(Exception):
    """The text is invalid, or more than plain YAML."""


class _Row(NamedTuple):
    """A line that is neither blank nor a comment."""

    line: int
    indent: int
    text: str


def read(text: str, first_line: int) -> Value | None:
    """Return the mapping of a text; None if the text is not plain or is invalid."""
    lines = text.split("\n")
    if ">-" in text and any(map(str.isspace, lines)):
        return None  # a line of spaces may be part of the folded text
    rows = [
        _Row(number, len(line) - len(line.lstrip(" ")), line)
        for number, line in enumerate(lines, first_line)
        if line.strip(" ")
    ]
    if not rows or not all(map(_is_short, rows)):
        return None
    try:
        return _Reader(rows).root()
    except _NotPlainError:
        return None


class _Reader:
    """A reader that passes over the rows once."""

    __slots__ = ("_index", "_rows")

    def __init__(self, rows: list[_Row]) -> None:
        self._rows, self._index = rows, 0

    def root(self) -> Value:
        """Return the mapping of the whole text; raise `_NotPlainError` if it has another form."""
        row = self._next()
        if not row or row.indent:
            raise _NotPlainError
        value = self._mapping(row, 0, 0)
        if self._next():
            raise _NotPlainError
        return value

    def _next(self) -> _Row | None:
        """Return the next row that is not a comment, without reading it."""
        while self._index < len(self._rows):
            row = self._rows[self._index]
            if row.text[row.indent] != "#":
                return row
            self._index += 1
        return None

    def _mapping(self, row: _Row, column: int, depth: int) -> Value:
        """Read the entries that begin in a column; the first may follow a hyphen."""
        if depth > _MAX_DEPTH:
            raise _NotPlainError
        entries: dict[str, MappingEntry] = {}
        value = Value(entries, row.line, column + 1)
        while True:
            key = _key(row.text, column)
            # PyYAML reports a repeated key, and reads a key such as `null` as no key.
            if not key or key in entries or key in NULLS:
                raise _NotPlainError
            self._index += 1
            entry = self._value(row, column + len(key) + 1, column, depth)
            entries[key] = MappingEntry(row.line, column + 1, entry)
            following = self._next()
            if not following or following.indent < column:
                return value
            if following.indent > column:
                raise _NotPlainError
            row = following

    def _value(self, row: _Row, start: int, column: int, depth: int) -> Value:
        """Read the value of a key: behind its colon at `start`, or below it."""
        text = row.text[start:].lstrip(" ")
        if text and text[0] != "#":
            offset = len(row.text) - len(text)
            if text[0] == ">":
                return self._folded(row, offset, column)
            return _scalar(row, offset)
        below = self._next()
        if not below or below.indent < column:
            return Value(None, row.line, start + 1)
        # A list may begin in the column of its key.
        if below.text.startswith("- ", below.indent):
            return self._sequence(below, depth + 1)
        if below.indent > column:
            return self._mapping(below, below.indent, depth + 1)
        return Value(None, row.line, start + 1)

    def _sequence(self, row: _Row, depth: int) -> Value:
        """Read the items whose hyphens are in the column of the first one."""
        if depth > _MAX_DEPTH:
            raise _NotPlainError
        column = row.indent
        items: list[Value] = []
        value = Value(items, row.line, column + 1)
        while True:
            start = len(row.text) - len(row.text[column + 1 :].lstrip(" "))
            if _key(row.text, start):
                items.append(self._mapping(row, start, depth + 1))
            else:
                self._index += 1
                items.append(_scalar(row, start))
            following = self._next()
            if not following or following.indent < column:
                return value
            if following.indent > column:
                raise _NotPlainError
            if not following.text.startswith("- ", column):
                return value
            row = following

    def _folded(self, head: _Row, start: int, column: int) -> Value:
        """Read a text over several lines, all of which begin in one column."""
        if head.text[start:].rstrip() != ">-":
            raise _NotPlainError
        pieces: list[str] = []
        indent = 0
        while self._index < len(self._rows) and self._rows[self._index].indent > column:
            row = self._rows[self._index]
            self._index += 1
            indent = indent or row.indent
            # A blank line, a deeper one and a space at the end would change the text.
            line = head.line + len(pieces) + 1
            if row.indent != indent or row.line != line or row.text.endswith(" "):
                raise _NotPlainError
            pieces.append(row.text[indent:])
        if not pieces:
            raise _NotPlainError
        return Value(" ".join(pieces), head.line, start + 1)


def _is_short(row: _Row) -> bool:
    return row.text.isprintable() and len(row.text) <= _MAX_LINE_LENGTH


def _key(text: str, start: int) -> str:
    """Return the words before a colon that begin at an offset; "" if there is no such key."""
    key = text[start : max(start, text.find(":", start))]
    if not key or not (key[0].isalpha() or key[0] == "_"):
        return ""
    following = text[start + len(key) + 1 : start + len(key) + 2]
    words = key.split(" ")
    if following not in ("", " ") or not all(words):
        return ""
    letters = "".join(words).replace("-", "").replace("_", "")
    if letters and not letters.isalnum():
        return ""
    return key


def _scalar(row: _Row, start: int) -> Value:
    """Read a scalar, or a list of them in brackets, up to the end of its line."""
    text = row.text[start:]
    first = text[:1]
    if first.isalnum() or (first and first in "_(/"):
        plain = text.partition(" #")[0].rstrip(" ")
        if ": " in plain or plain.endswith(":"):
            raise _NotPlainError
        return Value(None if plain in NULLS else plain, row.line, start + 1)
    if first and first in "\"'":
        return Value(_quoted(text), row.line, start + 1)
    return Value(_flow_items(row, start), row.line, start + 1)


def _flow_items(row: _Row, start: int) -> list[Value]:
    """Read a list in brackets."""
    text = row.text[start:]
    if text.rstrip(" ") == "[]":
        return []
    match = re.fullmatch(_FLOW_LIST, text)
    if not match:
        raise _NotPlainError
    items: list[Value] = []
    if not match[1]:
        return items
    for item in re.compile(_ITEM).finditer(text, *match.span(1)):
        data: str | None = item[0]
        if item[0] in NULLS:
            data = None
        elif item[0][0] in "\"'":
            data = item[0][1:-1]
        items.append(Value(data, row.line, start + item.start() + 1))
    return items


def _quoted(text: str) -> str:
    """Return the content of the quotes at the start of a text; a comment may follow."""
    quote = text[0]
    end = text.find(quote, 1)
    # Two single quotes stand for one.
    while quote == "'" and text.startswith("''", end):
        end = text.find(quote, end + 2)
    rest = text[end + 1 :].lstrip(" ")
    is_comment = rest.startswith("#") and text[end + 1] == " "
    if end < 1 or (rest and not is_comment):
        raise _NotPlainError
    content = text[1:end]
    if quote == "'":
        return content.replace("''", "'")
    if "\\" in content:
        raise _NotPlainError
    return content
