"""Sections that speak of what was not decided here."""

from collections.abc import Iterable, Iterator

from ..names.heading import Meanings
from .document import Section

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
