"""ADRs to a CheckReport: every layer runs on every file, and one bad file never hides another."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from ..finding import SEVERITIES, Finding
from . import header
from .contextual import ContextualRule
from .document import AdrDocument, Section
from .heading import Meanings, normalise
from .number import number_in_path, number_in_title
from .rule import Adr, Found, Rule
from .rules import BLOCKING
from .status import Statuses
from .template import Template, detect

if TYPE_CHECKING:
    from .concept import ConceptDiff
else:
    ConceptDiff = object  # loaded where there is a concept; a quoted name in a NamedTuple would cost a millisecond

OFF = "off"
"""The severity under which a rule is not asked."""

CONCEPT_IGNORED = ("status", "summary", "references", "meta", "questions")
"""Sections of a concept that need no place in the ADR."""


class Ruleset(NamedTuple):
    """Everything that decides how an ADR is checked.

    `template` is a name of `templates`, or "auto": then each ADR is checked as what it is. `severities` replace the
    rules' own, by id.
    """

    rules: tuple[Rule, ...]
    contextual: tuple[ContextualRule, ...]
    templates: dict[str, Template]
    template: str
    meanings: Meanings
    statuses: Statuses
    severities: dict[str, str]
    concept_ignored: tuple[str, ...] = CONCEPT_IGNORED


class Source(NamedTuple):
    """An ADR to check, and its concept: a document, or None without one."""

    doc: AdrDocument
    concept: AdrDocument | None = None


class RuleCounts(NamedTuple):
    """Contextual rules: asked, applicable, and of those met."""

    checked: int = 0
    triggered: int = 0
    passed: int = 0


class FileReport(NamedTuple):
    """What was found in one ADR. `status` is the canonical word or "", `adr_id` the header's, else the file's number.

    `lines` are the texts of the lines that findings point at.
    """

    path: str
    adr_id: str
    template: str
    status: str
    status_raw: str
    rules: RuleCounts
    concept: ConceptDiff | None
    findings: tuple[Finding, ...]
    lines: dict[int, str]

    @property
    def passed(self) -> bool:
        return not any(finding.severity == "error" for finding in self.findings)


class Skipped(NamedTuple):
    """Something that could not be checked, and why; `check` is a rule's id, or "" for all of them."""

    check: str
    path: str
    reason: str


class CheckReport(NamedTuple):
    """The result of a run, files in the order of their paths."""

    files: tuple[FileReport, ...]
    skipped: tuple[Skipped, ...] = ()

    def count(self, severity: str) -> int:
        return sum(finding.severity == severity for file in self.files for finding in file.findings)

    @property
    def passed(self) -> bool:
        return all(file.passed for file in self.files)


def check(sources: Iterable[Source], ruleset: Ruleset, skipped: tuple[Skipped, ...] = ()) -> CheckReport:
    """Run Layers 1 to 3 over the sources."""
    files = sorted((check_file(source, ruleset) for source in sources), key=lambda file: file.path)
    return CheckReport(tuple(files), skipped)


def check_file(source: Source, ruleset: Ruleset) -> FileReport:
    """Everything there is to say about one ADR."""
    doc = source.doc
    adr = read(source, ruleset)
    found: list[tuple[Rule, Found]] = [(rule, item) for rule in _asked(BLOCKING, ruleset) for item in rule.check(adr)]
    counts = RuleCounts()
    if not found:
        found = [(rule, item) for rule in _asked(ruleset.rules, ruleset) for item in rule.check(adr)]
        counts = _contextual(adr, ruleset, found)
    last = doc.last_line if found else 1
    findings = [_finding(rule, item, doc.path, last, ruleset.severities) for rule, item in found]
    field = adr.header.fields.get("status")
    raw = field.text if field else ""
    lines = doc.texts({finding.line for finding in findings}) if findings else {}
    return FileReport(doc.path, adr_id(adr), adr.template.name, adr.statuses.read(raw) or "" if raw else "", raw, counts, adr.concept,
                      tuple(sorted(findings, key=lambda finding: (finding.line, finding.column))), lines)  # fmt: skip


def read(source: Source, ruleset: Ruleset) -> Adr:
    """A document with what it means: header, template, sections, and its comparison with the concept."""
    doc = source.doc
    facts = header.read(doc, ruleset.meanings)
    name = ruleset.template if ruleset.template != "auto" else detect(doc, facts, ruleset.meanings)
    adr = Adr(doc, facts, ruleset.templates[name], ruleset.meanings, ruleset.statuses, _h2(doc.sections, ruleset.meanings))
    return adr._replace(concept=_concept(source, ruleset)) if source.concept else adr


def adr_id(adr: Adr) -> str:
    """The id an ADR goes by: its header's, else the number its title or its file name begins with, else ""."""
    stated = adr.header.text("adr_id")
    if stated:
        return stated
    number = number_in_title(adr.doc.title.title) if adr.doc.title else None
    number = number_in_path(adr.doc.path) if number is None else number
    return "" if number is None else f"{number:03}"


def _concept(source: Source, ruleset: Ruleset) -> ConceptDiff | None:
    from . import concept

    if not source.concept or source.doc.defect:
        return None
    if source.concept.defect:
        return concept.unreadable(source.concept.path, source.concept.defect.message)
    return concept.compare(source.concept, source.doc, ruleset.meanings, ruleset.concept_ignored)


def _h2(sections: tuple[Section, ...], meanings: Meanings) -> dict[str, list[Section]]:
    found: dict[str, list[Section]] = {}
    for section in sections:
        if section.level == 2:
            for name in meanings.of(section.title) or (normalise(section.title),):
                found.setdefault(name, []).append(section)
    return found


def _asked(rules: tuple[Rule, ...], ruleset: Ruleset) -> Iterable[Rule]:
    return [rule for rule in rules if ruleset.severities.get(rule.id) != OFF] if ruleset.severities else rules


def _contextual(adr: Adr, ruleset: Ruleset, found: list[tuple[Rule, Found]]) -> RuleCounts:
    triggered = passed = 0
    rules = [rule for rule in ruleset.contextual if ruleset.severities.get(rule.id) != OFF] if ruleset.severities else ruleset.contextual
    for rule in rules:
        line = rule.triggered(adr)
        if line is not None:
            triggered += 1
            unmet = [(rule, item) for item in rule.unmet(adr, line)]
            passed += not unmet
            found.extend(unmet)
    return RuleCounts(len(rules), triggered, passed)


def _finding(rule: Rule, item: Found, path: str, last: int, severities: dict[str, str]) -> Finding:
    line = min(item.line, last)
    end_line = min(max(item.end_line, line), last)
    severity = _severity(rule, item, severities)
    return Finding(severity, rule.id, rule.layer, item.message, path, line, end_line, item.column, item.help)


def _severity(rule: Rule, item: Found, severities: dict[str, str]) -> str:
    """The configured severity, but never a worse one than the rule gives to this very finding."""
    configured = severities.get(rule.id, "")
    if not item.severity:
        return configured or rule.severity
    return max(item.severity, configured or item.severity, key=SEVERITIES.index)
