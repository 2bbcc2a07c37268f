import re
from collections.abc import Iterator
from operator import attrgetter
from typing import TYPE_CHECKING

from ....yaml_reader import nearest
from ...model import Adr, RuleResult
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
_BROKEN_HEADING = rb"(?m)^ {0,3}(#{1,6})(?:(\xc2\xa0)\s*|(?=[^\W\d]))([^\n]{1,200})$"
"""A heading without a space after its `#`s, or with a no-break space (group 2)."""
_MIN_SIMILARITY = 0.88
"""Similarity of a misspelt name to the right one; that of "Content" and "Context" is lower."""
_MOST_HEADINGS = 200
"""Headings among which a misspelt name is looked for; each is compared with some fifty names."""


class SectionMissing:
    """A section that the template requires is missing.

    Sections are found by meaning. Case, numbering, emoji, bold and a colon do not matter, and the
    usual German, English, French, Spanish, Portuguese, Italian and Dutch names are the same
    section. All required sections have the heading level that the ADR uses for its sections,
    usually the second (`##`). A status in the header replaces the section Status. Outside the
    helix template, text directly below the title replaces the context, and sections such as
    Rationale, Introduction, Approach or Risks replace a section of the same purpose.

    If the settings set no template, only a missing decision is an error, and the options of MADR
    are optional. Any other missing section is a warning. It is information if the decision is the
    only section, and an error if the version before the change has the section. Outside the helix
    template, a section at another level and a heading with a misspelt name are warnings too.

    Outside the helix template a decision needs no section in three cases: a line `Decision: ...`
    states it, several subsections state one each, or a section with a custom name after the context
    says "we decided", "was chosen" or "we will" (in a proposed ADR also "should"). The missing
    section is a warning if another part of the text says so, or if a section with a custom name
    says something else. It is a warning too in a file that has no number, no status and none of the
    usual sections. These exceptions do not apply if the version before the change has a section
    for the decision. If the settings set the template, sections with custom names are not accepted.

    A new ADR is checked by the template file in its folder (`template.md`, `0000-template.md`) or
    in a folder of ADRs above it, as of the last commit. A style that fits no template (`own`) needs
    a title and a section with text, and a decision if the version before has one. In a folder with
    fewer than five ADRs, a missing decision is a warning. To fix a finding, add the section, or
    correct its heading.
    """

    id = "section-missing"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[RuleResult]:
        if headings_missing.applies(adr):
            return
        missing = [required for required in adr.template.sections if not is_there(adr, required)]
        if missing:
            from ...parse.swallowed import swallowed

            regions = list(swallowed(adr.doc))
            at_other_levels = _sections_at_other_levels(adr)
            for required in missing:
                yield _missing(adr, required, regions, at_other_levels)
        if adr.template.name == OWN and all(required.severity for required in missing):
            yield from _check_own_style(adr)


def _check_own_style(adr: Adr) -> Iterator[RuleResult]:
    """Yield what an ADR in a style of its own lacks; its title may be in an unreadable header."""
    has_title = adr.doc.title or adr.header.text("title") or _begins_with_title(adr)
    if not has_title and not adr.header.defects:
        yield RuleResult(
            line=adr.title_line,
            message="the ADR has no title",
            help="write a line `# Title` above its sections",
            subject="title",
        )
    if not _has_prose(adr):
        yield RuleResult(
            line=adr.title_line,
            message="all sections are empty",
            help="write what was decided, and why",
            subject="text",
        )


def _begins_with_title(adr: Adr) -> bool:
    """Return whether the first heading is a title: it is not the name of a usual section."""
    first = adr.doc.sections[:1]
    return bool(first) and not adr.meanings.of(first[0].title)


def is_there(adr: Adr, required: Required) -> bool:
    """Return whether an ADR has a section, or outside the helix template a substitute for it."""
    if has_section(adr, required):
        return True
    return adr.template.name != HELIX.name and _is_stated_in_text(adr, required)


def has_section(adr: Adr, required: Required) -> bool:
    """Return whether an ADR has a section, or outside the helix template one that replaces it."""
    if _has_section_or_status(adr, required):
        return True
    if adr.template.name == HELIX.name:
        return False
    if _serving_sections(adr, required):
        return True
    outer_levels = range(USUAL, adr.level)
    return any(section.level in outer_levels for section in _same_named(adr, required))


def _has_section_or_status(adr: Adr, required: Required) -> bool:
    if adr.has(required):
        return True
    if "status" not in required.meanings:
        return False
    # A header that cannot be read may state it; header-invalid reports that header.
    if adr.header.statuses or adr.header.defects:
        return True
    from ...names.folder import of_folder

    return adr.template.name != HELIX.name and bool(of_folder(adr.doc.path, adr.statuses))


def substitute_sections(adr: Adr, required: Required) -> list[Section]:
    """Return the sections that replace a missing one, else those of its name at another level.

    The list is empty if the section exists, or if the text under the title replaces it.
    """
    if adr.template.name == HELIX.name or adr.has(required) or intro_is_context(adr, required):
        return []
    return _serving_sections(adr, required) or _same_named(adr, required)


