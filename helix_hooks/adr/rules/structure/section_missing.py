import re
from collections.abc import Iterator
from operator import attrgetter

from ....records import TYPE_CHECKING
from ...model import Adr, Found
from ...names.heading import CORE, normalise, serves
from ...names.number import number_in_path
from ...parse.document import Section
from ...parse.prose import says_something
from ...parse.sections import USUAL, decided, tells_something
from ...template import DECISION, HELIX, OWN, Required
from . import headings_missing

if TYPE_CHECKING:
    from ...parse.swallowed import Swallowed

_OPEN = ("Draft", "Proposed")


class SectionMissing:
    """A section that the template requires is missing.

    Sections are found by meaning: case, numbering, emoji, bold, a colon and the usual German,
    English, French, Spanish, Portuguese, Italian and Dutch names are all the same section. Required
    sections stand at the one level at which the ADR writes its sections, usually the second (`##`).
    A status in the header replaces the section Status. Outside of the helix template, text right
    under the title replaces the context, and sections such as Rationale, Introduction, Approach or
    Risks replace a section of the same purpose.

    If the template was recognised and not set in the settings, only a missing decision is an error.
    Another missing section is a warning. If the decision is the only section, it is information. It
    is an error if the version before the change has the section. Outside of the helix template, a
    section at another level is a warning too.

    Outside of the helix template a decision needs no section if a line `Decision: ...` states it,
    or several sub-sections, one for each question. The missing section is a warning if the text
    says "we decided", "was chosen" or "we will" (in a proposed ADR also "should"). It is a warning
    too in a file that has no number, no status and none of the usual sections. These exceptions do
    not apply if the version before the change has a decision.

    A new ADR is checked by the template file beside it (`template.md`, `0000-template.md`), or in a
    folder of ADRs above it, as of the last commit. A style that fits no template (`own`) needs a
    title and a section with a text, and a decision if the version before has one. Among fewer than
    five ADRs, a missing decision is a warning.
    """

    id = "section-missing"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        if headings_missing.applies(adr):
            return
        missing = [required for required in adr.template.sections if not is_there(adr, required)]
        if missing:
            from ...parse.swallowed import swallowed

            regions = list(swallowed(adr.doc))
            elsewhere = _elsewhere(adr)
            yield from (_missing(adr, required, regions, elsewhere) for required in missing)
        if adr.template.name == OWN and all(required.severity for required in missing):
            yield from _bare(adr)


def _bare(adr: Adr) -> Iterator[Found]:
    """Yield what an ADR in a style of its own lacks; its title may be in an unreadable header."""
    titled = adr.doc.title or adr.header.text("title") or _begins_with_title(adr)
    if not titled and not adr.header.defects:
        yield Found(
            line=adr.title_line,
            message="the ADR has no title",
            help="write a line `# Title` above its sections",
        )
    if not _has_prose(adr):
        yield Found(
            line=adr.title_line,
            message="no section has a text",
            help="write what was decided, and why",
        )


def _begins_with_title(adr: Adr) -> bool:
    """Return whether the first heading is a title: it is not the name of a usual section."""
    first = adr.doc.sections[:1]
    return bool(first) and not adr.meanings.of(first[0].title)


def is_there(adr: Adr, required: Required) -> bool:
    """Return whether an ADR has a section, or outside of the helix template a substitute for it."""
    return _present(adr, required) or (adr.template.name != HELIX.name and _served(adr, required))


def _present(adr: Adr, required: Required) -> bool:
    if adr.has(required):
        return True
    if "status" not in required.meanings:
        return False
    return bool(adr.header.statuses or adr.header.defects) or _is_in_folder_of_status(adr)


def _is_in_folder_of_status(adr: Adr) -> bool:
    """Return whether an ADR's folder tells its status: `rejected/`, `3_in_review/`."""
    if adr.template.name == HELIX.name:
        return False
    folders = adr.doc.path.split("/")[:-1]
    words = (re.sub(r"^\d+[a-z]?[-_ ]+", "", folder).casefold() for folder in folders)
    return any(adr.statuses.names.get(re.sub(r"[-_ ]+", " ", word)) for word in words)


def standing_in(adr: Adr, required: Required) -> list[Section]:
    """Return the sections that keep a missing one from being an error: its substitutes, else
    those of its name at another level. None where it is there, or the text under the title is it.
    """
    if adr.template.name == HELIX.name or adr.has(required) or leads(adr, required):
        return []
    return _serving(adr, required) or _of_other_levels(adr, required)


