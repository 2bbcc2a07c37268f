from collections.abc import Iterator

from ....finding import Severity
from ...model import Adr, RuleResult, rule
from ...names.heading import normalise
from ...parse.prose import is_code_alone
from ...parse.sections import USUAL
from ...template import HELIX, NYGARD, Required

_MAX_TITLES = 6
_ELSEWHERE = (["see"], ["siehe"], ["moved"])
_FEW_WORDS = 20
"""Words of a text that says only where the decision is."""


@rule("headings-missing", "structure", "error")
def headings_missing(adr: Adr) -> Iterator[RuleResult]:
    """The text has no Markdown headings for its sections.

    Such a text is often copied from a web page. It is easy to read for people, but GitHub, other
    tools and the judge see one long paragraph. Put `## ` before the title of each section. The rule
    reports a file in which no required section has a heading; section-missing reports single
    sections. Without siblings that have headings it is a warning if the text says "we decided" or
    "we will", or if the file has only code. In an ADR that existed before it is information.
    """
    # header-invalid reports a header that is never closed; it hides all headings.
    if not adr.doc.front_closed or not applies(adr):
        return
    if not adr.doc.data.strip():
        yield RuleResult(
            line=1,
            message="the file is empty",
            help="write the decision, or delete the file; `helix-hooks new` writes a skeleton",
            subject="empty",
        )
        return
    titles = _plain_titles(adr)
    if titles:
        yield _titles_without_marks(titles)
    else:
        yield _no_headings(adr)


def _titles_without_marks(titles: list[tuple[int, str]]) -> RuleResult:
    line, title = titles[0]
    listed = ", ".join(f"'{title}' (line {line})" for line, title in titles[:_MAX_TITLES])
    return RuleResult(
        line=line,
        message="no section has a Markdown heading; these "
        f"lines look like headings without `##`: {listed}",
        help=f"write `## {title}`, and so on for each section",
        words=title,
        subject="headings",
    )


def _no_headings(adr: Adr) -> RuleResult:
    names = ", ".join(f"'{adr.called(required)}'" for required in _required(adr))
    return RuleResult(
        line=adr.title_line,
        message=f"the file has no section headings; expected: {names}",
        help="start each section with a line `## Title`",
        severity=_severity(adr),
        subject="headings",
    )


def _severity(adr: Adr) -> Severity:
    if adr.template.name == HELIX.name or adr.norm:
        return ""
    if _leads_elsewhere(adr):
        return "info"
    if adr.template.sections and all(item.severity == "info" for item in adr.template.sections):
        return "info"
    return "warning" if _states_decision(adr) or is_code_alone(adr.doc) else ""


def _leads_elsewhere(adr: Adr) -> bool:
    """Return whether a short text without siblings only says where the decision is."""
    text = adr.doc.prose(adr.doc.title.start if adr.doc.title else adr.doc.body, len(adr.doc.data))
    words = text.casefold().split()
    return b"](" in adr.doc.data and len(words) <= _FEW_WORDS and words[:1] in _ELSEWHERE


def _states_decision(adr: Adr) -> bool:
    """Return whether a short record says in its text what was decided."""
    from ...names.deciding import mentions_decision

    return mentions_decision(adr.doc.prose(adr.doc.body, len(adr.doc.data)))


def applies(adr: Adr) -> bool:
    """Return whether the file as a whole lacks headings.

    It has none, or only headings of other sections above titles without `##`.
    """
    if any(map(adr.has, _required(adr))):
        return False
    if "decision" in adr.traits and adr.template.name != HELIX.name:
        return False  # a label states it
    levels = {section.level for section in adr.doc.sections}
    if levels.isdisjoint((adr.level, USUAL)):
        return max(levels, default=1) <= 1
    meanings = _required_meanings(adr)
    for section in adr.doc.sections:
        if not meanings.isdisjoint(adr.meanings.all_of(section.title)):
            return False
    return len(_plain_titles(adr)) >= 2


def _required(adr: Adr) -> tuple[Required, ...]:
    """Return the sections whose `##` may be missing; those of Nygard for an unknown style."""
    return adr.template.all_sections or NYGARD.sections


def _required_meanings(adr: Adr) -> set[str]:
    meanings: set[str] = set()
    for required in _required(adr):
        meanings.update(required.meanings)
    return meanings


def _plain_titles(adr: Adr) -> list[tuple[int, str]]:
    """Return number and text of the lines that have only the name of a required section."""
    meanings = _required_meanings(adr)
    titles = []
    for number, line in enumerate(adr.doc.prose_markup.decode().split("\n"), 1):
        text = line.strip().strip("*_: ")
        if not 2 < len(text) < 60 or not text[0].isalpha():
            continue
        if adr.meanings.names.get(normalise(text)) in meanings:
            titles.append((number, text))
    return titles
