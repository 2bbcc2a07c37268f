"""*Hidden*: the errors of an ADR that a change keeps from being reported. Pure.

The ADR is checked again without each possible relaxation: without comments or baseline, with the
status before or the settings before, and without all of them at once. The change hides each error
that appears only then. What an older comment, baseline entry or number hid already is left out.

A relaxation that hides nothing now may hide a later error, so these need a person too: a comment
without effect, a template or a concept that requires less, and a contextual rule that no longer
applies.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..adr.baseline import Baseline
from ..adr.check_report import FileReport, Terms, finish, idle_comments, is_old, suppressions
from ..adr.corpus import CLOSED, DECIDED, REFUSED, Corpus
from ..adr.examine import Source, contextual_rules, read
from ..adr.model import DROPPED, Adr, RuleResult, SectionFate, Suppression
from ..adr.names import normalise
from ..adr.parse.document import AdrDocument
from ..adr.rules.contextual.rule import ContextualRule, fields_asked
from ..adr.rules.gate.gate_relaxed import Relaxation, gate_relaxed
from ..adr.rules.registry import Ruleset
from ..adr.rules.structure.concept_section_missing import compare, dropped
from ..finding import Finding, Key, key_of, keys_of
from ..text import counted
from .accepted_text import examine

_HELP = "undo it, or request an approval"
_SHOWN = 3
"""Maximum names in a message."""

Lines = dict[tuple[str, int] | str, int]
"""The line of the cause of an error, by its rule and line (0: any line) or by its subject."""


class Base(NamedTuple):
    """The state before the change: rules, baseline counts of the file, and new names of files.

    `report` has the findings in this ADR under these rules, in the `corpus` before the change. It
    is None for a new ADR, an unreadable one, and a file that was not an ADR under these settings.
    """

    ruleset: Ruleset
    counts: dict[str, int]
    settings_changed: bool = True
    report: FileReport | None = None
    corpus: Corpus | None = None
    names: dict[str, str] = {}  # noqa: RUF012 -- never written to

    @property
    def is_old(self) -> bool:
        """Return whether the ADR was older than `strict_from`."""
        entry = self.report.entry if self.report else None
        return bool(entry and is_old(entry.key, self.ruleset.strict_from))

    def errors(self, report: FileReport, terms: Terms) -> Counter[Key]:
        """Count the errors of a report before the change, by the new names of files."""
        return keys_of(_errors(finish(report, self.ruleset, self.corpus, terms)), self.names)


class AdrChange(NamedTuple):
    """A changed ADR: its source, and its report before statuses, comments and baseline apply.

    `counts` is what the baseline of the change allows it. `concept` is its concept by the settings
    of the change itself.
    """

    source: Source
    raw: FileReport
    ruleset: Ruleset
    counts: dict[str, int]
    corpus: Corpus | None
    base: Base
    concept: AdrDocument | None


class Hidden(NamedTuple):
    """The results of `gate-relaxed` on an ADR, and line and rule of new comments without effect."""

    results: list[RuleResult]
    idle: frozenset[tuple[int, str]]


class _Sides(NamedTuple):
    """The ADR as it is, and the version before; None for a new or unreadable one."""

    adr: Adr
    old: Adr | None

    @property
    def old_status(self) -> str | None:
        """Return the status of the version before; None without a version."""
        old = self.old
        return old.statuses.read(old.header.text("status")) if old else None

    def field_change(self, name: str) -> str:
        """Return the change of a header field, for a message."""
        before, now = (side.header.text(name)[:40] if side else "" for side in (self.old, self.adr))
        return f"{name} {now or 'left out'} (was {before or 'left out'})"


class _Measure(NamedTuple):
    """A report without one relaxation; `by` names the relaxation, `lines` and `line` its place.

    0 is the line of the error itself.
    """

    by: str
    report: FileReport
    line: int = 0
    lines: Lines = {}  # noqa: RUF012 -- never written to

    def place(self, finding: Finding) -> int:
        """Return the line of the relaxation that hides an error."""
        for key in ((finding.check, finding.line), (finding.check, 0), finding.subject):
            if key in self.lines:
                return self.lines[key]
        return self.line


class _Restored(NamedTuple):
    """The parts of the version before with which all relaxations are undone at once.

    Others have a finding of their own already, as have the `rules` that no longer apply.
    """

    template: bool
    concept: bool
    rules: Collection[str]


def hidden(change: AdrChange) -> Hidden:
    """Return what a change hides in one ADR, and its relaxations that hide nothing yet."""
    source, base = change.source, change.base
    if source.doc.defect:
        return Hidden([], frozenset())
    adr, old = read(source, change.ruleset), None
    if source.bases and not source.bases[0].doc.defect:
        before = source.bases[0]
        old = read(Source(before.doc, before.concept, is_new=False), base.ruleset)
    sides = _Sides(adr, old)
    comments = list(_new_idle_comments(change, old))
    less: list[RuleResult] = []
    switched_off: dict[str, RuleResult] = {}
    template = concept = None
    if old and base.report:
        switched_off = dict(_switched_off(base.ruleset, sides))
        template, concept = _less_template(adr, old), _less_concept(change, adr)
        less = [*filter(None, (template, concept)), *switched_off.values()]
    restored = _Restored(template is None, concept is None, switched_off.keys())
    hiding = _hidden_errors(change, sides, restored)
    results = [*gate_relaxed.check(hiding), *(item for _, _, item in comments)]
    results += [*_new_idle_drops(sides), *less]
    return Hidden(results, frozenset((line, rule) for line, rule, _ in comments))


def _hidden_errors(change: AdrChange, sides: _Sides, restored: _Restored) -> list[Relaxation]:
    """Return the errors that the change hides, each once, with the cause."""
    base = change.base
    shown = finish(change.raw, change.ruleset, change.corpus, Terms(counts=change.counts))
    known = keys_of(_errors(shown)) + _hidden_before(change, sides)
    if base.report and change.raw.status in (*CLOSED, *REFUSED):
        # A retired ADR need not be completed.
        known += base.errors(base.report, Terms(counts=base.counts))
    hiding: list[Relaxation] = []
    for measure in _measures(change, sides, restored):
        # Each relaxation is compared on its own, so the known errors count for each of them.
        left = known.copy()
        for finding in _errors(measure.report):
            keys = key_of(finding)
            if all(left[key] > 0 for key in keys):
                left.subtract(keys)
            elif finding.check not in restored.rules:
                known.update(keys)
                hiding.append(Relaxation(measure.by, measure.place(finding), finding))
    return hiding


def _hidden_before(change: AdrChange, sides: _Sides) -> Counter[Key]:
    """Count the errors that a comment, the baseline or a low number hid before the change."""
    old, base = sides.old, change.base
    if not old or not base.report:
        return Counter()
    bare, _ = _without_drops(old.doc)
    report = base.report._replace(comments=())
    # An ADR that becomes decided is held as a new one: both versions are measured alike.
    is_new = sides.adr.is_new
    if bare is not old.doc or is_new:
        concept, norm = change.source.bases[0].concept, change.source.norm
        source = Source(bare, concept, is_new=is_new, norm=norm)
        report = report._replace(findings=examine(source, base.ruleset, alone=True).findings)
    strict = base.errors(report, Terms(new=True))
    return strict - base.errors(base.report, Terms(counts=base.counts))


def _errors(report: FileReport) -> list[Finding]:
    return [finding for finding in report.findings if finding.severity == "error"]


def _measures(change: AdrChange, sides: _Sides, restored: _Restored) -> Iterator[_Measure]:
    """Yield each possible relaxation, and the report without it."""
    adr, raw, ruleset, base = sides.adr, change.raw, change.ruleset, change.base
    bare = raw._replace(comments=())
    own = Terms(counts=change.counts)

    def finished(report: FileReport, terms: Terms) -> FileReport:
        return finish(report, ruleset, change.corpus, terms)

    if raw.comments:
        yield _Measure("this comment", finished(bare, own), raw.comments[0].line, _lines(raw))
    doc, line = _without_drops(adr.doc)
    if line:
        without = _examined(change, change.source._replace(doc=doc), ruleset)
        lines: Lines = {fate.title: fate.by for fate in adr.fates if fate.fate == DROPPED}
        yield _Measure("this comment", finish(without, ruleset, None, own), line, lines)
    if change.counts:
        whose = "an older baseline entry"
        if change.counts != base.counts:
            whose = "a baseline entry of this change"
        yield _Measure(whose, finished(raw, Terms()))
    if raw.entry and is_old(raw.entry.key, ruleset.strict_from):
        strict = finished(raw, own._replace(new=True))
        yield _Measure("a number below `strict_from`", strict, raw.entry.id_line)
    if raw.status != sides.old_status:
        terms = own._replace(status="-", new=not base.is_old)
        by, line = f"the status {raw.status or 'of this change'}", adr.header.line_of("status", 0)
        yield _Measure(by, finished(raw, terms), line)
    if base.settings_changed:
        before = _examined(change, change.source, base.ruleset, adr)
        yield _Measure("a setting of this change", finish(before, base.ruleset, None, own))
    # These come last, so that a single cause is named where there is one. Two relaxations
    # together may hide an error that neither of them hides alone.
    terms = Terms(sides.old_status or "-", new=True)
    everything = _without_any(change, sides, restored)._replace(comments=())
    yield _Measure("this change", finish(everything, base.ruleset, None, terms))
    yield _Measure("this change", finished(bare, terms))


def _lines(report: FileReport) -> Lines:
    """Return the line of the first comment for each rule."""
    lines: Lines = {}
    for comment in report.comments:
        if comment.reason:
            for rule in comment.rules:
                lines.setdefault((rule, comment.only), comment.line)
    return lines


def _without_any(change: AdrChange, sides: _Sides, restored: _Restored) -> FileReport:
    """Return the report by the settings, fields, template and concept of the version before."""
    old, ruleset, source = sides.old, change.base.ruleset, change.source
    concept = source.concept
    if old and restored.concept:
        concept = source.bases[0].concept or concept
    doc, _ = _without_drops(source.doc)
    source = source._replace(doc=doc, concept=concept)
    adr = read(source, ruleset)
    if old:
        adr = _with_fields(adr, old, _changed_fields(ruleset.contextual, sides))
        if ruleset.template == "auto" and restored.template:
            adr = adr._replace(template=old.template)
    return _examined(change, source, ruleset, adr)


def _examined(
    change: AdrChange, source: Source, ruleset: Ruleset, adr: Adr | None = None
) -> FileReport:
    """Return the rules' findings in an ADR.

    The rules on the change of decided text run only if the settings changed too.
    """
    if not change.base.settings_changed:
        source = source._replace(bases=())
    return examine(source, ruleset, adr=adr or read(source, ruleset), alone=True)


def _without_drops(doc: AdrDocument) -> tuple[AdrDocument, int]:
    """Return a document without its `helix-dropped` comments, and the line of the first one.

    Without such a comment, return the document itself and 0.
    """
    drops = list(dropped(doc))
    if not drops:
        return doc, 0
    places = {place for place, _ in drops}
    comments = tuple(place for place in doc.comments if place not in places)
    return doc._replace(comments=comments), drops[0][1].line


def _changed_fields(rules: Iterable[ContextualRule], sides: _Sides) -> list[str]:
    """Return the changed header fields on which contextual rules depend."""
    names = {item.field: None for rule in rules for item in fields_asked(rule.when)}
    old, adr = sides.old, sides.adr
    if not old:
        return []
    return [
        name
        for name in names
        if old.header.text(name).casefold() not in ("", adr.header.text(name).casefold())
    ]


def _with_fields(adr: Adr, old: Adr, names: Iterable[str]) -> Adr:
    """Return an ADR with some header fields of its version before."""
    fields = dict(adr.header.fields)
    for name in names:
        fields.pop(name, None)
        if name in old.header.fields:
            fields[name] = old.header.fields[name]._replace(line=adr.header.line, column=1)
    return adr._replace(header=adr.header._replace(fields=fields))


def _new_idle_comments(change: AdrChange, old: Adr | None) -> Iterator[tuple[int, str, RuleResult]]:
    """Yield the new suppressing comments that suppress nothing: line, rule and result of each."""
    unused = idle_comments(change.raw, change.ruleset, change.corpus)
    if not unused:
        return
    doc = change.source.doc
    old_comments = suppressions(old.doc) if old else ()
    surplus = _by_rule(change.raw.comments)
    surplus.subtract(_by_rule(old_comments))
    old_places = set(_places(old.doc, old_comments).values()) if old else set()
    places = _places(doc, (comment for comment, _, _ in unused))
    # Comments at a new place come first: of several for one rule, those are the new ones.
    unused.sort(key=lambda item: places[item[0]] in old_places)
    for comment, rule, item in unused:
        if surplus[rule] > 0:
            surplus[rule] -= 1
            message = f"unused suppression comment: {item.message}"
            yield comment.line, rule, item._replace(message=message)


def _by_rule(comments: Iterable[Suppression]) -> Counter[str]:
    """Count comments by rule; "" is a comment without a rule."""
    counts: Counter[str] = Counter()
    for comment in comments:
        counts.update(comment.rules or ("",))
    return counts


def _places(
    doc: AdrDocument, comments: Iterable[Suppression]
) -> dict[Suppression, tuple[str, str]]:
    """Return the rules of each comment, and the text of the line that it is about."""
    distinct = set(comments)
    texts = doc.texts({comment.only for comment in distinct if comment.only})
    return {comment: (" ".join(comment.rules), texts.get(comment.only, "")) for comment in distinct}


def _new_idle_drops(sides: _Sides) -> Iterator[RuleResult]:
    """Yield new `helix-dropped` comments that drop nothing."""
    used = {fate.by for fate in sides.adr.fates if fate.fate == DROPPED}
    drops = [drop for _, drop in dropped(sides.adr.doc)]
    surplus = Counter(normalise(drop.name) for drop in drops)
    if sides.old:
        surplus.subtract(normalise(drop.name) for _, drop in dropped(sides.old.doc))
    for drop in drops:
        name = normalise(drop.name)
        if drop.line in used or surplus[name] <= 0:
            continue
        surplus[name] -= 1
        yield RuleResult(
            line=drop.line,
            message=f"unused helix-dropped comment: section '{drop.name}' is not missing",
            help="delete the comment",
            subject=f"helix-dropped {drop.name}",
        )


def _less_template(adr: Adr, old: Adr) -> RuleResult | None:
    """Return the question about a new template that requires less; None if it does not."""
    if adr.template.name == old.template.name:
        return None
    called = {item.name: adr.called(item) for item in old.template.sections}
    lost = [called.get(name, name) for name in adr.template.lacks(old.template)]
    by = f"the template {adr.template.name} (was {old.template.name})"
    return _no_longer_required(by, lost, adr.title_line)


def _less_concept(change: AdrChange, adr: Adr) -> RuleResult | None:
    """Return the question about a changed concept that requires less; None if it does not.

    A decided ADR cannot lose the sections anyway.
    """
    before, concept = change.source.bases[0].concept, change.concept
    if not before or before.defect or (concept and concept.data == before.data):
        return None
    severities = change.ruleset.severities
    is_firm = all(
        severities.get(rule, "error") == "error"
        for rule in ("accepted-changed", "status-transition")
    )
    if is_firm and change.raw.status in (*DECIDED, *CLOSED):
        return None
    rules = change.base.ruleset
    fates = compare(before, adr.doc, rules.meanings, rules.concept_ignored).fates
    # Its text must not be found in another section of the ADR instead.
    carrying = {fate.into for fate in fates if _required_name(fate, rules)}
    doc, _ = _without_drops(adr.doc)
    others = tuple(section for section in doc.sections if section.title not in carrying)
    bare = doc._replace(sections=others)
    required = _required(before, bare, rules)
    for fate in fates:
        if fate.fate == DROPPED:  # the ADR gives the reason
            required.pop(_required_name(fate, rules), None)
    if concept:
        for name in _required(concept, bare, rules):
            required.pop(name, None)
    line = adr.header.line_of("concept", adr.title_line)
    return _no_longer_required("the changed concept", list(required.values()), line)


def _required(concept: AdrDocument, doc: AdrDocument, ruleset: Ruleset) -> dict[str, str]:
    """Return the sections of a concept whose loss in an ADR is an error: titles by name."""
    titles: dict[str, str] = {}
    for fate in compare(concept, doc, ruleset.meanings, ruleset.concept_ignored).fates:
        name = _required_name(fate, ruleset)
        if name and fate.lost:
            titles.setdefault(name, fate.title)
    return titles


def _required_name(fate: SectionFate, ruleset: Ruleset) -> str:
    """Return the name by which the loss of a section is an error; "" if it is not one."""
    configured = ruleset.severities.get("concept-section-missing", "")
    if configured not in ("", "error"):
        return ""
    names = (*fate.meanings, normalise(fate.title))
    critical = [name for name in names if name in ruleset.vocabulary.critical]
    if critical:
        return critical[0]
    return names[0] if configured else ""


def _no_longer_required(by: str, names: list[str], line: int) -> RuleResult | None:
    if not names:
        return None
    others = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    listed = f"{', '.join(names[:_SHOWN])}{others}"
    them = "them" if len(names) > 1 else "it"
    message = f"{by} no longer requires {listed}, so the ADR may lack {them}"
    return RuleResult(line=line, message=message, help=_HELP, subject="\n".join(names))


def _switched_off(ruleset: Ruleset, sides: _Sides) -> Iterator[tuple[str, RuleResult]]:
    """Yield the contextual rules that applied to the old version and no longer apply, by id.

    `ruleset` are the rules of the base.
    """
    adr, old = sides
    if not old:
        return
    for rule in contextual_rules(old, ruleset):
        is_error = ruleset.severities.get(rule.id, rule.severity) == "error"
        if not is_error or rule.when.line(old) is None or rule.when.line(adr) is not None:
            continue
        names = _changed_fields([rule], sides)
        if rule.when.line(_with_fields(adr, old, names)) is None:
            names = []
        if not names and _violation(rule, old):
            continue  # a claim may be taken back, instead of what it demands
        by = " and ".join(map(sides.field_change, names)) or "the changed text"
        message = f"the rule {rule.id} no longer applies because of {by}"
        violation = _violation(rule, adr)
        if violation:
            message += f", and the ADR violates it: {violation}"
        else:
            message += ", so a later change could violate it"
        line = adr.header.line_of(names[0], adr.title_line) if names else adr.title_line
        yield rule.id, RuleResult(line=line, message=message, help=_HELP, subject=rule.id)


def _violation(rule: ContextualRule, adr: Adr) -> str:
    """Return the message of an error of a rule in an ADR; "" if it has none."""
    unmet = rule.unmet(adr, adr.title_line)
    return next((item.message for item in unmet if item.severity in ("", "error")), "")


def allowed_by_baseline(
    baseline: Baseline,
    before: Callable[[str], Mapping[str, int]],
    present: Callable[[str], Mapping[str, int]],
) -> list[RuleResult]:
    """Return the questions about entries of a baseline that allow more findings than before.

    `before` counts what the baseline of the base allows in an ADR, by rule, and `present` what the
    base has there. Entries that allow only what the base has are one question: a team begins with
    a baseline of its old findings.
    """
    help = "fix the hidden errors, or request an approval"
    lines = baseline.lines()
    questions: list[RuleResult] = []
    allowed: dict[str, int] = {}
    subjects: list[str] = []
    for path, rules in baseline.counts.items():
        counts, there = before(path), present(path)
        for rule, count in rules.items():
            old, subject = counts.get(rule, 0), f"{rule} {path}"
            if count > max(old, there.get(rule, 0)):
                message = f"the baseline allows {count} {rule} in {path} (before: {old})"
                item = RuleResult(line=lines.get(path, 1), message=message, help=help)
                questions.append(item._replace(question=True, subject=subject))
            elif count > old:
                allowed[path] = allowed.get(path, 0) + count - old
                subjects.append(subject)
    if allowed:
        findings, adrs = counted(sum(allowed.values()), "finding"), counted(len(allowed), "ADR")
        message = f"the baseline leaves out {findings} in {adrs}, all from before this change"
        item = RuleResult(line=lines.get(next(iter(allowed)), 1), message=message, help=help)
        questions.append(item._replace(question=True, subject="\n".join(subjects)))
    return questions
