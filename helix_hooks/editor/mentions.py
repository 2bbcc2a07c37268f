"""The mention of an ADR under the cursor: an id, or a link to its file."""

import re

from ..adr.model import Adr
from ..adr.names.field import field_name
from ..adr.reference import RELATIONS, Reference, id_key, relative
from ..records import NamedTuple
from .positions import BufferText, TextPosition, TextRange

_NEAR = 300
"""Characters before and behind the cursor that are searched, however long the line is."""

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
    """Return the mention of an ADR at a position; None if there is none."""
    first = max(0, position.column - _NEAR)
    part = text.line(position.line)[first : position.column + _NEAR]
    at = position.column - first
    found = _linked(adr, part, at) or _named(adr, text, position, part, at)
    if not found:
        return None
    start, end, key, path, root = found
    place = TextRange(
        TextPosition(position.line, first + start), TextPosition(position.line, first + end)
    )
    reference = Reference(
        kind="related_to",
        text=part[start:end],
        key=key,
        path=path,
        line=position.line + 1,
        root=root,
    )
    return AdrMention(place, reference)


def key_above(text: BufferText, line: int, first: int) -> str:
    """Return the field of YAML to which a line belongs: that of its key, or of the key above.

    `first` is the first line of the YAML.
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


_Found = tuple[int, int, str, str, str]
"""Start and end in the line, key, path, and the path from the root."""


def _linked(adr: Adr, part: str, at: int) -> _Found | None:
    for match in re.finditer(_LINK, part):
        target = match[1].partition("#")[0]
        if match.start() <= at <= match.end() and target.endswith(".md") and ":" not in target:
            path = relative(adr.doc.path, target)
            return (match.start(1), match.end(1), "", path, relative("x", target)) if path else None
    return None


def _named(adr: Adr, text: BufferText, position: TextPosition, part: str, at: int) -> _Found | None:
    for match in re.finditer(_ID, part):
        if match.start() <= at <= match.end():
            return match.start(), match.end(), id_key(match[1]), "", ""
    title = adr.doc.title
    own = re.match(_OWN_NUMBER, part) if title else None
    if (
        own
        and title
        and adr.doc.line_at(title.heading_start) == position.line + 1
        and at <= own.end()
    ):
        return 0, own.end(), "", adr.doc.path, ""
    lines = front_lines(adr)
    if position.line not in lines:
        return None
    field = key_above(text, position.line, lines.start)
    key = re.match(_KEY, part)
    for match in re.finditer(_WORD, part):
        if match.start() <= at <= match.end() and not (key and match.end() <= key.end()):
            if field == "adr_id":
                return match.start(), match.end(), "", adr.doc.path, ""
            return (
                (match.start(), match.end(), id_key(match[0]), "", "")
                if field in RELATIONS
                else None
            )
    return None
