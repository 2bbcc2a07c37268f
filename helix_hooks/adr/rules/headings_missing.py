from collections.abc import Iterator
from typing import NamedTuple

from ...strict import Defect
from ..rule import Adr, Found


class HeadingsMissing(NamedTuple):
    """The text has no Markdown headings, so no section can be found.

    Such a text is often pasted from a rendered page: it reads well, and to GitHub, to every tool and to the judge it
    is one long paragraph. Put `## ` before the title of each section.
    """

    severity: str = "error"
    id = "headings-missing"
    layer = "structure"

    def check(self, adr: Adr) -> Iterator[Found]:
        if adr.h2 or any(section.level > 1 for section in adr.doc.sections):
            return
        wanted = ", ".join(f"'{required.name}'" for required in adr.template.sections)
        lookalike = _lookalike(adr)
        hint = f"write `## {lookalike.message}` in line {lookalike.line}, and so on" if lookalike else "start each section with a line `## Title`"
        line = lookalike.line if lookalike else adr.title_line
        yield Found(line, f"the file has no section headings; {wanted} are wanted", hint)


def _lookalike(adr: Adr) -> Defect | None:
    names = {meaning for required in adr.template.sections for meaning in required.meanings}
    for number, line in enumerate(adr.doc.prose.decode().split("\n"), 1):
        plain = line.strip().strip("*_:# ")
        if 2 < len(plain) < 60 and ":" not in plain and names.intersection(adr.meanings.of(plain)):
            return Defect(number, plain)
    return None
