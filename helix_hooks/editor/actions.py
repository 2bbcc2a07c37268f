"""Quick fixes without a rule's repair: a suppressing comment, and a missing section."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..adr.model import Adr
from ..adr.rules.registry import FIRM
from ..adr.rules.structure.section_missing import is_there
from ..adr.template import Required
from ..finding import Finding
from ..fixes.edit import Edit, Fix, overlapping
from .mentions import front_lines
from .positions import BufferText, TextPosition

REASON = "REASON"
"""The placeholder of a reason. The gate requires a reason of at least two words."""

_BLANK = "{Say here what belongs in this section.}"
"""The placeholder of a section, as `new` writes it. The gate reports it until it is replaced."""

_CRITERIA = "- [ ] {Something that can be checked when the work is done}"
_MISSING = "section-missing"


class _Suppression(NamedTuple):
    """The directive of a suppressing comment, where it is inserted, and its scope in words."""

    directive: str
    line: int
    scope: str


def suppression(adr: Adr, finding: Finding, text: BufferText) -> Fix | None:
    """Return the comment that suppresses a finding; None for a rule that can't be suppressed."""
    if finding.check in FIRM or not re.fullmatch(r"[\w-]+", finding.check):
        return None
    place = _suppression(adr, finding, text)
    offset = text.offset(TextPosition(place.line, 0))
    comment = f"<!-- {place.directive} {finding.check} - {REASON} -->{_line_end(text)}"
    return Fix(
        check=finding.check,
        path=finding.path,
        line=finding.line,
        title=f"Suppress {finding.check} {place.scope}, with a reason",
        edits=(Edit(finding.path, offset, offset, comment),),
    )


def _suppression(adr: Adr, finding: Finding, text: BufferText) -> _Suppression:
    """Return the comment above the line of a finding.

    In front matter, code and empty lines no comment is possible. There it is one for the whole
    file, below the front matter or at the beginning.
    """
    line = finding.line - 1
    front = front_lines(adr)
    is_in_front = line in front or (adr.doc.body > 0 and line <= front.stop)
    if not is_in_front and not _is_in_code(adr, finding.line) and text.line(line).strip():
        return _Suppression("helix-disable-next-line", line, "here")
    first = 0
    if adr.doc.front is not None:
        first = front.stop + 1  # the line below the closing `---`
    return _Suppression("helix-disable", first, "in this file")


def missing_sections(adr: Adr, finding: Finding, text: BufferText) -> Iterator[Fix]:
    """Yield the fix that inserts the missing section of a finding."""
    if finding.check != _MISSING:
        return
    for required in adr.template.sections:
        name = adr.called(required)
        if finding.subject != required.meanings[0] or is_there(adr, required):
            continue
        heading = f"{'#' * adr.level} {name}"
        offset = _place_of(adr, required, text)
        new = _section(heading, required, adr, text, offset)
        yield Fix(
            check=finding.check,
            path=finding.path,
            line=finding.line,
            title=f"Insert the section '{heading}'",
            edits=(Edit(finding.path, offset, offset, new),),
        )


def combined(fixes: Iterable[Fix]) -> list[Fix]:
    """Return the fixes, in their order, whose edits do not overlap. Renames are left out."""
    chosen: list[Fix] = []
    edits: list[Edit] = []
    for fix in fixes:
        if not fix.renames and fix.edits and not overlapping([*edits, *fix.edits]):
            chosen.append(fix)
            edits += fix.edits
    return chosen


def _is_in_code(adr: Adr, line: int) -> bool:
    """Return whether a line is in a block of code, but not its first line."""
    for fence in adr.doc.fences:
        if adr.doc.line_at(fence.start) < line <= adr.doc.line_at(fence.stop - 1):
            return True
    return False


def _place_of(adr: Adr, required: Required, text: BufferText) -> int:
    """Return the offset of a missing section.

    It is before the next section of the template that the ADR has, or else at the end.
    """
    order = list(adr.template.sections)
    for later in order[order.index(required) + 1 :]:
        starts: list[int] = []
        for name in later.meanings:
            starts += [section.heading_start for section in adr.h2.get(name, ())]
        if starts:
            line = adr.doc.line_at(min(starts))
            return text.offset(TextPosition(line - 1, 0))
    return len(text.text)


def _section(heading: str, required: Required, adr: Adr, text: BufferText, offset: int) -> str:
    """Return the text of a new section with empty lines around it."""
    end = _line_end(text)
    content = _BLANK
    if "acceptance-criteria" in required.meanings:
        content = end.join([_CRITERIA] * max(1, adr.template.min_acceptance_criteria))
    elif "status" in required.meanings:
        content = adr.template.statuses[0]
    body = f"{heading}{end}{end}{content}{end}"
    if offset < len(text.text):
        return f"{body}{end}"
    if not text.text.strip():
        return body
    if text.text.endswith(("\n", "\r")):
        return f"{end}{body}"
    return f"{end}{end}{body}"


def _line_end(text: BufferText) -> str:
    """Return the line end of the first line."""
    if len(text.starts) < 2:
        return "\n"
    return text.text[text.ends[0] : text.starts[1]]
