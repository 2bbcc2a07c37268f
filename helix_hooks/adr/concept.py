"""Layer 3: compare the sections of a concept with the sections of its ADR."""

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


class SectionFate(NamedTuple):
    """A section of the concept, and whether the ADR has it.

    `into` is the title of the ADR section that has it, or the reason why it was dropped; `by` is
    the line of the comment with this reason.
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
    """A comment `<!-- helix-dropped: Name - why -->` of the ADR; `reason` is "" without one."""

    name: str
    reason: str
    line: int


class ConceptDiff(NamedTuple):
    """The comparison of a concept with its ADR.

    `coverage_percent` has one decimal and is 100 if the concept has no sections. `unreadable` is
    the reason why they could not be compared.
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
    """Find every second-level section of the concept in the ADR.

    A concept without such sections is compared by those of its highest level. Carried: the ADR has
    the heading, at any level. Renamed: it has one of the same meaning, or one whose words include
    it. Merged: one section repeats most of its text. Dropped: a comment gives the reason. Lost:
    none of these.
    """
    headings = _headings(concept)
    if not headings and not concept.defect:
        return unreadable(concept.path, "it has no section headings to compare")
    skip = frozenset(ignored)
    relevant = [section for section in headings if not _is_ignored(section, skip, meanings)]
    if len(relevant) * len(adr.sections) > MOST_PAIRS:
        return unreadable(
            concept.path,
            f"too many sections to compare ({len(relevant)} here, {len(adr.sections)} in the ADR)",
        )
    drops = tuple(drop for _, drop in dropped(adr))
    targets = _targets(adr, meanings)
    by_name = _by_name(drops, meanings)
    fates = tuple(_fate(section, concept, targets, meanings, by_name) for section in relevant)
    return _diff(concept, adr, headings, fates)._replace(dropped=drops)


def _diff(
    concept: AdrDocument,
    adr: AdrDocument,
    headings: list[Section],
    fates: tuple[SectionFate, ...],
) -> ConceptDiff:
    missing = tuple(fate.title for fate in fates if fate.lost)
    own = tuple(section.title for section in adr.sections if section.level == 2)
    used = {fate.into for fate in fates}
    return ConceptDiff(
        path=concept.path,
        fates=fates,
        concept_sections=tuple(section.title for section in headings),
        adr_sections=own,
        missing_in_adr=missing,
        extra_in_adr=tuple(title for title in own if title not in used),
        coverage_percent=_coverage(len(fates) - len(missing), len(fates)),
        dropped=(),
        unreadable=concept.defect.message if concept.defect else "",
    )


def _coverage(covered: int, total: int) -> float:
    return round(covered / total * 100, 1) if total else 100.0


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


def _is_ignored(section: Section, skip: frozenset[str], meanings: Meanings) -> bool:
    """Return whether the ADR need not have a section.

    `References` is ignored, `Security and References` is not.
    """
    names = meanings.of(section.title) or (normalise(section.title),)
    return skip.issuperset(names)


def unreadable(path: str, reason: str) -> ConceptDiff:
    """Return the comparison with a concept that cannot be compared. Nothing is covered."""
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
    """A section of the ADR that may have the content of a concept section.

    Its text is read on first use.
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


def _targets(adr: AdrDocument, meanings: Meanings) -> list[_Target]:
    deciding = {section.heading_start for section in decided(adr.sections, meanings)}
    return [
        _Target(section, adr, meanings, section.heading_start in deciding)
        for section in adr.sections
    ]


def _by_name(drops: Iterable[Dropped], meanings: Meanings) -> dict[str | tuple[str, ...], Dropped]:
    """Return the first drop with a reason for each name, and for each meaning."""
    by_name: dict[str | tuple[str, ...], Dropped] = {}
    for drop in drops:
        if drop.reason:
            by_name.setdefault(normalise(drop.name), drop)
            by_name.setdefault(meanings.of(drop.name), drop)
    return by_name


def _fate(
    section: Section,
    concept: AdrDocument,
    targets: list[_Target],
    meanings: Meanings,
    drops: dict[str | tuple[str, ...], Dropped],
) -> SectionFate:
    names = meanings.of(section.title)
    key = normalise(section.title)
    line = concept.line_at(section.heading_start)
    fate = SectionFate(title=section.title, line=line, meanings=names, fate=LOST)
    filled = _filled(targets, key, names)
    for target in filled:
        if target.key == key:
            return fate._replace(fate=CARRIED, into=target.section.title)
    if filled:
        return fate._replace(fate=RENAMED, into=filled[0].section.title)
    merged = _merged(_pairs(concept, section), targets)
    if merged:
        return fate._replace(fate=MERGED, into=merged.section.title)
    drop = _drop_of(key, names, drops)
    if drop:
        return fate._replace(fate=DROPPED, into=drop.reason, by=drop.line)
    return fate


def _filled(targets: list[_Target], key: str, names: tuple[str, ...]) -> list[_Target]:
    """Return the sections of the ADR that match a heading and have text."""
    words = frozenset(key.split())
    telling = _telling(words)
    matching = [target for target in targets if _matches(target, key, names, words, telling)]
    return [target for target in matching if target.says_something()]


def _drop_of(
    key: str, names: tuple[str, ...], drops: dict[str | tuple[str, ...], Dropped]
) -> Dropped | None:
    """Return the first comment that drops a section, by its title or one of its meanings."""
    keys: list[str | tuple[str, ...]] = [key, *((name,) for name in names)]
    matching = [drops[item] for item in keys if item in drops]
    return min(matching, key=lambda drop: drop.line, default=None)


def _telling(words: frozenset[str]) -> bool:
    """Return whether a heading has a word that is specific enough for a comparison."""
    return any(len(word) > 4 for word in words - _GENERIC)


def _matches(
    target: _Target, key: str, names: tuple[str, ...], words: frozenset[str], telling: bool
) -> bool:
    if target.key == key or set(names).intersection(target.meanings):
        return target.decided or not names or not ASIDE.isdisjoint(names)
    if names:
        return False
    # Without a known meaning, one heading has all words of the other.
    if len(words) <= len(target.words):
        return telling and words <= target.words
    return target.telling and target.words <= words


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
    """Yield the `helix-dropped` comments of an ADR, each with its place among the comments."""
    for start, stop in adr.comments:
        text = adr.data[start:stop].decode().removeprefix("<!--").removesuffix("-->").strip()
        if not text.startswith(_DROPPED):
            continue
        plain = " ".join(text.removeprefix(_DROPPED).split())
        name, *rest = re.split(_REASON, plain, maxsplit=1)
        yield (start, stop), Dropped(name, reason_of("".join(rest)), adr.line_at(start))
