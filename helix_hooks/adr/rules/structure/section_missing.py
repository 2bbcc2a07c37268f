from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from ...model import Adr, Found
from ...parse.document import Section
from ...template import Required
from . import headings_missing

if TYPE_CHECKING:
    from ...parse.swallowed import Swallowed


class SectionMissing:
    """A section that the template requires is missing.

    Sections are found by meaning: case, numbering, emoji, bold, a colon and the usual German, English, French, Spanish,
    Portuguese, Italian and Dutch names are all the same section. A required section is a second-level heading (`##`).
    A status that stands in the header serves for the section Status.
    """

    id = "section-missing"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        if headings_missing.applies(adr):
            return
        missing = [required for required in adr.template.sections if not _present(adr, required)]
        if missing:
            from ...parse.swallowed import swallowed

            regions = list(swallowed(adr.doc))
            elsewhere = _elsewhere(adr)
            yield from (_missing(adr, required, regions, elsewhere) for required in missing)


def _present(adr: Adr, required: Required) -> bool:
    return adr.has(required) or (
        "status" in required.meanings and bool(adr.header.statuses or adr.header.defects)
    )


def _elsewhere(adr: Adr) -> dict[str, Section]:
    """The first section of another level than the second, by what it means."""
    found: dict[str, Section] = {}
    for section in adr.doc.sections:
        if section.level != 2:
            for name in adr.meanings.of(section.title):
                found.setdefault(name, section)
    return found


def _missing(
    adr: Adr, required: Required, regions: "list[Swallowed]", elsewhere: dict[str, Section]
) -> Found:
    name = adr.called(required)
    message = f"the section '{name}' is missing"
    for region in regions:
        for line, _, title in region.titles:
            if set(required.meanings).intersection(adr.meanings.of(title)):
                return Found(
                    line=line,
                    message=f"{message}: its heading lies inside the code or comment opened in "
                    f"line {region.line}",
                    help=region.help,
                )
    sections = [elsewhere[name] for name in required.meanings if name in elsewhere]
    if sections:
        section = min(sections, key=attrgetter("heading_start"))
        return Found(
            line=adr.doc.line_at(section.heading_start),
            message=f"{message}: '{section.title}' is a level {section.level} heading",
            help=f"make it `## {section.title}`",
        )
    return Found(line=adr.title_line, message=message, help=f"add `## {name}`")
