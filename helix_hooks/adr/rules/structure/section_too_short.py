from collections.abc import Iterator

from ...blank import is_left_open, still_blank
from ...model import DECISION, FIRM, UNKNOWN, Adr, Required, RuleResult, rule
from ...norm import keys_of, visible_size
from ...parse.document import Section
from ...parse.prose import length, says_something, states_something, tells_something
from .section_missing import sections_of

_EMPTY = "is empty"
_FAR = 10
"""A section is far shorter than others if they have more than this many times its characters."""
_FEWEST = 100
"""Characters of the shortest section of the siblings below which a short one is usual."""


@rule("section-too-short", "structure", "warning")
def section_too_short(adr: Adr) -> Iterator[RuleResult]:
    """A required section is empty or too short.

    A heading without text does not help a reader. An empty section counts as missing, also if it
    has only a comment. A short section is a warning. Its length is the number of characters of
    prose, with subsections; code blocks, quotes and comments are not prose. The helix template
    requires 50 characters (`min_section_length`), others one word.

    A decision needs at least one word of prose: a picture, a link or "n/a" decides nothing.

    In a new ADR a section with less than a tenth of the text that each of at least eight siblings
    has there is an error. An `optional` section may be missing, but not empty.

    To fix a finding, add text to the section.
    """
    if not adr.template.min_section_length:
        return
    if adr.template.name == UNKNOWN.name and not _has_prose(adr):
        yield RuleResult(
            line=adr.title_line,
            message="all sections are empty",
            help="write what was decided, and why",
            severity="error",
            subject="text",
        )
    yield from _unlike_siblings(adr)
    for required in adr.template.all_sections:
        sections = sections_of(adr, required)
        if not sections:
            continue
        if "status" in required.meanings:
            yield from _check_status(adr, sections)
        else:
            yield from _check_length(adr, required, sections)


def _unlike_siblings(adr: Adr) -> Iterator[RuleResult]:
    """Yield the sections of a new ADR that are empty or far shorter than all siblings have them."""
    if not adr.norm or adr.norm.total < FIRM:
        return
    checked = {name for item in adr.template.all_sections for name in item.meanings}
    for trait in adr.norm.traits:
        size = visible_size(adr, trait.key)
        if size is None or size * _FAR >= trait.shortest or trait.shortest < _FEWEST:
            continue
        if trait.key in checked and size < adr.template.min_section_length:
            continue  # reported as a section of the template
        section = next(item for item in adr.doc.sections if trait.key in keys_of(adr, item.title))
        text = f"has {size} characters" if size else _EMPTY
        others = f"the shortest of {adr.norm.total} ADRs here has {trait.shortest}"
        yield RuleResult(
            line=adr.doc.line_at(section.heading_start),
            message=f"the section '{section.title}' {text}; {others}",
            help="write in a sentence or two what a new colleague must know",
            severity="error",
            words=section.title,
            subject=trait.key,
        )


def _has_prose(adr: Adr) -> bool:
    """Return whether an ADR has a text besides its status."""
    if tells_something(adr.doc):
        return True
    return any(
        "status" not in adr.meanings.of(section.title)
        and says_something(adr.doc.prose(section.start, section.stop))
        for section in adr.doc.sections
    )


def _check_status(adr: Adr, sections: list[Section]) -> Iterator[RuleResult]:
    """Yield a finding for an empty status section, if nothing else states the status."""
    if adr.header.statuses or adr.header.defects:
        return
    if all(adr.doc.shows_nothing(section.start, section.stop) for section in sections):
        yield RuleResult(
            line=adr.doc.line_at(sections[0].heading_start),
            message=f"the section '{sections[0].title}' is empty",
            help=f"write one of: {', '.join(adr.template.statuses)}",
            severity="error",
            words=sections[0].title,
            subject="status",
        )


def _check_length(adr: Adr, required: Required, sections: list[Section]) -> Iterator[RuleResult]:
    """Yield a finding if the longest section is too short, or if a decision has no prose."""
    doc, minimum = adr.doc, adr.template.min_section_length
    is_decision = DECISION in required.meanings
    is_silent = is_decision and not any(_decides(adr, section) for section in sections)
    texts = [doc.visible(item.start, item.stop) for item in sections]
    answers = {text.strip(" \n.-*").casefold() for text in texts}
    size = max(length(doc.prose(item.start, item.stop), minimum) for item in sections)
    is_empty = all(doc.shows_nothing(section.start, section.stop) for section in sections)
    help = "write in a sentence or two what a new colleague must know"
    if is_empty:
        message = _EMPTY
    elif is_silent:
        message, help = "has no prose", "write in a sentence what is decided, and why"
    elif not size:
        message, help = "has no prose", "say in words what its code, quotes or pictures show"
    elif "n/a" not in answers and not any(map(says_something, texts)):
        message = "has no content yet"
    elif size < minimum:
        message = f"has {size} characters of prose; at least {minimum} are required"
    else:
        return
    if still_blank(adr, sections):
        return
    severity = ""
    if is_silent or is_empty:
        severity = required.severity or "error"
        if is_decision and is_left_open(adr):
            severity = "warning"
    yield RuleResult(
        line=doc.line_at(sections[0].heading_start),
        message=f"the section '{sections[0].title}' {message}",
        help=help,
        severity=severity,
        words=sections[0].title,
        subject=f"{required.meanings[0]} empty" if is_empty else required.meanings[0],
    )


def _decides(adr: Adr, section: Section) -> bool:
    """Return whether a section has prose, or a heading below it names an option: `### A) Kafka`."""
    if states_something(adr.doc, section):
        return True
    return any(
        says_something(part.title) and not adr.meanings.of(part.title)
        for part in adr.doc.sections
        if section.heading_start < part.heading_start < section.stop
    )
