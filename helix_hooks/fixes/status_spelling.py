"""Statuses with a typing error: `Acepted` for `Accepted`, wherever the ADR states it."""

import re
from collections.abc import Iterator

from ..adr.corpus import CLOSED
from ..finding import Finding
from .around import Around
from .edit import Fix
from .lines import line_at
from .spelling import in_case_of, meant, only_place, respelt

_LEAD = r"[\s*_`\"']*"
_PLAIN_REST = r"[\W\d_]*"
"""The text allowed behind the word: a date or marks. Words could change the meaning."""
_REMARK = r"\s*[(\[;.–—-]\W*([^\W\d_]+).*"
"""Behind the word: a remark that a mark separates, as in `Accepted (by vote)`; its first word."""


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the fix of an unknown status that only one known status can mean."""
    adr, text = around.adr(finding.path), around.text(finding.path)
    if not adr or text is None:
        return
    stated = adr.header.fields.get("status")
    if not stated or stated.line != finding.line or "|" in stated.text:
        return
    if adr.statuses.read(stated.text) in adr.template.statuses:
        return
    match = re.match(rf"{_LEAD}([^\W\d_]+)(.*)", stated.text, re.DOTALL)
    if not match:
        return
    word, rest = match[1], match[2]
    names = {name: status for name, status in adr.statuses.names.items() if " " not in name}
    name = meant(word, names)
    if not name or names[name] not in adr.template.statuses:
        return
    remark = re.fullmatch(_REMARK, rest, re.DOTALL)
    is_remark = remark is not None and not adr.statuses.read(remark[1])
    names_successor = names[name] in CLOSED and re.match(r"\s+by\b", rest)
    place = _place(text, finding.line, word)
    is_certain = names_successor or is_remark or bool(re.fullmatch(_PLAIN_REST, rest))
    if place < 0 or not is_certain:
        return
    correct = in_case_of(name, word)
    yield respelt(finding, "status", place, word, correct)


def _place(text: str, number: int, word: str) -> int:
    """Return the offset of the only such word in a line, or in the table that begins there; else
    -1.
    """
    line = line_at(text, number)
    if not line:
        return -1
    if "|" not in line.text:
        return only_place(line, word)
    places: list[int] = []
    while line and "|" in line.text:
        if (place := only_place(line, word)) >= 0:
            places.append(place)
        number += 1
        line = line_at(text, number)
    return places[0] if len(places) == 1 else -1
