"""ADRs to a CheckReport: every layer runs on every file, and one bad file never hides another."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..finding import SEVERITIES, Finding
from .corpus import OPEN, Corpus, Entry, entry
from .lifecycle import capped, most_severe, relaxes
from .mention import Present, lost
from .model import Adr, Described, Found, OthersSay, Rule
from .names.heading import Meanings, normalise
from .names.number import number_in_path, number_in_title
from .names.status import Statuses
from .parse import header
from .parse.document import AdrDocument, Section
from .rules.contextual.rule import ContextualRule
from .rules.corpus import ACROSS
from .rules.structure import BLOCKING
from .suppress import Suppressed, Suppression, Used, apply, suppressions
from .template import Template, detect

if TYPE_CHECKING:
    from .concept import ConceptDiff
    from .rules.gate.suppression_invalid import Idle
else:
    ConceptDiff = object  # loaded where there is a concept; a quoted name in a NamedTuple would cost a millisecond

Asked = tuple[Described, Found]

_OF_REFERENCES = frozenset(("dangling-reference", "dependency-cycle", "superseded-dependency", "supersede-asymmetric"))
_OF_THE_NAME = frozenset(("duplicate-id", "id-filename-mismatch"))
_OF_THE_CHANGE = frozenset(("gate-relaxed", "accepted-changed", "status-transition"))

FIRM = _OF_THE_CHANGE | {"file-unreadable", "merge-conflict", "suppression-invalid", "baseline-stale"}
"""Rules that nothing suppresses: where the file can't be read, those on the gate, and those on a change, since a comment or a count could be
planted before the change that needs it."""

OFF = "off"
"""The severity under which a rule is not asked."""

CONCEPT_IGNORED = ("status", "summary", "references", "meta", "questions")
"""Sections of a concept that need no place in the ADR."""


class Ruleset(NamedTuple):
    """Everything that decides how an ADR is checked.

    `template` is a name of `templates`, or "auto": then each ADR is checked as what it is. `severities` replace the
    rules' own, by id. Findings in ADRs with a number below `strict_from` are at most informative.
    """

    rules: tuple[Rule, ...]
    contextual: tuple[ContextualRule, ...]
    templates: dict[str, Template]
    template: str
    meanings: Meanings
    statuses: Statuses
    severities: dict[str, str]
    concept_ignored: tuple[str, ...] = CONCEPT_IGNORED
    strict_from: int = 0


class Before(NamedTuple):
    """An ADR before the change, its concept then, and what the other ADRs said then."""

    doc: AdrDocument
    concept: AdrDocument | None = None
    others_say: OthersSay | None = None


class Source(NamedTuple):
    """An ADR to check, and its concept: a document, or None without one.

    `bases` are its versions before the change, none for a new one or where nothing was changed; a merge has two.
    """

    doc: AdrDocument
    concept: AdrDocument | None = None
    bases: tuple[Before, ...] = ()


class RuleCounts(NamedTuple):
    """Contextual rules: asked, applicable, and of those met."""

    checked: int = 0
    triggered: int = 0
    passed: int = 0


class FileReport(NamedTuple):
    """What was found in one ADR. `status` is the canonical word or "", `adr_id` the header's, else the file's number.

    `lines` are the texts of the lines that findings point at, `comments` the suppressing ones, `entry` what other ADRs need to know of
    this one (None of a file that can't be read). `counted` is what the file's entry in the baseline may count, by rule; None without one.
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
    suppressed: tuple[Suppressed, ...] = ()
    comments: tuple[Suppression, ...] = ()
    entry: Entry | None = None
    counted: dict[str, int] | None = None

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
    def adrs(self) -> int:
        """The number of ADRs checked; a report may also be on the settings or on a baseline."""
        return sum(bool(file.template) for file in self.files)

    @property
    def suppressed(self) -> int:
        return sum(len(file.suppressed) for file in self.files)

    @property
    def passed(self) -> bool:
        return all(file.passed for file in self.files)


class FileChange(NamedTuple):
    """A file since a revision: changed lines, the (check, message) pairs found in the version before, and whether it was renamed, or names
    ADRs that it did not name before.
    """

    lines: frozenset[int]
    before: frozenset[tuple[str, str]]
    renamed: bool = False
    refers: bool = False


class Terms(NamedTuple):
    """What, besides the rules, decides how a finding counts.

    `status` is that of the version before, without which the status makes nothing milder; None where nobody asks. `new` is an ADR
    that was not older than `strict_from` before, which no number makes an old one.
    `since` are the lines that were changed and the findings that were there before; None without `--since`. `counts` are this
    file's in the baseline. `idle` are line and rule of comments that suppress nothing and were reported already.
    """

    status: str | None = None
    new: bool = False
    since: FileChange | None = None
    counts: dict[str, int] | None = None
    idle: frozenset[tuple[int, str]] = frozenset()


NO_TERMS = Terms()


def check(sources: Iterable[Source], ruleset: Ruleset, skipped: tuple[Skipped, ...] = ()) -> CheckReport:
    """Run Layers 1 to 3 over the sources, each on its own."""
    files = sorted((check_file(source, ruleset) for source in sources), key=lambda file: file.path)
    return CheckReport(tuple(files), skipped)


def check_file(source: Source, ruleset: Ruleset) -> FileReport:
    """Everything there is to say about one ADR on its own."""
    return settle(examine(source, ruleset), ruleset)


def examine(source: Source, ruleset: Ruleset, present: Present | None = None) -> FileReport:
    """What the rules find in one ADR, before anything makes it milder. `present` tells which paths the repository has; without it there
    is no `entry`, and nothing to say among others.
    """
    return examined(read(source, ruleset), source, ruleset, present)


def examined(adr: Adr, source: Source, ruleset: Ruleset, present: Present | None = None, alone: bool = False) -> FileReport:
    """`examine` for a document that was read already. `alone` leaves out what it says of files and other ADRs, but not its id."""
    doc = source.doc
    found: list[Asked] = [(rule, item) for rule in _asked(BLOCKING, ruleset) for item in rule.check(adr)]
    counts = RuleCounts()
    id = adr_id(adr)
    mine: Entry | None = None
    if not found:
        found = [(rule, item) for rule in _asked(ruleset.rules, ruleset) for item in rule.check(adr)]
        counts = _contextual(adr, ruleset, found)
        found += _changes(adr, source, ruleset)
        if alone:
            mine = entry(adr, id, refers=False)
        elif present:
            proposed = adr.statuses.read(adr.header.text("status")) in OPEN
            mine = entry(adr, id, lost(doc, adr.header, present, proposed))
    last = doc.last_line if found else 1
    findings = tuple(finding_of(rule, item, doc.path, last, ruleset.severities) for rule, item in found)
    field = adr.header.fields.get("status")
    raw = field.text if field else ""
    shown = {finding.line for finding in findings}
    if mine and (mine.lost or mine.references):
        shown.update(item.line for item in mine.lost)
        shown.update(item.line for item in mine.references)
    lines = doc.texts(shown) if shown else {}
    return FileReport(
        path=doc.path,
        adr_id=id,
        template=adr.template.name,
        status=adr.statuses.read(raw) or "" if raw else "",
        status_raw=raw,
        rules=counts,
        concept=adr.concept,
        findings=findings,
        lines=lines,
        suppressed=(),
        comments=suppressions(doc),
        entry=mine,
    )


def settle(file: FileReport, ruleset: Ruleset, corpus: Corpus | None = None, terms: Terms = NO_TERMS) -> FileReport:
    """The report of one ADR among the others: with what the corpus adds, and what its state, comments and the baseline take away."""
    findings = found_among(file, ruleset, corpus)
    if not findings and not file.comments:
        return file
    findings = [_capped(finding, file, ruleset, terms) for finding in findings]
    findings, suppressed, used = apply(findings, file.comments, FIRM) if file.comments else (findings, [], set())
    there = None
    if terms.counts:
        from . import baseline

        there = baseline.counted(findings)
        findings, counted = baseline.apply(findings, terms.counts, FIRM)
        suppressed += counted
    if terms.since:
        findings = [_known(finding, terms.since) for finding in findings]
    findings += _comments(file, ruleset, used, corpus, terms.idle)
    ordered = tuple(sorted(findings, key=lambda finding: (finding.line, finding.column)))
    return file._replace(findings=ordered, suppressed=tuple(suppressed), counted=there)


def found_among(file: FileReport, ruleset: Ruleset, corpus: Corpus | None) -> list[Finding]:
    """What was found in one ADR on its own, and among the others."""
    return [*file.findings, *(_across(file.entry, corpus, ruleset) if corpus and file.entry else ())]


def idle_comments(file: FileReport, ruleset: Ruleset, corpus: Corpus | None) -> list["Idle"]:
    """The comments of an ADR that suppress nothing."""
    if not file.comments:
        return []
    from .rules.gate import SUPPRESSION_INVALID

    _, _, used = apply(found_among(file, ruleset, corpus), file.comments, FIRM)
    return list(SUPPRESSION_INVALID.idle(file.comments, used, _ids(ruleset), FIRM))


def _ids(ruleset: Ruleset) -> dict[str, None]:
    """The ids of all rules."""
    from .rules.change import CHANGE
    from .rules.gate import GATE

    return dict.fromkeys(item.id for item in (*BLOCKING, *ruleset.rules, *ruleset.contextual, *ACROSS, *CHANGE, *GATE))


def _across(mine: Entry, corpus: Corpus, ruleset: Ruleset) -> tuple[Finding, ...]:
    """Remembered by the corpus, since a changed ADR is settled once for each thing by which it is measured."""
    severities = tuple(ruleset.severities.get(rule.id, "") for rule in ACROSS)
    known = corpus.said.get(mine.path)
    if known and known[0] is mine and known[1] == severities:
        return known[2]
    asked = (rule for rule in ACROSS if ruleset.severities.get(rule.id) != OFF)
    found = tuple(finding_of(rule, item, mine.path, item.line, ruleset.severities) for rule in asked for item in rule.check(mine, corpus))
    corpus.said[mine.path] = (mine, severities, found)
    return found


def _changes(adr: Adr, source: Source, ruleset: Ruleset) -> list[Asked]:
    """What the change did to the ADR; in a merge, what neither of the two sides had done."""
    if not source.bases:
        return []
    from .rules.change import CHANGE

    found: list[list[Asked]] = []
    for before in source.bases:
        base = read(Source(before.doc, before.concept), ruleset)._replace(others_say=before.others_say)
        rules = [rule for rule in CHANGE if ruleset.severities.get(rule.id) != OFF]
        found.append([] if before.doc.defect else [(rule, item) for rule in rules for item in rule.check(adr, base)])
    return min(found, key=len, default=[])


def _capped(finding: Finding, file: FileReport, ruleset: Ruleset, terms: Terms) -> Finding:
    if not relaxes(finding.check, finding.layer):
        return finding
    status = file.status if terms.status in (None, file.status) else ""
    most = most_severe(status, file.entry.key if file.entry and not terms.new else "", ruleset.strict_from)
    severity = capped(finding.severity, most)
    return finding if severity == finding.severity else finding._replace(severity=severity)


def _known(finding: Finding, since: FileChange) -> Finding:
    """A finding that was there before is informative."""
    if finding.check in _OF_THE_CHANGE or finding.line in since.lines or finding.severity == "info":
        return finding
    about = (since.renamed and finding.check in _OF_THE_NAME) or (since.refers and finding.check in _OF_REFERENCES)
    known = (finding.layer == "corpus" and not about) or (finding.check, finding.message) in since.before
    return finding._replace(severity="info") if known else finding


def _comments(file: FileReport, ruleset: Ruleset, used: Used, corpus: Corpus | None, reported: frozenset[tuple[int, str]]) -> Iterator[Finding]:
    """Findings on the comments themselves, but for those that were reported already, by line and rule."""
    if not file.comments:
        return
    from .rules.gate import SUPPRESSION_INVALID

    rule = SUPPRESSION_INVALID
    if ruleset.severities.get(rule.id) == OFF:
        return
    excused = frozenset(item.id for item in ACROSS if not corpus)
    used = used | {(comment.line, name) for comment in file.comments for name in excused.intersection(comment.rules)}
    for comment, name, item in rule.idle(file.comments, used, _ids(ruleset), FIRM):
        if (comment.line, name) not in reported:
            yield finding_of(rule, item, file.path, item.line, ruleset.severities)


def read(source: Source, ruleset: Ruleset) -> Adr:
    """A document with what it means: header, template, sections, and its comparison with the concept."""
    doc = source.doc
    facts = header.read(doc, ruleset.meanings)
    name = ruleset.template if ruleset.template != "auto" else detect(doc, facts, ruleset.meanings)
    adr = Adr(
        doc=doc,
        header=facts,
        template=ruleset.templates[name],
        meanings=ruleset.meanings,
        statuses=ruleset.statuses,
        h2=_h2(doc.sections, ruleset.meanings),
    )
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


def _contextual(adr: Adr, ruleset: Ruleset, found: list[Asked]) -> RuleCounts:
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


def finding_of(rule: Described, item: Found, path: str, last: int, severities: dict[str, str]) -> Finding:
    line = min(item.line, last)
    end_line = min(max(item.end_line, line), last)
    severity = _severity(rule, item, severities)
    return Finding(
        severity=severity,
        check=rule.id,
        layer=rule.layer,
        message=item.message,
        path=path,
        line=line,
        end_line=end_line,
        column=item.column,
        help=item.help,
    )


def _severity(rule: Described, item: Found, severities: dict[str, str]) -> str:
    """The configured severity, but never a worse one than the rule gives to this very finding."""
    configured = severities.get(rule.id, "")
    if not item.severity:
        return configured or rule.severity
    return max(item.severity, configured or item.severity, key=SEVERITIES.index)
