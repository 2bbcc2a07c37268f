"""Quotes for ids such as `adr_id: 014`, which other YAML parsers read as octal numbers."""

import re
from collections.abc import Iterator

from ..adr.model import Adr
from ..adr.names.field import field_name
from ..adr.reference import RELATIONS
from .edit import Edit, Fix
from .lines import LONGEST, TextLine, lines_of

CHECK = "unquoted-id"
"""The name of this fix. It is not a rule: helix_hooks itself reads such an id as it is written."""

_FIELDS = ("adr_id", *RELATIONS)
_KEY = r"([A-Za-z][\w -]*?)\s*:(?:\s+(.*))?$"
_ID = r"0\d{1,6}"
_SCALAR = rf"({_ID})\s*(?:#.*)?$"
_LIST = r"\[[^\[\]{}\"'#]*\]\s*(?:#.*)?$"
_ITEM = rf"\s*-\s+({_ID})\s*(?:#.*)?$"


def fixes(path: str, text: str, adr: Adr) -> Iterator[Fix]:
    """Yield a fix for each line of the YAML header that has an id with a leading zero."""
    doc = adr.doc
    if doc.front is None or not doc.front_closed or adr.header.defects:
        return
    first = doc.front_line
    header = lines_of(text)[first - 1 : first - 1 + doc.front.count("\n")]
    is_id = False
    for number, line in enumerate(header, first):
        if len(line.text) > LONGEST:
            continue
        key = re.match(_KEY, line.text)
        # Items of a list and comments below a key belong to it.
        if key:
            is_id = field_name(key[1]) in _FIELDS
        elif not re.match(r"\s*(-\s|#|$)", line.text):
            is_id = False
        spans = list(_spans(line, key)) if is_id else []
        if spans:
            yield _fix(path, number, line, spans)


def _fix(path: str, number: int, line: TextLine, spans: list[tuple[int, int]]) -> Fix:
    edits = tuple(
        Edit(path, line.start + start, line.start + stop, f'"{line.text[start:stop]}"')
        for start, stop in spans
    )
    ids = ", ".join(line.text[start:stop] for start, stop in spans)
    return Fix(check=CHECK, path=path, line=number, title=f"quotes around {ids}", edits=edits)


def _spans(line: TextLine, key: re.Match[str] | None) -> Iterator[tuple[int, int]]:
    """Yield the spans of unquoted ids in a line of a field that names ADRs."""
    if not key:
        item = re.match(_ITEM, line.text)
        if item:
            yield item.span(1)
        return
    value, place = key[2] or "", key.start(2)
    scalar = re.match(_SCALAR, value)
    if scalar:
        yield place + scalar.start(1), place + scalar.end(1)
    elif re.match(_LIST, value):
        for item in re.finditer(rf"(?<=[\[,\s])({_ID})(?=\s*[,\]])", value.partition("#")[0]):
            yield place + item.start(), place + item.end()
