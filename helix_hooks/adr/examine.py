"""One ADR with its concept and its versions before the change: how a ruleset reads it, and what the
rules find in it.

Layers 1 to 3. `finish` says what comes of the findings among the other ADRs.
"""

from collections.abc import Callable, Container, Iterable, Iterator

from ..finding import Finding
from ..records import TYPE_CHECKING, NamedTuple
from .check_report import FileReport, RuleCounts
from .corpus import OPEN, Entry, entry
from .finish import finish
from .mention import Present, lost
from .model import Adr, Described, Found, OthersSay
from .names.heading import Meanings, normalise
from .names.number import number_in_path, number_in_title
from .parse import header
from .parse.document import AdrDocument, Section
from .parse.sections import headings, level_of
from .rules.contextual.rule import ContextualRule
from .rules.registry import BLOCKING, OFF, Ruleset, change_rules, switched_on
from .rules.structure.section_missing import has_section, is_there
from .severity import finding_of
from .suppress import suppressions
from .template import DECIDING, DECISION, FIRST_OWN, HELIX, OWN, Required, Template, detected

if TYPE_CHECKING:
    from . import concept

Asked = tuple[Described, Found]
_LITTLE = 200
"""Bytes below which a decision is looked at more closely."""


class Before(NamedTuple):
    """An ADR before the change, its concept then, and what the other ADRs said then."""

    doc: AdrDocument
    concept: AdrDocument | None = None
    others_say: OthersSay | None = None


class Source(NamedTuple):
    """An ADR to check, and its concept: a document, or None without one.

    `bases` are its versions before the change, none for a new one or where nothing was changed; a
    merge has two. `team` are the sections that the template file of the collection asks a new ADR
    for. `has_habit` returns whether there are enough ADRs to show a style of the team's own.
    """

    doc: AdrDocument
    concept: AdrDocument | None = None
    bases: tuple[Before, ...] = ()
    team: tuple[Required, ...] = ()
    has_habit: Callable[[], bool] | None = None


def check_file(source: Source, ruleset: Ruleset) -> FileReport:
    """Everything there is to say about one ADR on its own."""
    return finish(examine(source, ruleset), ruleset)


def examine(source: Source, ruleset: Ruleset, present: Present | None = None) -> FileReport:
    """Return the findings of the rules in one ADR, before anything makes them milder.

    `present` tells which paths the repository has; without it there is no `entry`, and nothing to
    say among others.
    """
    return examined(read(source, ruleset), source, ruleset, present)


def examined(
    adr: Adr, source: Source, ruleset: Ruleset, present: Present | None = None, alone: bool = False
) -> FileReport:
    """`examine` for a document that was read already.

    `alone` leaves out what it says of files and other ADRs, but not its id.
    """
    doc = source.doc
    found: list[Asked] = [
        (rule, item) for rule in switched_on(BLOCKING, ruleset) for item in rule.check(adr)
    ]
    counts = RuleCounts()
    id = adr_id(adr)
    mine: Entry | None = None
    if not found:
        found = [
            (rule, item) for rule in switched_on(ruleset.rules, ruleset) for item in rule.check(adr)
        ]
        counts = _contextual(adr, ruleset, found)
        found += _changes(adr, source, ruleset)
        if alone:
            mine = entry(adr, id, refers=False)
        elif present:
            proposed = adr.statuses.read(adr.header.text("status")) in OPEN
            mine = entry(adr, id, lost(doc, adr.header, present, proposed))
    last = doc.last_line if found else 1
    shown = {min(item.line, last) for _, item in found}
    if mine:
        shown.update(_told_among_others(mine))
    lines = doc.texts(shown) if shown else {}
    findings = tuple(
        finding_of(rule, item, doc.path, last, ruleset.severities, lines[min(item.line, last)])
        for rule, item in found
    )
    field = adr.header.fields.get("status")
    raw = field.text if field else ""
    return FileReport(
        path=doc.path,
        adr_id=id,
        template=adr.template.name,
        status=_status(adr, raw),
        status_raw=raw,
        rules=counts,
        concept=adr.concept,
        findings=findings,
        lines=lines,
        suppressed=(),
        comments=suppressions(doc),
        entry=mine,
    )


