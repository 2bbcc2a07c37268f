"""The sections of an ADR: their level, those that speak of what was not decided, and the text above
them.
"""

import re
from collections.abc import Iterable, Iterator

from ..names.heading import Meanings
from .document import AdrDocument, Section
from .prose import length

ASIDE = frozenset(("acceptance-criteria", "options", "questions", "out-of-scope", "changelog"))
"""A rejected option's migration is no migration plan, and neither is a question about one."""


def decided(
    sections: Iterable[Section], meanings: Meanings, wanted: Iterable[str] = ()
) -> Iterator[Section]:
    """The sections that are none of these nor inside of one; those that are `wanted` count as any
    other.
    """
    aside = ASIDE.difference(wanted)
    closed = 0
    for section in sections:
        if section.heading_start < closed:
            continue
        if aside.isdisjoint(meanings.of(section.title)):
            yield section
        else:
            closed = section.stop


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


_LABEL = r"\W*[^\W\d_][\w /-]{0,30}[*_]*\s*[:\uff1a](.*)"
"""A line `Date: 2025-03-01`, or one with another label."""
_LONGEST_VALUE = 40
"""Characters of prose behind a label; more than that are a sentence."""
_ENOUGH = 24
"""Characters of prose that tell more than a subtitle does."""


def tells_something(doc: AdrDocument) -> bool:
    """Return whether prose stands between the title and the first section, header lines apart."""
    start = doc.title.start if doc.title else doc.body
    stop = doc.sections[0].heading_start if doc.sections else len(doc.data)
    if stop - start < _ENOUGH:
        return False
    lines = doc.prose(start, stop).split("\n")
    prose = " ".join(line for line in lines if not _is_field(line))
    return length(prose, _ENOUGH) >= _ENOUGH


def _is_field(line: str) -> bool:
    label = re.match(_LABEL, line)
    return "|" in line or bool(label and length(label[1], _LONGEST_VALUE) < _LONGEST_VALUE)