def intro_is_context(adr: Adr, required: Required) -> bool:
    """Return whether the text under the title is the context that is required."""
    if adr.template.name == HELIX.name or "context" not in required.meanings:
        return False
    return tells_something(adr.doc)


def _same_named(adr: Adr, required: Required) -> list[Section]:
    """Return the sections with a name of the required one, at another level than the ADR's."""
    names = adr.meanings.names
    sections = [section for section in adr.doc.sections if section.level != adr.level]
    return [
        section for section in sections if names.get(normalise(section.title)) in required.meanings
    ]


def _serving_sections(adr: Adr, required: Required) -> list[Section]:
    """Return the sections with another name and the purpose of the required one."""
    sections = _unknown_before_decision(adr) if "context" in required.meanings else []
    for section in _at_own_level(adr):
        if not serves(section.title, adr.meanings).isdisjoint(required.meanings):
            sections.append(section)
    return sections


def _unknown_before_decision(adr: Adr) -> list[Section]:
    """Return the sections with an unknown name and prose that precede the first decision."""
    decisions = adr.h2.get("decision")
    if not decisions:
        return []
    start = decisions[0].heading_start
    before = [section for section in _at_own_level(adr) if section.stop <= start]
    return [section for section in before if _is_unknown_with_prose(adr, section)]


def _at_own_level(adr: Adr) -> list[Section]:
    return [section for section in adr.doc.sections if section.level == adr.level]


def _has_prose(adr: Adr) -> bool:
    if tells_something(adr.doc):
        return True
    return any(
        "status" not in adr.meanings.of(section.title)
        and says_something(adr.doc.prose(section.start, section.stop))
        for section in adr.doc.sections
    )


def _is_unknown_with_prose(adr: Adr, section: Section) -> bool:
    return not adr.meanings.of(section.title) and says_something(
        adr.doc.prose(section.start, section.stop)
    )


def _is_stated_in_text(adr: Adr, required: Required) -> bool:
    """Return whether a text that is not a section of its own replaces a required section."""
    if intro_is_context(adr, required):
        return True
    if not _may_be_elsewhere(adr, required):
        return False
    # An ADR that decides several questions has a subsection `### Decision` for each.
    if len(_same_named(adr, required)) > 1:
        return True
    from ...names.deciding import is_labelled

    if is_labelled(_deciding_text(adr), adr.meanings, adr.statuses):
        return True
    return _is_decided_in_custom_section(adr)


def _may_be_elsewhere(adr: Adr, required: Required) -> bool:
    """Return whether a required section is a decision that the ADR may state elsewhere."""
    is_free = adr.template.name != HELIX.name and adr.had_decision != "section"
    return is_free and DECISION in required.meanings


def _is_decided_in_custom_section(adr: Adr) -> bool:
    """Return whether a section with a custom name says what was decided."""
    from ...names.deciding import mentions_decision

    is_open = _is_open(adr)
    return any(
        mentions_decision(adr.doc.prose(section.start, section.stop), is_open)
        for section in _unknown_after_context(adr)
    )


def _may_be_decided(adr: Adr) -> bool:
    """Return whether the text may state the decision: in its words, or in a custom section.

    A file without any mark of an ADR does not have to state one.
    """
    from ...names.deciding import mentions_decision

    has_mark = bool(adr.header.statuses) or number_in_path(adr.doc.path) is not None
    if not has_mark and adr.h2.keys().isdisjoint(CORE):
        return True
    if _unknown_after_context(adr):
        return True
    return mentions_decision(_deciding_text(adr), _is_open(adr))


def _unknown_after_context(adr: Adr) -> list[Section]:
    """Return the sections with an unknown name and prose that follow the context.

    None of them states the decision if a template file or the settings require it, or if the text
    has a label for it.
    """
    from ...names.deciding import has_label

    if adr.template.is_beside or adr.template.is_set:
        return []
    if has_label(_deciding_text(adr), adr.meanings):
        return []
    start = max((section.stop for section in adr.h2.get("context", ())), default=0)
    after = [section for section in _at_own_level(adr) if section.heading_start >= start]
    return [
        section
        for section in after
        if not leaves_open(section.title) and _is_unknown_with_prose(adr, section)
    ]


def _is_open(adr: Adr) -> bool:
    return adr.statuses.read(adr.header.text("status")) in _OPEN


def _deciding_text(adr: Adr) -> str:
    """Return the text of an ADR without the sections that do not state its own decision."""
    doc = adr.doc
    start = doc.title.start if doc.title else doc.body
    first = doc.sections[0].heading_start if doc.sections else len(doc.data)
    parts = [(start, first)]
    parts += [(section.start, section.own_stop) for section in decided(doc.sections, adr.meanings)]
    return "\n".join(doc.prose(*part) for part in parts)