def _told_among_others(mine: Entry) -> Iterator[int]:
    """Yield the lines at which a corpus rule may report something."""
    yield from (item.line for item in mine.lost)
    yield from (item.line for item in mine.references)
    if mine.declared or mine.titled:
        yield mine.id_line if mine.declared else mine.title_line
    if mine.status == "Superseded":
        yield mine.status_line


def _status(adr: Adr, raw: str) -> str:
    """Return the status as written; outside of the helix template, the folder may tell a Draft."""
    if raw or adr.template.name == HELIX.name or adr.header.defects:
        return adr.statuses.read(raw) or "" if raw else ""
    from .names.folder import DRAFT, is_among_drafts

    return DRAFT if is_among_drafts(adr.doc.path) else ""


def _changes(adr: Adr, source: Source, ruleset: Ruleset) -> list[Asked]:
    """Return the findings on the change of the ADR; in a merge, those that neither side has."""
    if not source.bases:
        return []
    found: list[list[Asked]] = []
    for before in source.bases:
        base = read(Source(before.doc, before.concept), ruleset)._replace(
            others_say=before.others_say
        )
        rules = switched_on(change_rules(), ruleset)
        found.append(
            []
            if before.doc.defect
            else [(rule, item) for rule in rules for item in rule.check(adr, base)]
        )
    return min(found, key=len, default=[])


def _contextual(adr: Adr, ruleset: Ruleset, asked: list[Asked]) -> RuleCounts:
    """Add the findings of contextual rules, except those that another rule already reports."""
    triggered = passed = 0
    said: frozenset[str] = frozenset()
    for rule in _contextual_rules(adr, ruleset):
        line = rule.triggered(adr)
        if line is not None:
            triggered += 1
            unmet = [(rule, item) for item in rule.unmet(adr, line)]
            passed += not unmet
            absent = rule.absent(adr) if unmet else frozenset()
            if not said.isdisjoint(absent):
                unmet = [(rule, item) for _, item in unmet if item.help != rule.help_in(adr)]
            elif _is_firm(adr, rule, ruleset):
                said |= absent
            asked.extend(unmet)
    return RuleCounts(len(switched_on(ruleset.contextual, ruleset)), triggered, passed)


def _contextual_rules(adr: Adr, ruleset: Ruleset) -> list[ContextualRule]:
    """Return the contextual rules in force for an ADR."""
    return [
        rule
        for rule in switched_on(ruleset.contextual, ruleset)
        if rule.severity_elsewhere != OFF
        or adr.template.name == HELIX.name
        or rule.id in ruleset.severities
    ]


def _is_firm(adr: Adr, rule: Described, ruleset: Ruleset) -> bool:
    """Return whether a finding of a rule is an error that no comment suppresses."""
    named = b"helix-disable" in adr.doc.data and rule.id.encode() in adr.doc.data
    return not named and ruleset.severities.get(rule.id, rule.severity) == "error"


def left_out(adr: Adr, shown: Iterable[Finding], ruleset: Ruleset) -> list[Finding]:
    """Return the errors of contextual rules that a report leaves out because another rule reports
    the same.
    """
    helps = {finding.help for finding in shown}
    found = (
        finding_of(rule, item, adr.doc.path, adr.doc.last_line, ruleset.severities)
        for rule in _contextual_rules(adr, ruleset)
        if rule.help_in(adr) not in helps and (line := rule.triggered(adr)) is not None
        for item in rule.unmet(adr, line)
        if item.help == rule.help_in(adr)
    )
    return [finding for finding in found if finding.severity == "error"]


def read(source: Source, ruleset: Ruleset) -> Adr:
    """A document with what it means: header, template, sections, and its comparison with the
    concept.
    """
    doc = source.doc
    facts = header.read(doc, ruleset.meanings)
    sections = headings(doc, ruleset.meanings)
    level = level_of(sections, ruleset.meanings)
    adr = Adr(
        doc=doc,
        header=facts,
        template=_template(source, facts, level, ruleset),
        meanings=ruleset.meanings,
        statuses=ruleset.statuses,
        h2=_at_level(sections, level, ruleset.meanings),
        level=level,
    )
    if source.bases and _says_little(adr):
        adr = adr._replace(had_decision=_had_decision(source, ruleset))
    return adr._replace(concept=_concept(source, ruleset)) if source.concept else adr


