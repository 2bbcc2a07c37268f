"""Layer 3: compare the sections of a concept with the sections of its ADR."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from .names import Meanings, normalise
from .parse.document import AdrDocument, Section
from .parse.prose import SIDE_SECTIONS, decided, reason_of, says_something

CARRIED, RENAMED, MERGED, DROPPED, LOST = "carried", "renamed", "merged", "dropped", "lost"

ENOUGH_SHARED = 0.4
"""Minimum share of a concept section's word pairs that the ADR section into which it was merged
repeats.
"""

MOST_PAIRS = 50_000
"""Maximum pairs of sections to compare, so that hostile files cannot delay a commit.

Real files have some hundred pairs.
"""

_FEWEST_PAIRS = 6
_DROPPED = "helix-dropped:"
_REASON = r"\s+[-–—]+\s+"
_GENERIC = frozenset(
    "plan konzept concept overview übersicht details ansatz approach lösung solution phase teil "
    "part section".split()
)


class Dropped(NamedTuple):
    """A comment `<!-- helix-dropped: Name - why -->` of the ADR; `reason` is "" without one."""

    name: str
    reason: str
    line: int


class SectionFate(NamedTuple):
    """A section of the concept, and whether the ADR has it.

    `into` is the title of the ADR section that has it, or the reason why it was dropped. `drop` is
    the first comment that names a dropped or lost section.
    """

    title: str
    line: int
    meanings: tuple[str, ...]
    fate: str
    into: str = ""
    drop: Dropped | None = None

    @property
    def lost(self) -> bool:
        return self.fate == LOST

    @property
    def by(self) -> int:
        """The line of the comment that names the section, 0 without one."""
        return self.drop.line if self.drop else 0


class ConceptDiff(NamedTuple):
    """The comparison of a concept with its ADR.

    `coverage_percent` has one decimal and is 100 if the concept has no sections. `unreadable` is
    the reason why they could not be compared.
    """

    path: str
    fates: tuple[SectionFate, ...] = ()
    concept_sections: tuple[str, ...] = ()
    adr_sections: tuple[str, ...] = ()
    missing_in_adr: tuple[str, ...] = ()
    extra_in_adr: tuple[str, ...] = ()
    coverage_percent: float = 0.0
    dropped: tuple[Dropped, ...] = ()
    unreadable: str = ""


def compare(
    concept: AdrDocument, adr: AdrDocument, meanings: Meanings, ignored: Iterable[str]
) -> ConceptDiff:
    """Find every second-level section of the concept in the ADR.

    A concept without such sections is compared by those of its highest level. Carried: the ADR has
    the heading, at any level. Renamed: it has one of the same meaning, or one whose words include
    it. Merged: one section repeats most of its text. Dropped: a comment gives the reason. Lost:
    none of these.
    """
    if concept.defect:
        return ConceptDiff(concept.path, unreadable=concept.defect.message)
    headings = _headings(concept)
    if not headings:
        return ConceptDiff(concept.path, unreadable="it has no section headings to compare")
    skip = frozenset(ignored)
    # `References` is ignored, `Security and References` is not.
    relevant = [
        section
        for section in headings
        if not skip.issuperset(meanings.of(section.title) or (normalise(section.title),))
    ]
    drops = tuple(drop for _, drop in dropped(adr))
    if len(relevant) * len(adr.sections) > MOST_PAIRS:
        reason = (
            f"too many sections to compare ({len(relevant)} here, {len(adr.sections)} in the ADR)"
        )
        return ConceptDiff(concept.path, unreadable=reason)
    deciding = {section.heading_start for section in decided(adr.sections, meanings)}
    targets = [
        _Target(
            title=section.title,
            key=normalise(section.title),
            meanings=meanings.of(section.title),
            is_decided=section.heading_start in deciding,
            has_text=says_something(adr.visible(section.start, section.stop)),
            pairs=_pairs(adr, section),
        )
        for section in adr.sections
    ]
    by_name: dict[str, list[Dropped]] = {}
    for drop in drops:
        for name in meanings.all_of(drop.name):
            by_name.setdefault(name, []).append(drop)
    fates = tuple(_fate(section, concept, targets, meanings, by_name) for section in relevant)
    missing = tuple(fate.title for fate in fates if fate.lost)
    own = tuple(section.title for section in adr.sections if section.level == 2)
    used = {fate.into for fate in fates}
    covered = len(fates) - len(missing)
    return ConceptDiff(
        path=concept.path,
        fates=fates,
        concept_sections=tuple(section.title for section in headings),
        adr_sections=own,
        missing_in_adr=missing,
        extra_in_adr=tuple(title for title in own if title not in used),
        coverage_percent=round(covered / len(fates) * 100, 1) if fates else 100.0,
        dropped=drops,
    )


def _headings(concept: AdrDocument) -> list[Section]:
    """Return the sections of the second level, else of the highest level."""
    if not concept.front_closed:
        return []
    levels = {section.level for section in concept.sections}
    level = 2 if 2 in levels else min(levels, default=0)
    sections = [section for section in concept.sections if section.level == level]
    if concept.title and level == 1:
        return [concept.title, *sections]
    return sections


class _Target(NamedTuple):
    """A section of the ADR that may have the content of a concept section."""

    title: str
    key: str
    meanings: tuple[str, ...]
    is_decided: bool
    has_text: bool
    pairs: frozenset[tuple[str, str]]


def _fate(
    section: Section,
    concept: AdrDocument,
    targets: list[_Target],
    meanings: Meanings,
    drops: dict[str, list[Dropped]],
) -> SectionFate:
    names = meanings.of(section.title)
    key = normalise(section.title)
    line = concept.line_at(section.heading_start)
    fate = SectionFate(title=section.title, line=line, meanings=names, fate=LOST)
    filled = [target for target in targets if target.has_text and _matches(target, key, names)]
    for target in filled:
        if target.key == key:
            return fate._replace(fate=CARRIED, into=target.title)
    if filled:
        return fate._replace(fate=RENAMED, into=filled[0].title)
    pairs = _pairs(concept, section)
    for target in targets:
        if len(pairs) < _FEWEST_PAIRS:
            break
        if len(pairs & target.pairs) >= ENOUGH_SHARED * len(pairs):
            return fate._replace(fate=MERGED, into=target.title)
    named = dict.fromkeys(drop for name in (key, *names) for drop in drops.get(name, ()))
    naming = sorted(named, key=attrgetter("line"))
    for drop in naming:
        # A comment that names several sections drops none of them.
        is_exact = normalise(drop.name) == key or len(meanings.of(drop.name)) == 1
        if drop.reason and is_exact:
            return fate._replace(fate=DROPPED, into=drop.reason, drop=drop)
    return fate._replace(drop=next(iter(naming), None))


def _matches(target: _Target, key: str, names: tuple[str, ...]) -> bool:
    if target.key == key or set(names).intersection(target.meanings):
        return target.is_decided or not names or not SIDE_SECTIONS.isdisjoint(names)
    if names:
        return False
    # Without a known meaning, one heading has all words of the other, one of them specific.
    fewer, more = sorted((frozenset(key.split()), frozenset(target.key.split())), key=len)
    return fewer <= more and any(len(word) > 4 for word in fewer - _GENERIC)


def _pairs(doc: AdrDocument, section: Section) -> frozenset[tuple[str, str]]:
    words = re.findall(r"\w{2,}", doc.visible(section.start, section.stop).casefold())
    return frozenset(pairwise(words))


def dropped(adr: AdrDocument) -> Iterator[tuple[tuple[int, int], Dropped]]:
    """Yield the `helix-dropped` comments of an ADR, each with its place among the comments."""
    for start, stop in adr.comments:
        text = adr.data[start:stop].decode().removeprefix("<!--").removesuffix("-->").strip()
        if not text.startswith(_DROPPED):
            continue
        plain = " ".join(text.removeprefix(_DROPPED).split())
        name, *rest = re.split(_REASON, plain, maxsplit=1)
        yield (start, stop), Dropped(name, reason_of("".join(rest)), adr.line_at(start))
