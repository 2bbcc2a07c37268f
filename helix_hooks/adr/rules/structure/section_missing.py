from collections.abc import Iterator
from operator import attrgetter

from ...meant import broken, meant
from ...model import Adr, RuleResult, rule
from ...names.heading import normalise
from ...names.status import of_folder
from ...parse.document import Section
from ...parse.sections import tells_something
from ...template import HELIX, UNKNOWN, Required
from . import headings_missing


@rule("section-missing", "structure", "error")
def section_missing(adr: Adr) -> Iterator[RuleResult]:
    """A section that the template requires is missing.

    Sections are found by meaning: case, numbering, emoji, bold and a colon do not matter, and the
    usual German and English names are the same section. In the helix template they have the heading
    level that the ADR uses for its sections, usually the second (`##`). In any other template a
    section may stand at any level, as a label (`Decision: ...`) or in the header, and text directly
    below the title is the context.

    What is required depends on the ADR. Settings (`template`) and the helix template hold for each
    ADR. A new ADR is also held to what the ADRs beside it have, see unlike-siblings. With fewer
    than five of them and no template file, it is held to the template that it follows: status,
    context and decision must be there, other sections are a warning. A new ADR that follows no
    known template must say what was decided, else it gets a warning. An ADR that existed before
    must keep the sections that it had; others are information. To fix a finding, add the section,
    or correct its heading.
    """
    if headings_missing.applies(adr):
        return
    for required in adr.template.sections:
        if not is_there(adr, required):
            yield _missing(adr, required)
    if adr.template.name == UNKNOWN.name and not _has_title(adr):
        yield RuleResult(
            line=adr.title_line,
            message="the ADR has no title",
            help="write a line `# Title` above its sections",
            severity="" if adr.is_new else "info",
            subject="title",
        )


def _has_title(adr: Adr) -> bool:
    """Return whether there is a title, or a first heading with other words than a usual section.

    A header that cannot be read may have it.
    """
    if adr.doc.title or adr.header.text("title") or adr.header.defects:
        return True
    first = adr.doc.sections[:1]
    return bool(first) and not adr.meanings.of(first[0].title)


def is_there(adr: Adr, required: Required) -> bool:
    """Return whether an ADR has a section; outside the helix template at any place."""
    if adr.has(required):
        return True
    # A header that cannot be read may state the status; header-invalid reports that header.
    if "status" in required.meanings and (adr.header.statuses or adr.header.defects):
        return True
    if adr.template.name == HELIX.name:
        return False
    if not adr.traits.keys().isdisjoint(required.meanings):
        return True
    if "context" in required.meanings and tells_something(adr.doc):
        return not broken(adr, required.meanings)
    return "status" in required.meanings and bool(of_folder(adr.doc.path, adr.statuses))


def sections_of(adr: Adr, required: Required) -> list[Section]:
    """Return the sections for a required one; outside the helix template at any level."""
    sections = [section for name in required.meanings for section in adr.h2.get(name, ())]
    if sections or adr.template.name == HELIX.name:
        return sections
    return _same_named(adr, required)


def _same_named(adr: Adr, required: Required) -> list[Section]:
    """Return the sections of any level with a name of the required one."""
    names = adr.meanings.names
    return [
        section
        for section in adr.doc.sections
        if names.get(normalise(section.title)) in required.meanings
    ]


def _missing(adr: Adr, required: Required) -> RuleResult:
    """Return the finding on a missing section, at a heading that was meant for it if possible."""
    heading = f"{'#' * adr.level} {adr.called(required)}"
    message = f"the section '{adr.called(required)}' is missing"
    subject, severity = required.meanings[0], required.severity
    near = meant(adr, required.meanings, heading)
    if near:
        message = f"{message}: {near.message}"
        return near._replace(message=message, severity=severity, subject=subject)
    others = _same_named(adr, required)
    if others:
        section = min(others, key=attrgetter("heading_start"))
        return RuleResult(
            line=adr.doc.line_at(section.heading_start),
            message=f"{message}: '{section.title}' is a level {section.level} heading",
            help=f"make it `{'#' * adr.level} {section.title}`",
            severity=severity,
            words=section.title,
            subject=subject,
        )
    help = f"add `{heading}`"
    if adr.template.name == UNKNOWN.name and severity == "warning":
        help += ", and say what was decided"
    return RuleResult(adr.title_line, message, help, severity, subject=subject)