def _of_other_levels(adr: Adr, required: Required) -> list[Section]:
    return [
        section
        for section in adr.doc.sections
        if section.level != adr.level
        and adr.meanings.names.get(normalise(section.title)) in required.meanings
    ]


def leads(adr: Adr, required: Required) -> bool:
    """Return whether the text under the title is the context."""
    asks = adr.template.name != HELIX.name and "context" in required.meanings
    return asks and tells_something(adr.doc)


def _served(adr: Adr, required: Required) -> bool:
    """Return whether another text is a substitute for a required section."""
    if leads(adr, required) or _serving(adr, required):
        return True
    others = _of_other_levels(adr, required)
    if any(USUAL <= section.level < adr.level for section in others):
        return True
    return _may_be_elsewhere(adr, required) and (len(others) > 1 or _is_labelled(adr))


def _is_labelled(adr: Adr) -> bool:
    from ...names.deciding import is_labelled

    return is_labelled(_text(adr), adr.meanings, adr.statuses)


def _may_be_decided(adr: Adr) -> bool:
    """Return whether the text mentions a decision, or the file has no mark of an ADR."""
    from ...names.deciding import mentions_decision

    is_marked = bool(adr.header.statuses or number_in_path(adr.doc.path) is not None)
    if not is_marked and adr.h2.keys().isdisjoint(CORE):
        return True
    is_open = adr.statuses.read(adr.header.text("status")) in _OPEN
    return mentions_decision(_text(adr), is_open)


def _may_be_elsewhere(adr: Adr, required: Required) -> bool:
    """Return whether a required section is a decision that may be stated elsewhere.

    It may not if the version before the change has a decision.
    """
    is_free = adr.template.name != HELIX.name and not adr.had_decision
    return is_free and DECISION in required.meanings


def _text(adr: Adr) -> str:
    """Return the text of an ADR without the sections that do not state its own decision."""
    sections = list(decided(adr.doc.sections, adr.meanings))
    start = adr.doc.title.start if adr.doc.title else adr.doc.body
    first = adr.doc.sections[0].heading_start if adr.doc.sections else len(adr.doc.data)
    parts = [(start, first), *((section.start, section.own_stop) for section in sections)]
    return "\n".join(adr.doc.prose(*part) for part in parts)


def _serving(adr: Adr, required: Required) -> list[Section]:
    first = _leading(adr) if "context" in required.meanings else []
    return first + [
        section
        for section in adr.doc.sections
        if section.level == adr.level
        and not serves(section.title, adr.meanings).isdisjoint(required.meanings)
    ]


def _leading(adr: Adr) -> list[Section]:
    """Return the sections with an unknown name and prose that precede the decision."""
    decisions = [section.heading_start for section in adr.h2.get("decision", ())]
    return [
        section
        for start in decisions[:1]
        for section in adr.doc.sections
        if section.level == adr.level and section.stop <= start and _is_free(adr, section)
    ]


def _is_free(adr: Adr, section: Section) -> bool:
    """Return whether a section has prose and an unknown name."""
    return not adr.meanings.of(section.title) and says_something(
        adr.doc.prose(section.start, section.stop)
    )


def _has_prose(adr: Adr) -> bool:
    return tells_something(adr.doc) or any(
        "status" not in adr.meanings.of(section.title)
        and says_something(adr.doc.prose(section.start, section.stop))
        for section in adr.doc.sections
    )


def _elsewhere(adr: Adr) -> dict[str, Section]:
    """The first section of another level than the others that is called so, by what it means."""
    found: dict[str, Section] = {}
    for section in (*filter(None, (adr.doc.title,)), *adr.doc.sections):
        meaning = adr.meanings.names.get(normalise(section.title))
        if section.level != adr.level and meaning:
            found.setdefault(meaning, section)
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
    mark = "#" * adr.level
    sections = [elsewhere[name] for name in required.meanings if name in elsewhere]
    if sections:
        section = min(sections, key=attrgetter("heading_start"))
        return Found(
            line=adr.doc.line_at(section.heading_start),
            message=f"{message}: '{section.title}' is a level {section.level} heading",
            help=f"make it `{mark} {section.title}`",
            severity="" if adr.template.name == HELIX.name else "warning",
        )
    is_first = adr.template.name == OWN and required.severity == "warning"
    needed = ", which says what was decided" if is_first else ""
    is_mild = _may_be_elsewhere(adr, required) and _may_be_decided(adr)
    return Found(
        line=adr.title_line,
        message=message,
        help=f"add `{mark} {name}`{needed}",
        severity=required.severity or ("warning" if is_mild else ""),
    )
