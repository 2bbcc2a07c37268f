"""Layer 3: what became of each section of the concept in the ADR."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from .names.heading import Meanings, normalise
from .parse.document import AdrDocument, Section
from .parse.prose import reason_of, says_something
from .parse.sections import ASIDE, decided

CARRIED, RENAMED, MERGED, DROPPED, LOST = "carried", "renamed", "merged", "dropped", "lost"

ENOUGH_SHARED = 0.4
"""The part of a section's word pairs that one ADR section must repeat to count as having taken it
over.
"""

MOST_PAIRS = 50_000
"""Section by section, so that a hostile pair of files can't hold up a commit; real ones have some
hundred pairs.
"""

_FEWEST_PAIRS = 6
_DROPPED = "helix-dropped:"
_REASON = r"\s+[-–—]+\s+"
_GENERIC = frozenset(
    "plan konzept concept overview übersicht details ansatz approach lösung solution phase teil "
    "part section".split()
)


class SectionFate(NamedTuple):
    """A section of the concept and what became of it; `into` is the ADR section that has it, or the
    reason it was dropped, by the comment in line `by` of the ADR.
    """

    title: str
    line: int
    meanings: tuple[str, ...]
    fate: str
    into: str = ""
    by: int = 0

    @property
    def lost(self) -> bool:
        return self.fate == LOST


class Dropped(NamedTuple):
    """A comment `<!-- helix-dropped: Name - why -->` of the ADR; `reason` is empty when it gives
    none.
    """

    name: str
    reason: str
    line: int


class ConceptDiff(NamedTuple):
    """The comparison of a concept with its ADR.

    `coverage_percent` has one decimal and is 100 without sections to carry.
    """

    path: str
    fates: tuple[SectionFate, ...]
    concept_sections: tuple[str, ...]
    adr_sections: tuple[str, ...]
    missing_in_adr: tuple[str, ...]
    extra_in_adr: tuple[str, ...]
    coverage_percent: float
    dropped: tuple[Dropped, ...]
    unreadable: str = ""


def compare(
    concept: AdrDocument, adr: AdrDocument, meanings: Meanings, ignored: Iterable[str]
) -> ConceptDiff:
    """Find every second-level section of the concept in the ADR; of a concept without any, those of
    its highest level.

    Carried: the ADR has the heading, at any level. Renamed: it has one of the same meaning, or one
    whose words include it. Merged: one section repeats most of its text. Dropped: a comment gives
    the reason. Lost: none of these.
    """
    skip = frozenset(ignored)
    headings = _headings(concept)
    if not headings and not concept.defect:
        return unreadable(concept.path, "it has no section headings to compare")
    relevant = [section for section in headings if not _ignored(section, skip, meanings)]
    if len(relevant) * len(adr.sections) > MOST_PAIRS:
        return unreadable(
            concept.path,
            f"{len(relevant)} sections here and {len(adr.sections)} in the ADR are too many to "
            "compare",
        )
    standing = {section.heading_start for section in decided(adr.sections, meanings)}
    targets = [
        _Target(section, adr, meanings, section.heading_start in standing)
        for section in adr.sections
    ]
    drops = tuple(drop for _, drop in dropped(adr))
    given = _given(drops, meanings)
    fates = tuple(_fate(section, concept, targets, meanings, given) for section in relevant)
    missing = tuple(fate.title for fate in fates if fate.lost)
    own = [section.title for section in adr.sections if section.level == 2]
    used = {fate.into for fate in fates}
    extra = tuple(title for title in own if title not in used)
    coverage = round((len(fates) - len(missing)) / len(fates) * 100, 1) if fates else 100.0
    titles = tuple(section.title for section in headings)
    return ConceptDiff(
        path=concept.path,
        fates=fates,
        concept_sections=titles,
        adr_sections=tuple(own),
        missing_in_adr=missing,
        extra_in_adr=extra,
        coverage_percent=coverage,
        dropped=drops,
        unreadable=concept.defect.message if concept.defect else "",
    )


def _headings(concept: AdrDocument) -> list[Section]:
    if not concept.front_closed:
        return []
    level = (
        2
        if any(section.level == 2 for section in concept.sections)
        else min((section.level for section in concept.sections), default=0)
    )
    title = [concept.title] if concept.title and level == 1 else []
    return [*title, *(section for section in concept.sections if section.level == level)]


def _ignored(section: Section, skip: frozenset[str], meanings: Meanings) -> bool:
    """Return whether nothing in a heading needs a place: `References` does not, `Security and
    References` does.
    """
    means = meanings.of(section.title)
    return skip.issuperset(means) if means else normalise(section.title) in skip


def unreadable(path: str, reason: str) -> ConceptDiff:
    """A concept that is named but can't be compared; nothing is said to be covered."""
    return ConceptDiff(
        path=path,
        fates=(),
        concept_sections=(),
        adr_sections=(),
        missing_in_adr=(),
        extra_in_adr=(),
        coverage_percent=0.0,
        dropped=(),
        unreadable=reason,
    )


