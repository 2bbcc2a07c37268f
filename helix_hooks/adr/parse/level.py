"""The level of heading at which an ADR writes its sections."""

from collections.abc import Iterable

from ..names.heading import Meanings
from .document import AdrDocument, Section

USUAL = 2
_OWNERS = frozenset(("context", "decision", "options", "consequences"))
"""Sections whose sub-sections belong to them: `### Consequences` of an option is no section."""
_LOWEST = 4


def level_of(sections: Iterable[Section], meanings: Meanings) -> int:
    """Return the level with most kinds of sections; the second where none has more."""
    found: dict[int, set[str]] = {}
    closed = 0
    for section in sections:
        if section.heading_start < closed or section.level > _LOWEST:
            continue
        means = meanings.of(section.title)
        found.setdefault(section.level, set()).update(means)
        if not _OWNERS.isdisjoint(means):
            closed = section.stop
    return max(found, key=lambda level: (len(found[level]), level == USUAL), default=USUAL)


def headings(doc: AdrDocument, meanings: Meanings) -> tuple[Section, ...]:
    """Return the sections, with the first heading of level 1 where it is one of several sections
    of that level and not the title.
    """
    title = doc.title
    if not title or _OWNERS.isdisjoint(meanings.of(title.title)):
        return doc.sections
    others = {
        name
        for section in doc.sections
        if section.level == 1
        for name in meanings.of(section.title)
    }
    return (title, *doc.sections) if _OWNERS & others else doc.sections
