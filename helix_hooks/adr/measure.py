"""`gate-relaxed`: which errors a change takes out of sight, measured by the version before it.

The ADR is checked once more for each thing by which the author could have relaxed the gate, with that one thing as it was
before: an error that appears then, and not in the author's own report, is what the change hides.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ..finding import Finding
from .across import ACROSS
from .check import OFF, FileReport, Ruleset, Source, Terms, examined, finding_of, read, settle
from .concept import dropped
from .contextual import fields_asked
from .corpus import CLOSED, REFUSED, Corpus
from .document import AdrDocument
from .gate.gate_relaxed import Relaxation
from .lifecycle import most_severe
from .rule import Adr
from .suppress import Suppression, suppressions

_PLACE = r":\d+\)|\bline \d+"


class Base(NamedTuple):
    """What held before the change: its rules, and what its baseline counted of this file."""

    ruleset: Ruleset
    counts: dict[str, int]
    settings_changed: bool = True


class _Change(NamedTuple):
    """One changed ADR: its source, its version before (None for a new one), and the author's report of it before anything is settled."""

    source: Source
    adr: Adr
    old: Adr | None
    raw: FileReport
    ruleset: Ruleset
    base: Base
    counts: dict[str, int]
    corpus: Corpus | None


def relaxations(
    source: Source, raw: FileReport, ruleset: Ruleset, base: Base, counts: dict[str, int], corpus: Corpus | None = None
) -> list[Relaxation]:
    """Every error of the base's measure that the author's does not show, once, with what hides it. `raw` is the result of `examine`."""
    if source.doc.defect:
        return []
    before = source.bases[0] if source.bases and not source.bases[0].doc.defect else None
    old = read(Source(before.doc, before.concept), base.ruleset) if before else None
    change = _Change(source, read(source, ruleset), old, raw, ruleset, base, counts, corpus)
    seen = {_key(finding) for finding in _errors(settle(raw, ruleset, corpus, Terms(counts=counts)))}
    found: list[Relaxation] = []
    legacy = _known_before(change)
    for by, line, report in _measures(change):
        for finding in _errors(report):
            if _key(finding) not in seen and _key(finding) not in legacy:
                seen.add(_key(finding))
                found.append(Relaxation(by, line or finding.line, finding))
    return found


def _known_before(change: _Change) -> set[tuple[str, str]]:
    """The errors that an ADR had before it was retired: a decision that no longer holds need not be completed for that."""
    if not change.old or change.raw.status not in (*CLOSED, *REFUSED):
        return set()
    source = Source(change.old.doc)
    report = settle(examined(change.old, source, change.base.ruleset, set), change.base.ruleset, None, Terms(counts=change.base.counts))
    return {_key(finding) for finding in _errors(report)}


def _errors(report: FileReport) -> list[Finding]:
    return [finding for finding in report.findings if finding.severity == "error"]


def _key(finding: Finding) -> tuple[str, str]:
    """What an error says, wherever it stands."""
    return finding.check, re.sub(_PLACE, "", finding.message)


def _measures(change: _Change) -> Iterator[tuple[str, int, FileReport]]:
    """What the author may have relaxed, the line where it stands (0: that of the error), and the report without it."""
    own = Terms(counts=change.counts)
    yield from _without_comments(change, own)
    if change.counts != change.base.counts:
        yield "a baseline entry of this change", 0, settle(change.raw, change.ruleset, change.corpus, Terms(counts=change.base.counts))
    status = change.adr.header.fields.get("status")
    if change.raw.status != (change.old.statuses.read(change.old.header.text("status")) if change.old else None):
        held = settle(change.raw, change.ruleset, change.corpus, own._replace(status="-", new=not change.old))
        yield _state(change), status.line if status else 0, held
    if change.old:
        yield from _as_before(change, change.old, own)
    if change.base.settings_changed:
        yield "a setting of this change", 0, _again(change, change.adr, change.base.ruleset, change.source)
    yield "this change", 0, _all_at_once(change)


def _state(change: _Change) -> str:
    """What about the ADR itself makes its findings milder."""
    old = most_severe("", change.raw.entry.key if change.raw.entry else "", change.ruleset.strict_from)
    return "a number below `strict_from`" if old else f"the status {change.raw.status or 'of this change'}"


def _shown(adr: Adr, name: str) -> str:
    return adr.header.text(name)[:40] or "left out"


def _without_comments(change: _Change, own: Terms) -> Iterator[tuple[str, int, FileReport]]:
    new = _new_comments(change)
    if new:
        added = frozenset(new)
        kept = tuple(comment for comment in change.raw.comments if comment not in added)
        yield "this comment", new[0].line, settle(change.raw._replace(comments=kept), change.ruleset, change.corpus, own)
    doc, line = _without_drops(change)
    if doc is not change.source.doc:
        source = change.source._replace(doc=doc)
        yield "this comment", line, settle(examined(read(source, change.ruleset), source, change.ruleset, set), change.ruleset, None, own)


