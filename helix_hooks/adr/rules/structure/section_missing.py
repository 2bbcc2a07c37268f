import re
from collections.abc import Iterator
from operator import attrgetter

from ....records import TYPE_CHECKING
from ....yaml_values import nearest
from ...model import Adr, Found
from ...names.heading import CORE, leaves_open, normalise, serves
from ...names.number import number_in_path
from ...parse.document import Section
from ...parse.prose import says_something
from ...parse.sections import USUAL, decided, tells_something
from ...template import DECISION, HELIX, OWN, Required
from . import headings_missing

if TYPE_CHECKING:
    from ...parse.swallowed import Swallowed

_OPEN = ("Draft", "Proposed")
_SPOILT = rb"(?m)^ {0,3}(#{1,6})(?:(\xc2\xa0)\s*|(?=[^\W\d]))([^\n]{1,200})$"
_ALIKE = 0.88
"""Similarity of a misspelt name to the right one; that of "Content" and "Context" is lower."""


class SectionMissing:
    """A section that the template requires is missing.

    Sections are found by meaning: case, numbering, emoji, bold, a colon and the usual German,
    English, French, Spanish, Portuguese, Italian and Dutch names are all the same section. Required
    sections stand at the one level at which the ADR writes its sections, usually the second (`##`).
    A status in the header replaces the section Status. Outside of the helix template, text right
    under the title replaces the context, and sections such as Rationale, Introduction, Approach or
    Risks replace a section of the same purpose.

    If the template was recognised and not set in the settings, only a missing decision is an error,
    and the options of MADR may be missing. Another missing section is a warning. If the decision is
    the only section, it is information. It is an error if the version before the change has the
    section. Outside of the helix template, a section at another level and a heading with a
    misspelt name are warnings too.

    Outside of the helix template a decision needs no section if a line `Decision: ...` states it,
    or several sub-sections, one for each question, or if a section with a name of its own behind
    the context says "we decided", "was chosen" or "we will" (in a proposed ADR also "should"). The
    missing section is a warning if another part of the text says so, or if such a section says
    something else. It is a warning too in a file that has no number, no status and none of the
    usual sections. These exceptions do not apply if the version before the change has a section
    for the decision. If the settings name the template, a section with a name of its own is none.

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
    return has_section(adr, required) or (
        adr.template.name != HELIX.name and _is_told(adr, required)
    )


def _present(adr: Adr, required: Required) -> bool:
    if adr.has(required):
        return True
    if "status" not in required.meanings:
        return False
    if adr.header.statuses or adr.header.defects:
        return True
    from ...names.folder import of_folder

    return adr.template.name != HELIX.name and bool(of_folder(adr.doc.path, adr.statuses))


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


def has_section(adr: Adr, required: Required) -> bool:
    """Return whether an ADR has a section, or outside of the helix template another section that
    replaces it.
    """
    if _present(adr, required) or adr.template.name == HELIX.name:
        return _present(adr, required)
    outer = range(USUAL, adr.level)
    return bool(_serving(adr, required)) or any(
        section.level in outer for section in _of_other_levels(adr, required)
    )


def _is_told(adr: Adr, required: Required) -> bool:
    """Return whether a text that is not a section of its own replaces a required section."""
    if leads(adr, required):
        return True
    if not _may_be_elsewhere(adr, required):
        return False
    if len(_of_other_levels(adr, required)) > 1:
        return True
    return _has_labelled_decision(adr) or _is_told_in_own_words(adr)


def _may_be_elsewhere(adr: Adr, required: Required) -> bool:
    """Return whether a required section is a decision that may be stated elsewhere.

    It may not if the version before the change has a section for it.
    """
    is_free = adr.template.name != HELIX.name and adr.had_decision != "section"
    return is_free and DECISION in required.meanings


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
        if meaning and section.level != adr.level and not _is_of_option(adr, section, meaning):
            found.setdefault(meaning, section)
    return found


def _is_of_option(adr: Adr, section: Section, meaning: str) -> bool:
    """Return whether a section, `### Pros and Cons`, tells the consequences of an option."""
    is_inner = section.level > adr.level and meaning == "consequences"
    return is_inner and "options" in serves(section.title, adr.meanings)


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
                    words=title,
                )
    mark = "#" * adr.level
    spoilt = _spoilt_heading(adr, required)
    if spoilt:
        line, why, help = spoilt
        return Found(line=line, message=f"{message}: {why}", help=help, severity=required.severity)
    sections = [elsewhere[name] for name in required.meanings if name in elsewhere]
    if sections:
        section = min(sections, key=attrgetter("heading_start"))
        return Found(
            line=adr.doc.line_at(section.heading_start),
            message=f"{message}: '{section.title}' is a level {section.level} heading",
            help=f"make it `{mark} {section.title}`",
            severity="" if adr.template.name == HELIX.name else "warning",
            words=section.title,
        )
    typo = _misspelt(adr, required)
    if typo:
        firm = adr.template.name == HELIX.name or (
            DECISION in required.meanings and adr.had_decision
        )
        return Found(
            line=adr.doc.line_at(typo.heading_start),
            message=f"{message}: '{typo.title}' looks like a misspelt name of it",
            help=f"write `{mark} {name}` if you meant that",
            severity="" if firm else "warning",
            words=typo.title,
        )
    is_first = adr.template.name == OWN and required.severity == "warning"
    needed = ", which says what was decided" if is_first else ""
    is_mild = False
    if _may_be_elsewhere(adr, required) and not adr.had_decision:
        is_mild = _may_be_decided(adr)
    return Found(
        line=adr.title_line,
        message=message,
        help=f"add `{mark} {name}`{needed}",
        severity=required.severity or ("warning" if is_mild else ""),
    )


def _is_told_in_own_words(adr: Adr) -> bool:
    """Return whether a section with a name of its own says what was decided."""
    from ...names.deciding import mentions_decision

    is_open = _is_open(adr)
    texts = (adr.doc.prose(section.start, section.stop) for section in _behind_the_problem(adr))
    return any(mentions_decision(text, is_open) for text in texts)


def _has_labelled_decision(adr: Adr) -> bool:
    from ...names.deciding import is_labelled

    return is_labelled(_text(adr), adr.meanings, adr.statuses)


def _may_be_decided(adr: Adr) -> bool:
    """Return whether the text may state the decision: in its words, or below a name of its own.

    A file without a mark of an ADR need not state one.
    """
    from ...names.deciding import mentions_decision

    is_marked = bool(adr.header.statuses or number_in_path(adr.doc.path) is not None)
    if not is_marked and adr.h2.keys().isdisjoint(CORE):
        return True
    return bool(_behind_the_problem(adr)) or mentions_decision(_text(adr), _is_open(adr))


def _behind_the_problem(adr: Adr) -> list[Section]:
    """Return the sections with an unknown name and prose that follow the context.

    None of them states the decision if a template file or the settings ask for it, or if the text
    has a label for it.
    """
    from ...names.deciding import has_label

    if adr.template.is_beside or adr.template.is_set or has_label(_text(adr), adr.meanings):
        return []
    start = max((section.stop for section in adr.h2.get("context", ())), default=0)
    return [
        section
        for section in adr.doc.sections
        if section.level == adr.level
        and section.heading_start >= start
        and not leaves_open(section.title)
        and _is_free(adr, section)
    ]


def _is_free(adr: Adr, section: Section) -> bool:
    """Return whether a section has prose and an unknown name."""
    return not adr.meanings.of(section.title) and says_something(
        adr.doc.prose(section.start, section.stop)
    )


def _is_open(adr: Adr) -> bool:
    return adr.statuses.read(adr.header.text("status")) in _OPEN


def _text(adr: Adr) -> str:
    """Return the text of an ADR without the sections that do not state its own decision."""
    sections = list(decided(adr.doc.sections, adr.meanings))
    start = adr.doc.title.start if adr.doc.title else adr.doc.body
    first = adr.doc.sections[0].heading_start if adr.doc.sections else len(adr.doc.data)
    parts = [(start, first), *((section.start, section.own_stop) for section in sections)]
    return "\n".join(adr.doc.prose(*part) for part in parts)


def _spoilt_heading(adr: Adr, required: Required) -> tuple[int, str, str] | None:
    """Return line, defect and help of a heading that GitHub shows as text: nothing, or a no-break
    space, stands behind `##`.
    """
    for match in re.finditer(_SPOILT, adr.doc.prose_markup):
        if set(required.meanings).intersection(adr.meanings.of(match[3].decode(errors="replace"))):
            marks = match[1].decode()
            why = "a no-break space stands behind" if match[2] else "no space stands behind"
            line = adr.doc.line_at(match.start(1))
            return line, f"{why} `{marks}`", f"write a plain space behind `{marks}`"
    return None


def _misspelt(adr: Adr, required: Required) -> Section | None:
    """Return a section whose name is nearly one of the required section's names."""
    names = [name for name, key in adr.meanings.names.items() if key in required.meanings]
    for section in adr.doc.sections:
        if section.level == adr.level and not adr.meanings.of(section.title):
            title = normalise(section.title)
            near = [name for name in names if _is_close(name, title)]
            if near and nearest(title, near, _ALIKE):
                return section
    return None


def _is_close(name: str, title: str) -> bool:
    """Return whether two names have nearly the same letters; most pairs need no closer look."""
    return abs(len(name) - len(title)) <= 2 and len(set(name).symmetric_difference(title)) <= 2
