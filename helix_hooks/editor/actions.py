"""Quick fixes that need no rule: a comment that suppresses a finding, a section that is missing."""

import re
from collections.abc import Iterable, Iterator

from ..adr.model import Adr
from ..adr.rules.registry import FIRM
from ..adr.rules.structure.section_missing import is_there
from ..adr.template import Required
from ..finding import Finding
from ..fixes.edit import Edit, Fix, overlapping
from .mentions import front_lines
from .positions import BufferText, TextPosition

REASON = "REASON"
"""The placeholder of a reason. The gate accepts no reason of fewer than two words."""

_BLANK = "{Say here what belongs in this section.}"
"""The blank that `new` writes, too; the gate reports it until it is filled in."""

_CRITERIA = "- [ ] {Something that can be checked when the work is done}"
_MISSING = "section-missing"


def suppression(adr: Adr, finding: Finding, text: BufferText) -> Fix | None:
    """Return the comment that suppresses a finding; None for a rule that nothing suppresses.

    It stands above the line of the finding, or below the header for the whole file where no comment
    can stand.
    """
    if finding.check in FIRM or not re.fullmatch(r"[\w-]+", finding.check):
        return None
    line = finding.line - 1
    is_inside = line in front_lines(adr) or (adr.doc.body > 0 and line < front_lines(adr).stop + 1)
    is_whole = is_inside or _is_in_code(adr, finding.line) or not text.line(line).strip()
    scope = "helix-disable" if is_whole else "helix-disable-next-line"
    place = front_lines(adr).stop + 1 if is_whole and adr.doc.front is not None else line
    place = 0 if is_whole and adr.doc.front is None else place
    offset = text.offset(TextPosition(place, 0))
    end = _line_end(text)
    comment = f"<!-- {scope} {finding.check} - {REASON} -->{end}"
    where = "in this file" if is_whole else "here"
    return Fix(
        check=finding.check,
        path=finding.path,
        line=finding.line,
        title=f"Suppress {finding.check} {where}, with a reason",
        edits=(Edit(finding.path, offset, offset, comment),),
    )


def missing_sections(adr: Adr, finding: Finding, text: BufferText) -> Iterator[Fix]:
    """Yield the insertion of the section that a finding misses."""
    if finding.check != _MISSING:
        return
    for required in adr.template.sections:
        name = adr.called(required)
        if f"'{name}'" in finding.message and not is_there(adr, required):
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
    """Return the fixes, in their order, whose edits go together; none that renames a file."""
    taken: list[Fix] = []
    for fix in fixes:
        edits = [edit for other in taken for edit in other.edits]
        if not fix.renames and fix.edits and not overlapping([*edits, *fix.edits]):
            taken.append(fix)
    return taken


def _is_in_code(adr: Adr, line: int) -> bool:
    places = (
        (adr.doc.line_at(fence.start), adr.doc.line_at(fence.stop - 1)) for fence in adr.doc.fences
    )
    return any(first < line <= last for first, last in places)


def _place_of(adr: Adr, required: Required, text: BufferText) -> int:
    """Return the offset of a missing section: before the next section of the template that is
    there, else at the end.
    """
    order = list(adr.template.sections)
    for later in order[order.index(required) + 1 :]:
        sections = [section for name in later.meanings for section in adr.h2.get(name, ())]
        if sections:
            line = adr.doc.line_at(min(section.heading_start for section in sections))
            return text.offset(TextPosition(line - 1, 0))
    return len(text.text)


def _section(heading: str, required: Required, adr: Adr, text: BufferText, offset: int) -> str:
    end = _line_end(text)
    blank = _BLANK
    if "acceptance-criteria" in required.meanings:
        blank = end.join([_CRITERIA] * max(1, adr.template.min_acceptance_criteria))
    elif "status" in required.meanings:
        blank = adr.template.statuses[0]
    body = f"{heading}{end}{end}{blank}{end}"
    if offset < len(text.text):
        return f"{body}{end}"
    if not text.text.strip():
        return body
    return f"{end}{body}" if text.text.endswith(("\n", "\r")) else f"{end}{end}{body}"


def _line_end(text: BufferText) -> str:
    """Return the line end of the first line."""
    if len(text.starts) < 2:
        return "\n"
    return text.text[text.ends[0] : text.starts[1]]