def _new_comments(change: _Change) -> list[Suppression]:
    """Suppressing comments that the version before did not have, or had on another line's text."""
    old = {_covered(change.old.doc, comment) for comment in _effective(change.old, change.base.ruleset)} if change.old else set()
    return [comment for comment in change.raw.comments if _covered(change.source.doc, comment) not in old]


def _effective(old: Adr, ruleset: Ruleset) -> Iterator[Suppression]:
    """The comments of the version before that suppressed something; of those on other ADRs' rules nobody knows."""
    comments = suppressions(old.doc)
    if comments:
        found = examined(old, Source(old.doc), ruleset).findings
        across = {rule.id for rule in ACROSS}
        yield from (item for item in comments if across.intersection(item.rules) or any(map(item.covers, found)))


def _covered(doc: AdrDocument, comment: Suppression) -> tuple[frozenset[str], str]:
    return frozenset(comment.rules), doc.texts({comment.only})[comment.only] if comment.only else ""


def _without_drops(change: _Change) -> tuple[AdrDocument, int]:
    """The document without `helix-dropped` comments that are new, and the line of the first of them."""
    doc = change.source.doc
    old = {drop.name.casefold() for _, drop in dropped(change.old.doc) if drop.reason} if change.old else set()
    new = [(place, drop) for place, drop in dropped(doc) if drop.name.casefold() not in old]
    places = {place for place, _ in new}
    return (doc._replace(comments=tuple(place for place in doc.comments if place not in places)), new[0][1].line) if new else (doc, 0)


def _as_before(change: _Change, old: Adr, own: Terms) -> Iterator[tuple[str, int, FileReport]]:
    """With the template, header fields and concept of the version before."""
    adr, source, ruleset = change.adr, change.source, change.ruleset
    if adr.template.name != old.template.name:
        held = ruleset._replace(template=old.template.name)
        by = f"the template {adr.template.name} (was {old.template.name})"
        yield by, adr.title_line, _again(change, read(source, held), held, source)
    for name in _lowered(change, old):
        field = adr.header.fields.get(name)
        by = f"{name} {_shown(adr, name)} (was {_shown(old, name)})"
        yield by, field.line if field else adr.title_line, _again(change, _with_field(adr, old, name), ruleset, source)
    yield from _silenced(change, old)
    concept = source.bases[0].concept
    if concept and (not source.concept or concept.data != source.concept.data):
        held_source = source._replace(concept=concept)
        yield "the changed concept", adr.title_line, settle(examined(read(held_source, ruleset), held_source, ruleset, set), ruleset, None, own)


def _silenced(change: _Change, old: Adr) -> Iterator[tuple[str, int, FileReport]]:
    """Contextual rules that applied to the version before and were met, and do not apply any more, as if they did."""
    for rule in change.base.ruleset.contextual:
        line = rule.triggered(old) if change.base.ruleset.severities.get(rule.id) != OFF else None
        if line is not None and rule.triggered(change.adr) is None and not any(True for _ in rule.unmet(old, line)):
            unmet = list(rule.unmet(change.adr, change.adr.title_line))
            severities = change.base.ruleset.severities
            findings = tuple(finding_of(rule, item, change.source.doc.path, change.source.doc.last_line, severities) for item in unmet)
            yield f"what took the rule {rule.id} away", change.adr.title_line, settle(change.raw._replace(findings=findings), change.ruleset)


def _lowered(change: _Change, old: Adr) -> list[str]:
    """Header fields that rules ask for and that say something else than before."""
    asked = dict.fromkeys(field.field for rule in change.base.ruleset.contextual for field in fields_asked(rule.when))
    return [name for name in asked if old.header.text(name) and old.header.text(name).casefold() != change.adr.header.text(name).casefold()]


def _with_field(adr: Adr, old: Adr, name: str) -> Adr:
    field = old.header.fields[name]._replace(line=adr.header.line, column=1)
    return adr._replace(header=adr.header._replace(fields={**adr.header.fields, name: field}))


def _again(change: _Change, adr: Adr, ruleset: Ruleset, source: Source) -> FileReport:
    """The report under other rules or facts, with the author's comments and state."""
    return settle(examined(adr, source, ruleset, set), ruleset, None, Terms(counts=change.counts))


def _all_at_once(change: _Change) -> FileReport:
    """Everything as it was before: two things may hide an error together that neither hides alone."""
    old, ruleset = change.old, change.base.ruleset
    doc, _ = _without_drops(change)
    if old and ruleset.template == "auto":
        ruleset = ruleset._replace(template=old.template.name)
    before = change.source.bases[0].concept if old else None
    source = change.source._replace(doc=doc, concept=before or change.source.concept)
    adr = read(source, ruleset)
    for name in _lowered(change, old) if old else ():
        adr = _with_field(adr, old, name) if old else adr
    new = frozenset(_new_comments(change))
    held = (old.statuses.read(old.header.text("status")) or "-") if old else "-"
    report = examined(adr, source, ruleset, set)
    kept = tuple(comment for comment in report.comments if comment not in new)
    return settle(report._replace(comments=kept), ruleset, None, Terms(held, new=not old, counts=change.base.counts))
