"""The mention of an ADR under the cursor: an id, or a link to its file."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.names.field import field_name
from ..adr.reference import RELATIONS, Reference, id_key, relative
from ..paths import is_markdown
from .positions import BufferText, TextPosition, TextRange

_NEAR = 300
"""Characters that are searched before and after the cursor, in a line of any length."""


class _Match(NamedTuple):
    """A mention in a part of a line: columns, id of the ADR or path, and the path from the root."""

    start: int
    end: int
    key: str = ""
    path: str = ""
    root: str = ""


_ID = r"(?i)(?<![\w-])adrs?[-_ #]?((?:19|20)\d\d[-_.]\d{3,4}|0*\d{1,6}[a-z]?)(?![\w])"
_LINK = r"\[[^\[\]]*\]\(\s*<?([^)<>\s]+)"
_WORD = r"[A-Za-z0-9][\w.-]*"
_OWN_NUMBER = r"#\s+(?:[A-Za-z]+[-_ #]*)?0*(\d{1,6})(?=\s*[-:.)–—])"
_KEY = r"([A-Za-z][\w -]*?)\s*:"


class AdrMention(NamedTuple):
    """A mention of an ADR, and the reference by which the corpus finds it."""

    range: TextRange
    reference: Reference


def mention_at(adr: Adr, text: BufferText, position: TextPosition) -> AdrMention | None:
    """Return the mention of an ADR at a position; None without one."""
    first = max(0, position.column - _NEAR)
    part = text.line(position.line)[first : position.column + _NEAR]
    at = position.column - first
    match = (
        _linked(adr, part, at)
        or _written(part, at)
        or _own_title(adr, position, part, at)
        or _in_front(adr, text, position, part, at)
    )
    if not match:
        return None
    place = TextRange(
        TextPosition(position.line, first + match.start),
        TextPosition(position.line, first + match.end),
    )
    reference = Reference(
        kind="related_to",
        text=part[match.start : match.end],
        key=match.key,
        path=match.path,
        line=position.line + 1,
        root=match.root,
    )
    return AdrMention(place, reference)


def key_above(text: BufferText, line: int, first: int) -> str:
    """Return the field of YAML to which a line belongs, by its key or the next key above.

    `first` is the first line of the YAML. Return "" without a key.
    """
    while line >= first:
        content = text.line(line)
        key = re.match(_KEY, content[:_NEAR])
        if key:
            return field_name(key[1])
        line -= 1
    return ""


def front_lines(adr: Adr) -> range:
    """Return the lines of the front matter, from 0; empty without one."""
    if adr.doc.front is None:
        return range(0)
    first = adr.doc.front_line - 1
    rows = adr.doc.front.count("\n") + (not adr.doc.front.endswith("\n"))
    return range(first, first + max(1, rows))


def _linked(adr: Adr, part: str, at: int) -> _Match | None:
    """Return the link to a Markdown file at a column."""
    for match in _matches(_LINK, part, at):
        target = match[1].partition("#")[0]
        if not is_markdown(target) or ":" in target:  # a colon is part of a URL
            continue
        path = relative(adr.doc.path, target)
        if not path:
            return None
        return _Match(match.start(1), match.end(1), path=path, root=relative("x", target))
    return None


def _matches(pattern: str, part: str, at: int) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that touch a column."""
    for match in re.finditer(pattern, part):
        if match.start() <= at <= match.end():
            yield match


def _written(part: str, at: int) -> _Match | None:
    """Return the id at a column, such as ADR-14."""
    for match in _matches(_ID, part, at):
        return _Match(match.start(), match.end(), key=id_key(match[1]))
    return None


def _own_title(adr: Adr, position: TextPosition, part: str, at: int) -> _Match | None:
    """Return the number in the title of the ADR, which mentions the ADR itself."""
    title = adr.doc.title
    if not title or adr.doc.line_at(title.heading_start) != position.line + 1:
        return None
    number = re.match(_OWN_NUMBER, part)
    if not number or at > number.end():
        return None
    return _Match(0, number.end(), path=adr.doc.path)


def _in_front(
    adr: Adr, text: BufferText, position: TextPosition, part: str, at: int
) -> _Match | None:
    """Return the id in a field of the front matter that names ADRs."""
    lines = front_lines(adr)
    if position.line not in lines:
        return None
    key = re.match(_KEY, part)
    words = [word for word in _matches(_WORD, part, at) if not key or word.end() > key.end()]
    if not words:
        return None
    start, end = words[0].span()
    field = key_above(text, position.line, lines.start)
    if field == "adr_id":
        return _Match(start, end, path=adr.doc.path)
    if field in RELATIONS:
        return _Match(start, end, key=id_key(words[0][0]))
    return None
