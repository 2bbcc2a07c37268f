import re
from collections.abc import Collection, Iterator
from operator import attrgetter

from ...model import HELIX, UNKNOWN, Adr, Required, RuleResult, rule
from ...names import nearest_name, normalise, of_folder
from ...norm import keys_of
from ...parse.document import Section
from ...parse.prose import tells_something

_BROKEN_HEADING = rb"(?m)^ {0,3}(#{1,6})(?:(\xc2\xa0)\s*|(?=[^\W\d]))([^\n]{1,200})$"
"""A heading without a space after its `#`s, or with a no-break space (group 2)."""
_MIN_SIMILARITY = 0.88
"""Similarity of a misspelt name to the right one; that of "Content" and "Context" is lower."""
_LONGEST_NAME = 60
_MOST_HEADINGS = 200
"""Headings among which a misspelt name is looked for; each is compared with some fifty names."""


@rule("section-missing", "structure", "error")
def section_missing(adr: Adr) -> Iterator[RuleResult]:
    """A section that the template requires is missing.

    Sections are found by meaning: case, numbering, emoji and bold do not matter, and the usual
    German and English names are the same section. Outside of the helix template a section may also
    be a label (`Decision: ...`), and text directly below the title is the context.

    The settings (`template`) and the helix template hold for each ADR. A new ADR is also held to
    its siblings, see unlike-siblings; with fewer than five siblings, it is held to the template
    that it follows. A new ADR without a known template must say what was decided. An ADR that
    existed before must keep the sections that it had.

    To fix a finding, add the section, or correct its heading.
    """
    # header-invalid reports a header that is never closed; it hides all headings.
    if not adr.doc.front_closed:
        return
    if not adr.doc.data.strip():
        yield RuleResult(
            line=1,
            message="the file is empty",
            help="write the decision, or delete the file; `helix-hooks new` writes a skeleton",
            subject="empty",
        )
        return
    for required in adr.template.sections:
        if not is_there(adr, required):
            yield _missing(adr, required)
    # A header that cannot be read may have the title, and so may a first heading of other words.
    has_title = adr.doc.title or adr.header.text("title") or adr.header.defects
    first = adr.doc.sections[:1]
    is_titled = has_title or (first and not adr.meanings.of(first[0].title))
    if adr.template.name == UNKNOWN.name and not is_titled:
        yield RuleResult(
            line=adr.title_line,
            message="the ADR has no title",
            help="write a line `# Title` above its sections",
            severity="" if adr.is_new else "info",
            subject="title",
        )


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


# A heading that was meant for a missing section: broken or misspelt.


def meant(adr: Adr, keys: Collection[str], written: str) -> RuleResult | None:
    """Return the heading that was meant for a section with some keys, and what is wrong with it.

    None without such a heading. `written` is the right one, as in `## Context`.
    """
    return broken(adr, keys) or _unmarked(adr, keys, written) or _misspelt(adr, keys, written)


def broken(adr: Adr, keys: Collection[str]) -> RuleResult | None:
    """Return a heading that GitHub shows as text."""
    for match in re.finditer(_BROKEN_HEADING, adr.doc.prose_markup):
        title = match[3].decode(errors="replace").strip()
        if set(keys).isdisjoint(keys_of(adr, title)):
            continue
        marks = match[1].decode()
        defect = "there is a no-break space after" if match[2] else "there is no space after"
        line = adr.doc.line_at(match.start(1))
        return RuleResult(line, f"{defect} `{marks}`", f"write `{marks} {title}`", words=title)
    return None


def _unmarked(adr: Adr, keys: Collection[str], written: str) -> RuleResult | None:
    """Return a line that has only the name of the section, as in a text from a web page."""
    for number, line in enumerate(adr.doc.prose_markup.decode().split("\n"), 1):
        title = line.strip().strip("*_: ")
        is_name = title[:1].isalpha() and len(title) < _LONGEST_NAME
        if is_name and adr.meanings.names.get(normalise(title)) in keys:
            return RuleResult(
                number, "this line has only its name", f"write `{written}`", words=title
            )
    return None


def _misspelt(adr: Adr, keys: Collection[str], written: str) -> RuleResult | None:
    """Return a heading whose words are nearly those of the section."""
    known = [name for name, key in adr.meanings.names.items() if key in keys]
    names = [*known, *map(normalise, keys)]
    for section in adr.doc.sections[:_MOST_HEADINGS]:
        title = normalise(section.title)
        if adr.meanings.of(section.title):
            continue
        if nearest_name(title, names, _MIN_SIMILARITY):
            problem = f"'{section.title}' looks like a misspelt name of it"
            line = adr.doc.line_at(section.heading_start)
            help = f"write `{written}` if you meant that"
            return RuleResult(line, problem, help, words=section.title)
    return None