def _says_little(adr: Adr) -> bool:
    """Return whether an ADR has no section for the decision, or one that may be blank."""
    sections = adr.h2.get(DECISION, [])
    return not sections or any(section.stop - section.start < _LITTLE for section in sections)


def _had_decision(source: Source, ruleset: Ruleset) -> str:
    """Return how all versions before the change state a decision; "" if one of them has none."""
    before = [read(Source(base.doc), ruleset) for base in source.bases if not base.doc.defect]
    if not before or not all(is_there(adr, DECIDING) for adr in before):
        return ""
    return "section" if all(has_section(adr, DECIDING) for adr in before) else "text"


def adr_id(adr: Adr) -> str:
    """The id an ADR goes by: its header's, else the number its title or its file name begins with,
    else "".
    """
    stated = adr.header.text("adr_id")
    if stated:
        return stated
    number = number_in_title(adr.doc.title.title) if adr.doc.title else None
    number = number_in_path(adr.doc.path) if number is None else number
    return "" if number is None else f"{number:03}"


def _concept(source: Source, ruleset: Ruleset) -> "concept.ConceptDiff | None":
    from . import concept

    if not source.concept or source.doc.defect:
        return None
    if source.concept.defect:
        return concept.unreadable(source.concept.path, source.concept.defect.message)
    return concept.compare(source.concept, source.doc, ruleset.meanings, ruleset.concept_ignored)


def _template(source: Source, facts: header.Header, level: int, ruleset: Ruleset) -> Template:
    """Return the template that the settings name, else the one that the ADR follows.

    A changed ADR that fits none is checked by the template of the version before it, and a new ADR
    by the template file of its collection. A section that the version before has must stay; in a
    merge, one that both versions have.
    """
    if ruleset.template != "auto":
        return ruleset.templates[ruleset.template]._replace(is_set=True)
    helix = ruleset.templates["helix"]
    template = detected(source.doc, facts, ruleset.meanings, level, helix)
    if source.team and template.name != helix.name:
        return template._replace(sections=source.team, is_beside=True)
    if template.name != OWN and not any(item.severity for item in template.sections):
        return template
    before = [held(read(Source(base.doc), ruleset)) for base in source.bases if not base.doc.defect]
    if template.name == OWN:
        if not (before or template.sections or source.has_habit is None or source.has_habit()):
            return FIRST_OWN
        template = max((template, *before), key=lambda item: len(item.sections))
    if not before:
        return template
    asked = [{item.meanings for item in other.sections if not item.severity} for other in before]
    firm = asked[0].intersection(*asked[1:])
    kept = [item for item in template.optional if item.meanings in firm]
    sections = tuple(_held_firmly(item, firm) for item in (*template.sections, *kept))
    return template._replace(sections=sections, optional=_others(template.optional, kept))


def _held_firmly(section: Required, firm: Container[tuple[str, ...]]) -> Required:
    """Return a section as an error if all versions before have it or it is the decision, otherwise
    as a warning at most.
    """
    if section.meanings in firm or DECISION in section.meanings:
        return section._replace(severity="")
    return section._replace(severity=section.severity or "warning")


def held(adr: Adr) -> Template:
    """Return the template by which a later version of an ADR is checked.

    A later version must not lose a section that this one has.
    """
    kept = [item for item in adr.template.optional if _is_held(adr, item)]
    return adr.template._replace(
        sections=tuple(
            item._replace(severity="") if _is_held(adr, item) else item
            for item in (*adr.template.sections, *kept)
        ),
        optional=_others(adr.template.optional, kept),
    )


def _others(sections: Iterable[Required], kept: Container[Required]) -> tuple[Required, ...]:
    return tuple(item for item in sections if item not in kept)


def _is_held(adr: Adr, required: Required) -> bool:
    """Return whether an ADR has a section that is not empty."""
    sections = [section for meaning in required.meanings for section in adr.h2.get(meaning, ())]
    empty = all(adr.doc.shows_nothing(section.start, section.stop) for section in sections)
    return adr.has(required) and not (sections and empty)


def _at_level(
    sections: tuple[Section, ...], level: int, meanings: Meanings
) -> dict[str, list[Section]]:
    found: dict[str, list[Section]] = {}
    for section in sections:
        if section.level == level:
            for name in meanings.of(section.title) or (normalise(section.title),):
                found.setdefault(name, []).append(section)
    return found
