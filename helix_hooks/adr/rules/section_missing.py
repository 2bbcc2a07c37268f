from collections.abc import Iterator

from ..rule import Adr, Found
from ..template import Required
from . import headings_missing


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
        for required in adr.template.sections:
            if any(meaning in adr.h2 for meaning in required.meanings):
                continue
            if "status" in required.meanings and adr.header.statuses:
                continue
            yield _missing(adr, required)


def _missing(adr: Adr, required: Required) -> Found:
    from ..swallowed import swallowed

    name = adr.called(required)
    message = f"the section '{name}' is missing"
    for region in swallowed(adr.doc):
        for line, _, title in region.titles:
            if set(required.meanings).intersection(adr.meanings.of(title)):
                return Found(line, f"{message}: its heading lies inside the code or comment opened in line {region.line}", region.help)
    for section in adr.doc.sections:
        if section.level != 2 and set(required.meanings).intersection(adr.meanings.of(section.title)):
            return Found(section.line, f"{message}: '{section.title}' is a level {section.level} heading", f"make it `## {section.title}`")
    return Found(adr.title_line, message, f"add `## {name}`")
