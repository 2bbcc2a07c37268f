"""The sections of an ADR: their level, those without decisions, and the text above them."""

import re
from collections.abc import Iterable, Iterator

from ..names.heading import Meanings
from .document import AdrDocument, Section
from .prose import length

ASIDE = frozenset(("acceptance-criteria", "options", "questions", "out-of-scope", "changelog"))
"""Sections that do not count as others: a rejected option's migration is not a migration plan."""


def decided(
    sections: Iterable[Section], meanings: Meanings, wanted: Iterable[str] = ()
) -> Iterator[Section]:
    """Yield the sections that are not in `ASIDE`, nor inside such a section.

    Kinds of sections in `wanted` count like any other.
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
"""Sections that own their sub-sections: `### Consequences` below an option is not a section."""
_LOWEST = 4
"""The lowest level of headings on which an ADR has its sections."""


def level_of(sections: Iterable[Section], meanings: Meanings) -> int:
    """Return the level with most kinds of sections, the second level if none has more."""
    kinds: dict[int, set[str]] = {}
    closed = 0
    for section in sections:
        if section.heading_start < closed or section.level > _LOWEST:
            continue
        names = meanings.of(section.title)
        kinds.setdefault(section.level, set()).update(names)
        if not _OWNERS.isdisjoint(names):
            closed = section.stop
    return max(kinds, key=lambda level: (len(kinds[level]), level == USUAL), default=USUAL)


def headings(doc: AdrDocument, meanings: Meanings) -> tuple[Section, ...]:
    """Return the sections.

    The first level 1 heading is a section too if it is one of several on that level, not the title.
    """
    title = doc.title
    if not title or _OWNERS.isdisjoint(meanings.of(title.title)):
        return doc.sections
    for section in doc.sections:
        if section.level == 1 and not _OWNERS.isdisjoint(meanings.of(section.title)):
            return (title, *doc.sections)
    return doc.sections


_LABEL = r"\W*[^\W\d_][\w /-]{0,30}[*_]*\s*[:\uff1a](.*)"
"""A line `Date: 2025-03-01`, or one with another label."""
_LONGEST_VALUE = 40
"""Characters of prose after a label; a longer text is a sentence."""
_ENOUGH = 24
"""Minimum characters of prose that are more than a subtitle."""


def tells_something(doc: AdrDocument) -> bool:
    """Return whether there is prose between title and first section, besides header lines."""
    start = doc.title.start if doc.title else doc.body
    stop = doc.sections_start
    if stop - start < _ENOUGH:
        return False
    lines = doc.prose(start, stop).split("\n")
    prose = " ".join(line for line in lines if not _is_field(line))
    return length(prose, _ENOUGH) >= _ENOUGH


def _is_field(line: str) -> bool:
    label = re.match(_LABEL, line)
    return "|" in line or bool(label and length(label[1], _LONGEST_VALUE) < _LONGEST_VALUE)
