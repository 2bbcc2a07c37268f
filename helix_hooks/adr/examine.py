"""Check one ADR with its concept (Layers 1 to 3).

`finish` adds the other ADRs, suppressions and the baseline.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from .blank import still_blank
from .check_report import FileReport, RuleCounts, finding_of, finish, suppressions
from .corpus import CLOSED, DECIDED, OPEN, REFUSED, Entry, entry
from .model import DECISION, HELIX, UNKNOWN, Adr, Described, Norm, Rule, RuleResult, Template
from .names import DRAFT, is_among_drafts, normalise, number_in_path, number_in_title
from .norm import detected, of_first, of_old, of_siblings, traits_of
from .parse import header
from .parse.document import AdrDocument, Section, is_same_text
from .parse.prose import level_of
from .reference import Present, lost
from .rules.contextual.rule import ContextualRule
from .rules.registry import BLOCKING, HELIX_ONLY, OFF, STRUCTURE, Ruleset, switched_on
from .rules.structure.concept_section_missing import compare

Result = tuple[Described, RuleResult]
"""A rule, and one of its results."""


class Before(NamedTuple):
    """An ADR before the change, and its concept."""

    doc: AdrDocument
    concept: AdrDocument | None = None


class Source(NamedTuple):
    """An ADR to check, and its concept: a document, or None without one.

    `bases` are its versions before the change: none for a new or unchanged ADR, two in a merge.
    `is_new` is false for an ADR that the base has, changed or not. `norm` returns what the siblings
    of an ADR with some template have in common, None without siblings or template file.
    """

    doc: AdrDocument
    concept: AdrDocument | None = None
    bases: tuple[Before, ...] = ()
    is_new: bool = True
    norm: Callable[[Template], Norm | None] | None = None


def check_file(source: Source, ruleset: Ruleset) -> FileReport:
    """Return the report on one ADR without the others."""
    return finish(examine(source, ruleset), ruleset)


def examine(
    source: Source,
    ruleset: Ruleset,
    present: Present | None = None,
    *,
    adr: Adr | None = None,
    alone: bool = False,
) -> FileReport:
    """Return the findings of the rules in one ADR, before status and suppressions apply.

    `present` returns which paths the repository has. Without it, the report has no `entry`, so the
    corpus rules are not run. With `alone`, the entry has only the id of the ADR, no files and no
    references. `adr` is the document if it was read already.
    """
    doc = source.doc
    adr = adr or read(source, ruleset)
    id = adr_id(adr)
    counts = RuleCounts()
    own_entry: Entry | None = None
    results = _results(BLOCKING, adr, ruleset)
    if not results:
        results = _results(STRUCTURE, adr, ruleset)
        counts = _contextual(adr, ruleset, results)
        if alone:
            own_entry = entry(adr, id, refers=False)
        elif present:
            is_proposed = adr.status in OPEN
            own_entry = entry(adr, id, lost(doc, adr.header, present, is_proposed))
    last = doc.last_line if results else 1
    numbers = {min(item.line, last) for _, item in results}
    lines = doc.texts(numbers) if numbers else {}
    severities = ruleset.severities
    findings = tuple(
        finding_of(rule, item, doc.path, last, severities, lines[min(item.line, last)])
        for rule, item in results
    )
    return FileReport(
        path=doc.path,
        adr_id=id,
        template=adr.template.name,
        status=_status(adr),
        status_raw=adr.header.text("status"),
        rules=counts,
        concept=adr.concept,
        findings=findings,
        lines=lines,
        comments=suppressions(doc),
        entry=own_entry,
    )


def _results(rules: Iterable[Rule[[Adr]]], adr: Adr, ruleset: Ruleset) -> list[Result]:
    """Return the results of the rules that are switched on."""
    results: list[Result] = []
    is_helix = adr.template.name == HELIX.name
    for rule in switched_on(rules, ruleset):
        if is_helix or rule.id not in HELIX_ONLY or rule.id in ruleset.severities:
            results += [(rule, item) for item in rule.check(adr)]
    return results


def _status(adr: Adr) -> str:
    """Return the canonical status.

    Outside of the helix template, an ADR without a status in a folder of drafts is a Draft.
    """
    is_stated = adr.header.text("status") or adr.template.name == HELIX.name or adr.header.defects
    return DRAFT if not is_stated and is_among_drafts(adr.doc.path) else adr.status


def _contextual(adr: Adr, ruleset: Ruleset, results: list[Result]) -> RuleCounts:
    """Add the findings of contextual rules."""
    triggered = passed = 0
    for rule in contextual_rules(adr, ruleset):
        line = rule.when.line(adr)
        if line is not None:
            triggered += 1
            unmet = [(rule, item) for item in rule.unmet(adr, line)]
            passed += not unmet
            results += unmet
    return RuleCounts(len(switched_on(ruleset.contextual, ruleset)), triggered, passed)


def contextual_rules(adr: Adr, ruleset: Ruleset) -> Iterator[ContextualRule]:
    """Yield the contextual rules in force for an ADR."""
    is_helix = adr.template.name == HELIX.name
    for rule in switched_on(ruleset.contextual, ruleset):
        if is_helix or rule.severity_elsewhere != OFF or rule.id in ruleset.severities:
            yield rule


def read(source: Source, ruleset: Ruleset) -> Adr:
    """Return a parsed ADR: header, template, sections, and its comparison with the concept."""
    doc = source.doc
    meanings = ruleset.meanings
    facts = header.read(doc, meanings)
    level = level_of(doc.sections, meanings)
    by_name: dict[str, list[Section]] = {}
    for section in doc.sections:
        if section.level == level:
            for name in meanings.of(section.title) or (normalise(section.title),):
                by_name.setdefault(name, []).append(section)
    adr = Adr(
        doc=doc,
        header=facts,
        template=UNKNOWN,
        meanings=meanings,
        statuses=ruleset.statuses,
        vocabulary=ruleset.vocabulary,
        h2=by_name,
        level=level,
        is_new=source.is_new,
    )
    template = ruleset.templates.get(ruleset.template)
    template = template or detected(adr, ruleset.templates["helix"])
    adr = adr._replace(template=template, traits=traits_of(adr))
    readable = [base.doc for base in source.bases if not base.doc.defect]
    before = [read(Source(old, is_new=False), ruleset) for old in readable]
    if before and not source.is_new:
        adr = adr._replace(is_new=_is_held_as_new(adr, before))
    if before:
        adr = adr._replace(had_decision=all(map(_states_decision, before)))
    if source.norm:
        adr = adr._replace(norm=_norm(adr, before, source.norm))
    if ruleset.template == "auto" and template.name != HELIX.name:
        adr = adr._replace(template=_held_to(adr, before))
    if source.concept and not doc.defect:
        ignored = ruleset.concept_ignored
        adr = adr._replace(concept=compare(source.concept, doc, meanings, ignored))
    return adr


def _norm(
    adr: Adr, before: list[Adr], of_siblings: Callable[[Template], Norm | None]
) -> Norm | None:
    """Return the norm for a new ADR; for a changed one only what all its versions before had."""
    if adr.is_new:
        return of_siblings(adr.template)
    had = [old.traits.keys() for old in before]
    lost = frozenset.intersection(*map(frozenset, had)) - adr.traits.keys() if had else ()
    norm = of_siblings(adr.template) if lost else None
    return norm and norm._replace(traits=tuple(item for item in norm.traits if item.key in lost))


def _states_decision(adr: Adr) -> bool:
    """Return whether an ADR has a section for its decision that is no blank."""
    sections = adr.h2.get(DECISION, [])
    return bool(sections) and not still_blank(adr, sections)


def _is_held_as_new(adr: Adr, before: list[Adr]) -> bool:
    """Return whether a changed ADR is held as a new one.

    It has another text than before, it was a draft and is more now, or it becomes decided.
    """
    if not any(is_same_text(adr.doc, old.doc) for old in before):
        return True
    status, *old_statuses = (item.status for item in (adr, *before))
    if status in (DRAFT, *CLOSED, *REFUSED) or status in old_statuses:
        return False
    is_decided_now = status in DECIDED and not set(DECIDED).intersection(old_statuses)
    return is_decided_now or set(old_statuses) == {DRAFT}


def _held_to(adr: Adr, before: list[Adr]) -> Template:
    """Return the recognised template with the severities for a new ADR, or for an old one."""
    if not adr.is_new:
        stated = frozenset.intersection(*(frozenset(old.traits) for old in before or [adr]))
        sections = [item for old in before for item in old.template.sections]
        return of_old(adr.template, stated, sections)
    if adr.norm:
        has_decision = adr.norm.has(DECISION) or DECISION in adr.traits
        return of_siblings(adr.template, adr.norm, has_decision)
    return of_first(adr.template)


def adr_id(adr: Adr) -> str:
    """Return the id of an ADR: from its header, else the number in its title or its file name, else
    "".
    """
    declared = adr.header.text("adr_id")
    if declared:
        return declared
    number = number_in_title(adr.doc.title_text)
    if number is None:
        number = number_in_path(adr.doc.path)
    return "" if number is None else f"{number:03}"
