from collections.abc import Iterator

from ...model import Adr, Found
from ...names.heading import normalise
from ...parse.prose import is_code_alone
from ...parse.sections import USUAL
from ...template import HELIX, NYGARD, OWN, Required


class HeadingsMissing:
    """The text has no Markdown headings for its sections.

    Such a text is often pasted from a rendered page: it reads well, and to GitHub, to every tool
    and to the judge it is one long paragraph. Put `## ` before the title of each section. It is
    reported if none of the required sections is a heading; section-missing reports single missing
    sections. Outside of the helix template it is a warning if the text says "we decided" or "we
    will", or if the file is code alone.
    """

    id = "headings-missing"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        if not adr.doc.front_closed or not applies(adr):
            return
        if not adr.doc.data.strip():
            yield Found(
                line=1,
                message="the file is empty",
                help="write the decision, or delete the file; `helix-hooks new` writes a skeleton",
            )
            return
        bare = _bare_titles(adr)
        wanted = ", ".join(f"'{adr.called(required)}'" for required in _wanted(adr))
        if bare:
            lines = ", ".join(f"'{title}' (line {line})" for line, title in bare[:6])
            yield Found(
                line=bare[0][0],
                message="no section has a Markdown heading; these "
                f"lines look like headings without `##`: {lines}",
                help=f"write `## {bare[0][1]}`, and so on for each section",
                words=bare[0][1],
            )
        else:
            yield Found(
                line=adr.title_line,
                message=f"the file has no section headings; expected are {wanted}",
                help="start each section with a line `## Title`",
                severity="warning" if _tells_decision(adr) or is_code_alone(adr.doc) else "",
            )


def _tells_decision(adr: Adr) -> bool:
    """Return whether a short record says in its text what was decided."""
    from ...names.deciding import mentions_decision

    is_free = adr.template.name != HELIX.name and not adr.had_decision
    return is_free and mentions_decision(adr.doc.prose(adr.doc.body, len(adr.doc.data)))


def applies(adr: Adr) -> bool:
    """Return whether the file as a whole lacks headings: it has none, or only foreign ones above
    titles without `##`.
    """
    wanted = _wanted(adr)
    if any(map(adr.has, wanted)):
        return False
    if not any(section.level in (adr.level, USUAL) for section in adr.doc.sections):
        return not any(section.level > 1 for section in adr.doc.sections)
    names = {meaning for required in wanted for meaning in required.meanings}
    found = any(
        names.intersection(adr.meanings.all_of(section.title)) for section in adr.doc.sections
    )
    return not found and len(_bare_titles(adr)) >= 2


def _wanted(adr: Adr) -> tuple[Required, ...]:
    """Return the sections whose `##` may be missing; those of Nygard for a style of its own."""
    return NYGARD.sections if adr.template.name == OWN else adr.template.sections


def _bare_titles(adr: Adr) -> list[tuple[int, str]]:
    """Lines that consist of a section's name and nothing else."""
    names = {meaning for required in _wanted(adr) for meaning in required.meanings}
    found = []
    for number, line in enumerate(adr.doc.prose_markup.decode().split("\n"), 1):
        plain = line.strip().strip("*_: ")
        if (
            2 < len(plain) < 60
            and plain[0].isalpha()
            and adr.meanings.names.get(normalise(plain)) in names
        ):
            found.append((number, plain))
    return found