class _Target:
    """A section of the ADR that a concept section may have gone to; its text is read when it is
    first asked for.
    """

    __slots__ = (
        "_pairs",
        "_says",
        "adr",
        "decided",
        "key",
        "meanings",
        "section",
        "telling",
        "words",
    )

    def __init__(
        self, section: Section, adr: AdrDocument, meanings: Meanings, decided: bool
    ) -> None:
        self.section, self.adr, self.decided = section, adr, decided
        self.key = normalise(section.title)
        self.meanings = meanings.of(section.title)
        self.words = frozenset(self.key.split())
        self.telling = _telling(self.words)
        self._pairs: frozenset[tuple[str, str]] | None = None
        self._says: bool | None = None

    def says_something(self) -> bool:
        if self._says is None:
            self._says = says_something(self.adr.visible(self.section.start, self.section.stop))
        return self._says

    def pairs(self) -> frozenset[tuple[str, str]]:
        if self._pairs is None:
            self._pairs = _pairs(self.adr, self.section)
        return self._pairs


def _given(drops: Iterable[Dropped], meanings: Meanings) -> dict[str | tuple[str, ...], Dropped]:
    """The first drop with a reason for each name, and for each meaning."""
    found: dict[str | tuple[str, ...], Dropped] = {}
    for drop in drops:
        if drop.reason:
            found.setdefault(normalise(drop.name), drop)
            found.setdefault(meanings.of(drop.name), drop)
    return found


def _fate(
    section: Section,
    concept: AdrDocument,
    targets: list[_Target],
    meanings: Meanings,
    drops: dict[str | tuple[str, ...], Dropped],
) -> SectionFate:
    means = meanings.of(section.title)
    key = normalise(section.title)
    line = concept.line_at(section.heading_start)
    words = frozenset(key.split())
    telling = _telling(words)
    filled = [
        target
        for target in targets
        if _matches(target, key, means, words, telling) and target.says_something()
    ]
    for target in filled:
        if target.key == key:
            return SectionFate(
                title=section.title,
                line=line,
                meanings=means,
                fate=CARRIED,
                into=target.section.title,
            )
    if filled:
        return SectionFate(
            title=section.title,
            line=line,
            meanings=means,
            fate=RENAMED,
            into=filled[0].section.title,
        )
    merged = _merged(_pairs(concept, section), targets)
    if merged:
        return SectionFate(
            title=section.title, line=line, meanings=means, fate=MERGED, into=merged.section.title
        )
    names: list[str | tuple[str, ...]] = [key, *((meaning,) for meaning in means)]
    named = [drop for name in names if (drop := drops.get(name))]
    if named:
        drop = min(named, key=lambda drop: drop.line)
        return SectionFate(
            title=section.title,
            line=line,
            meanings=means,
            fate=DROPPED,
            into=drop.reason,
            by=drop.line,
        )
    return SectionFate(title=section.title, line=line, meanings=means, fate=LOST)


def _telling(words: frozenset[str]) -> bool:
    return any(len(word) > 4 and word not in _GENERIC for word in words)


def _matches(
    target: _Target, key: str, means: tuple[str, ...], words: frozenset[str], telling: bool
) -> bool:
    if target.key == key or set(means).intersection(target.meanings):
        return target.decided or not means or not ASIDE.isdisjoint(means)
    smaller = telling if len(words) <= len(target.words) else target.telling
    return not means and smaller and (words <= target.words or target.words <= words)


def _merged(pairs: frozenset[tuple[str, str]], targets: list[_Target]) -> _Target | None:
    if len(pairs) < _FEWEST_PAIRS:
        return None
    for target in targets:
        if len(pairs & target.pairs()) >= ENOUGH_SHARED * len(pairs):
            return target
    return None


def _pairs(doc: AdrDocument, section: Section) -> frozenset[tuple[str, str]]:
    words = re.findall(r"\w{2,}", doc.visible(section.start, section.stop).casefold())
    return frozenset(pairwise(words))


def dropped(adr: AdrDocument) -> Iterator[tuple[tuple[int, int], Dropped]]:
    """The `helix-dropped` comments of an ADR, each with its place among the comments."""
    for start, stop in adr.comments:
        text = adr.data[start:stop].decode().removeprefix("<!--").removesuffix("-->").strip()
        if text.startswith(_DROPPED):
            name, *reason = re.split(
                _REASON, " ".join(text.removeprefix(_DROPPED).split()), maxsplit=1
            )
            yield (
                (start, stop),
                Dropped(name, reason_of(reason[0]) if reason else "", adr.line_at(start)),
            )
