from collections.abc import Iterator

from ....finding import Severity
from ...model import Adr, Found
from ...parse.document import Section
from ...parse.prose import length_of, says_something
from ...template import DECISION, HELIX
from .placeholder import is_left_open, still_blank
from .section_missing import standing_in

_CRITERIA = "acceptance-criteria"
"""The section without a criterion is reported by acceptance-criteria-too-few."""
_DASHES = (b"-", "–".encode(), "—".encode())
_SMALL = 48
"""Bytes below which a section is looked at more closely."""


class SectionTooShort:
    """A required section is empty, or says too little.

    A heading with nothing beneath it passes every check for presence and tells the next reader
    nothing. So an empty section counts like a missing one, also if it has only a comment; a short
    one is a warning. A blank of a template, such as "TODO", is reported by placeholder. Characters
    of prose are counted, sub-sections included; code blocks, quotes, comments, link definitions and
    invisible characters are not prose. The minimum is `min_section_length` of the rules file for
    helix (50); in the other built-in templates one word is enough. The `optional` sections of a
    template may be missing. If they are there, they are checked like required ones. A section that
    replaces a missing one, or stands at another level, is checked in its place. Outside of the
    helix template a lone dash means "none", but for the decision.
    """

    id = "section-too-short"
    layer = "structure"
    severity = "warning"

    def check(self, adr: Adr) -> Iterator[Found]:
        minimum = adr.template.min_section_length
        for required in adr.template.all_sections:
            found = [
                section for meaning in required.meanings for section in adr.h2.get(meaning, ())
            ]
            if not found and required in adr.template.sections:
                found = standing_in(adr, required)
            if not found or not minimum:
                continue
            if "status" in required.meanings:
                yield from _empty_status(adr, found)
                continue
            size = max(
                [length_of(adr.doc, section.start, section.stop, minimum) for section in found]
            )
            if size < minimum or max([section.stop - section.start for section in found]) < _SMALL:
                is_decision = DECISION in required.meanings
                if (
                    not is_decision
                    and adr.template.name != HELIX.name
                    and all(_is_dash(adr, section) for section in found)
                ):
                    continue
                is_open = is_decision and is_left_open(adr)
                severity = "warning" if is_open else required.severity or "error"
                yield from _short(adr, found, size, minimum, if_empty=severity)


def _is_dash(adr: Adr, section: Section) -> bool:
    """Return whether a section is a lone dash, by which people mean "none"."""
    return adr.doc.data[section.start : section.stop].strip() in _DASHES


def _empty_status(adr: Adr, sections: list[Section]) -> Iterator[Found]:
    """Yield a finding for an empty status section, if nothing else states the status."""
    empty = all(adr.doc.shows_nothing(section.start, section.stop) for section in sections)
    if empty and not adr.header.statuses and not adr.header.defects:
        yield Found(
            line=adr.doc.line_at(sections[0].heading_start),
            message=f"the section '{sections[0].title}' is empty",
            help=f"write one of: {', '.join(adr.template.statuses)}",
            severity="error",
            words=sections[0].title,
        )


def _short(
    adr: Adr, sections: list[Section], size: int, minimum: int, if_empty: Severity
) -> Iterator[Found]:
    texts = [adr.doc.visible(section.start, section.stop) for section in sections]
    message, help, severity = "", "write in a sentence or two what a new colleague must know", ""
    if not size and all(adr.doc.shows_nothing(section.start, section.stop) for section in sections):
        message, severity = "is empty", if_empty
    elif not size:
        message, help = "has no prose", "say in words what its code, quotes or pictures show"
    elif not any(says_something(shown) or _is_answer(shown) for shown in texts):
        message = "says nothing yet" if sections[0] not in adr.h2.get(_CRITERIA, ()) else ""
    elif size < minimum:
        message = f"has {size} characters of prose; at least {minimum} are wanted"
    if message and not still_blank(adr, sections):
        yield Found(
            line=adr.doc.line_at(sections[0].heading_start),
            message=f"the section '{sections[0].title}' {message}",
            help=help,
            severity=severity,
            words=sections[0].title,
        )


def _is_answer(text: str) -> bool:
    return text.strip(" \n.-*").casefold() == "n/a"
