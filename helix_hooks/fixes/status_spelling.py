"""Statuses with a typo, in any form of header: `Acepted` for `Accepted`."""

import re
from collections.abc import Iterator

from ..adr.corpus import CLOSED
from ..adr.model import Adr
from ..finding import Finding
from .around import Around
from .edit import Fix
from .lines import line_at
from .spelling import in_case_of, meant, only_place, respelt

_WORD = r"[\s*_`\"']*([^\W\d_]+)(.*)"
"""The first word of a status, and the text after it."""
_PLAIN_REST = r"[\W\d_]*"
"""A date or marks after the word. Words could change the meaning."""
_REMARK = r"\s*[(\[;.–—-]\W*([^\W\d_]+).*"
"""A remark after the word, as in `Accepted (by vote)`; its first word."""


def fixes(finding: Finding, around: Around) -> Iterator[Fix]:
    """Yield the fix of an unknown status that only one known status can mean."""
    adr, text = around.adr(finding.path), around.text(finding.path)
    if not adr or text is None:
        return
    status = _unknown_status(adr, finding.line)
    match = re.match(_WORD, status, re.DOTALL)
    if not match:
        return
    word, rest = match[1], match[2]
    name = _meant_status(adr, word)
    if not name or not _is_certain(adr, name, rest):
        return
    place = _place(text, finding.line, word)
    if place >= 0:
        yield respelt(finding, "status", place, word, in_case_of(name, word))


def _unknown_status(adr: Adr, line: int) -> str:
    """Return the status that a line states, "" if it is known or a choice."""
    field = adr.header.fields.get("status")
    if not field or field.line != line or "|" in field.text:
        return ""
    return "" if adr.statuses.read(field.text) in adr.template.statuses else field.text


def _meant_status(adr: Adr, word: str) -> str:
    """Return the status word of the template that a word means, "" without one."""
    names = {name: status for name, status in adr.statuses.names.items() if " " not in name}
    name = meant(word, names)
    return name if names.get(name) in adr.template.statuses else ""


def _is_certain(adr: Adr, name: str, rest: str) -> bool:
    """Return whether the text after the status word cannot change its meaning."""
    if re.fullmatch(_PLAIN_REST, rest):
        return True
    if adr.statuses.names[name] in CLOSED and re.match(r"\s+by\b", rest):
        return True
    remark = re.fullmatch(_REMARK, rest, re.DOTALL)
    return remark is not None and not adr.statuses.read(remark[1])


def _place(text: str, number: int, word: str) -> int:
    """Return the offset of the only such word in a line, or in a table that begins there.

    -1 if there is not exactly one.
    """
    line = line_at(text, number)
    if not line:
        return -1
    if "|" not in line.text:
        return only_place(line, word)
    places: list[int] = []
    while line and "|" in line.text:
        place = only_place(line, word)
        if place >= 0:
            places.append(place)
        number += 1
        line = line_at(text, number)
    return places[0] if len(places) == 1 else -1