def _missing(
    adr: Adr, required: Required, regions: "list[Swallowed]", at_other_levels: dict[str, Section]
) -> RuleResult:
    """Return the finding on a missing section, at a heading that was meant for it if possible."""
    message = f"the section '{adr.called(required)}' is missing"
    result = (
        _swallowed_heading(adr, required, regions, message)
        or _broken_heading(adr, required, message)
        or _heading_at_other_level(adr, required, at_other_levels, message)
        or _misspelt_heading(adr, required, message)
        or _no_heading(adr, required, message)
    )
    return result._replace(subject=required.meanings[0])


def _swallowed_heading(
    adr: Adr, required: Required, regions: "list[Swallowed]", message: str
) -> RuleResult | None:
    for region in regions:
        for line, _, title in region.titles:
            if set(required.meanings).intersection(adr.meanings.of(title)):
                return RuleResult(
                    line=line,
                    message=f"{message}: its heading is inside the code block, comment or HTML "
                    f"that starts on line {region.line}",
                    help=region.help,
                    words=title,
                )
    return None


def _broken_heading(adr: Adr, required: Required, message: str) -> RuleResult | None:
    """Return the finding on a heading that GitHub shows as text."""
    for match in re.finditer(_BROKEN_HEADING, adr.doc.prose_markup):
        title = match[3].decode(errors="replace")
        if set(required.meanings).isdisjoint(adr.meanings.of(title)):
            continue
        marks = match[1].decode()
        defect = "there is a no-break space after" if match[2] else "there is no space after"
        return RuleResult(
            line=adr.doc.line_at(match.start(1)),
            message=f"{message}: {defect} `{marks}`",
            help=f"write a normal space after `{marks}`",
            severity=required.severity,
        )
    return None


def _heading_at_other_level(
    adr: Adr, required: Required, at_other_levels: dict[str, Section], message: str
) -> RuleResult | None:
    sections = [at_other_levels[name] for name in required.meanings if name in at_other_levels]
    if not sections:
        return None
    section = min(sections, key=attrgetter("heading_start"))
    return RuleResult(
        line=adr.doc.line_at(section.heading_start),
        message=f"{message}: '{section.title}' is a level {section.level} heading",
        help=f"make it `{'#' * adr.level} {section.title}`",
        severity="" if adr.template.name == HELIX.name else "warning",
        words=section.title,
    )


def _misspelt_heading(adr: Adr, required: Required, message: str) -> RuleResult | None:
    section = _misspelt_section(adr, required)
    if not section:
        return None
    had_decision = DECISION in required.meanings and adr.had_decision
    is_error = adr.template.name == HELIX.name or had_decision
    return RuleResult(
        line=adr.doc.line_at(section.heading_start),
        message=f"{message}: '{section.title}' looks like a misspelt name of this section",
        help=f"write `{'#' * adr.level} {adr.called(required)}` if you meant that",
        severity="" if is_error else "warning",
        words=section.title,
    )


def _no_heading(adr: Adr, required: Required, message: str) -> RuleResult:
    help = f"add `{'#' * adr.level} {adr.called(required)}`"
    if adr.template.name == OWN and required.severity == "warning":
        help += ", which says what was decided"
    severity = required.severity
    if not severity and _may_be_elsewhere(adr, required) and not adr.had_decision:
        severity = "warning" if _may_be_decided(adr) else ""
    return RuleResult(line=adr.title_line, message=message, help=help, severity=severity)


def _sections_at_other_levels(adr: Adr) -> dict[str, Section]:
    """Return, by meaning, the first known section whose level is not that of the ADR's sections."""
    first: dict[str, Section] = {}
    # The title too: `# Context` may be meant as a section.
    for section in (*filter(None, (adr.doc.title,)), *adr.doc.sections):
        meaning = adr.meanings.names.get(normalise(section.title))
        if not meaning or section.level == adr.level:
            continue
        if not _is_of_option(adr, section, meaning):
            first.setdefault(meaning, section)
    return first


def _is_of_option(adr: Adr, section: Section, meaning: str) -> bool:
    """Return whether a section, `### Pros and Cons`, has the consequences of an option."""
    is_inner = section.level > adr.level and meaning == "consequences"
    return is_inner and "options" in serves(section.title, adr.meanings)


def _misspelt_section(adr: Adr, required: Required) -> Section | None:
    """Return a section whose name is nearly one of the required section's names."""
    names = [name for name, key in adr.meanings.names.items() if key in required.meanings]
    for section in _at_own_level(adr)[:_MOST_HEADINGS]:
        if adr.meanings.of(section.title):
            continue
        title = normalise(section.title)
        near = [name for name in names if _is_close(name, title)]
        if near and nearest(title, near, _MIN_SIMILARITY):
            return section
    return None


def _is_close(name: str, title: str) -> bool:
    """Return whether two names have nearly the same letters; most pairs need no closer look."""
    return abs(len(name) - len(title)) <= 2 and len(set(name).symmetric_difference(title)) <= 2
