"""Layer 3: the sections of a concept, compared with those of its ADR. Pure."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from ...model import (
    CARRIED,
    DROPPED,
    LOST,
    MERGED,
    RENAMED,
    Adr,
    ConceptDiff,
    Dropped,
    Required,
    RuleResult,
    SectionFate,
    rule,
)
from ...names import Meanings, normalise
from ...parse.document import AdrDocument, Section
from ...parse.prose import SIDE_SECTIONS, decided, reason_of, says_something

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


@rule("concept-section-missing", "concept", "warning")
def concept_section_missing(adr: Adr) -> Iterator[RuleResult]:
    """A section of the concept is missing from the ADR.

    A part of a plan may be lost when the ADR is written. Each second-level section of the concept
    must be carried over, renamed, merged into another section, or dropped with a reason: `<!--
    helix-dropped: Name - why -->`.

    A renamed section has the same meaning, or contains the old name. A merged section is repeated
    by one section of the ADR. Status, summary, references and open questions are not required. A
    missing Migration, Rollback or Security section is an error.

    The concept is the file that `--concept` or the header key `concept:` names, else
    `NAME.concept.md` beside the ADR, else `concept.md` in a folder with one ADR.
    """
    diff = adr.concept
    if not diff or diff.unreadable:
        return
    # Reversed, so that the first section of a name is the last to be stored.
    sections = {normalise(section.title): section for section in reversed(adr.doc.sections)}
    names: set[str] = set()
    for fate in diff.fates:
        own = {*fate.meanings, normalise(fate.title)}
        names |= own
        if fate.lost:
            finding = _lost(adr, diff, fate, sections.get(normalise(fate.title)))
            is_error = not own.isdisjoint(adr.vocabulary.critical)
            yield finding._replace(severity="error" if is_error else "")
    for drop in diff.dropped:
        if names.isdisjoint(adr.meanings.all_of(drop.name)):
            yield RuleResult(
                line=drop.line,
                message=f"helix-dropped names '{drop.name}', which is not a section of {diff.path}",
                help="correct the name or delete the comment",
                severity="warning",
                words=drop.name,
                subject=f"helix-dropped {drop.name}",
            )


def _lost(adr: Adr, diff: ConceptDiff, fate: SectionFate, section: Section | None) -> RuleResult:
    """Return the finding on a lost section, at the section or comment of its name if there is
    one.
    """
    comment = f"<!-- helix-dropped: {fate.title} - why -->"
    message = (
        f"the concept's section '{fate.title}' ({diff.path}:{fate.line}) is missing from the ADR"
    )
    line, words = adr.title_line, ""
    if section:
        reason, help = ": its section in the ADR has no content", "copy the text"
        if says_something(adr.doc.visible(section.start, section.stop)):
            reason = ": in the ADR it is part of the options, criteria or questions"
            help = "move it to a section of its own"
        help = f"{help}, or write {comment}"
        line, words = adr.doc.line_at(section.heading_start), section.title
    elif not fate.drop:
        title = fate.title
        if fate.meanings:
            title = adr.called(Required(fate.title, fate.meanings))
        reason, help = "", f"copy it as `## {title}`, or drop it: {comment}"
    else:
        reason = ": the comment names several sections, or gives no reason"
        help = f"write one comment for each section: {comment}"
        if normalise(fate.drop.name) == normalise(fate.title):
            reason = ": the helix-dropped comment gives no reason"
            help = f"add a reason of at least two words: {comment}"
        line, words = fate.drop.line, fate.drop.name
    return RuleResult(line, f"{message}{reason}", help, words=words, subject=fate.title)


# The comparison.


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
