"""`gate-relaxed`: the errors that a change hides, compared with the version before it.

The ADR is checked again for each possible relaxation: without it, or as it was before. The change
hides each error that appears only then. An older comment, baseline entry or number may hide only
the errors that it hid before.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..finding import Finding, Key, key_of, keys_of
from .check_report import FileReport
from .concept import DROPPED, dropped
from .corpus import CLOSED, REFUSED, Corpus
from .examine import Source, examine, left_out, read
from .finish import Terms, finish
from .model import Adr
from .parse.document import AdrDocument
from .rules.contextual.rule import ContextualRule, fields_asked
from .rules.gate.gate_relaxed import Relaxation
from .rules.registry import OFF, Ruleset
from .severity import finding_of, is_old


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
    def old(self) -> bool:
        """Return whether the ADR was older than `strict_from`."""
        entry = self.report.entry if self.report else None
        return bool(entry and is_old(entry.key, self.ruleset.strict_from))


class AdrChange(NamedTuple):
    """A changed ADR: source, version before (None: new), and unfiltered report."""

    source: Source
    adr: Adr
    old: Adr | None
    raw: FileReport
    ruleset: Ruleset
    base: Base
    counts: dict[str, int]
    corpus: Corpus | None


class _Measure(NamedTuple):
    """A report without one possible relaxation, and its cause for a message.

    `lines` has the line of the cause by error, `line` the line for all other errors; 0 is the line
    of the error.
    """

    by: str
    report: FileReport
    line: int = 0
    lines: dict[tuple[str, int] | str, int] = {}  # noqa: RUF012 -- never written to

    def place(self, finding: Finding) -> int:
        keys = ((finding.check, finding.line), (finding.check, 0), finding.subject)
        for key in keys:
            if key in self.lines:
                return self.lines[key]
        return self.line


def change_of(
    source: Source,
    raw: FileReport,
    ruleset: Ruleset,
    base: Base,
    counts: dict[str, int],
    corpus: Corpus | None = None,
) -> AdrChange:
    """Return a changed ADR for `relaxations`. `raw` is the result of `examine`."""
    old = None
    if source.bases and not source.bases[0].doc.defect:
        before = source.bases[0]
        old = read(Source(before.doc, before.concept, is_new=False), base.ruleset)
    return AdrChange(
        source=source,
        adr=read(source, ruleset),
        old=old,
        raw=raw,
        ruleset=ruleset,
        base=base,
        counts=counts,
        corpus=corpus,
    )


def relaxations(change: AdrChange) -> list[Relaxation]:
    """Return the errors that the change hides, each once, with the cause."""
    if change.source.doc.defect:
        return []
    shown = finish(change.raw, change.ruleset, change.corpus, Terms(counts=change.counts))
    known = keys_of(_errors(shown)) + _hidden_before(change) + _known_before(change)
    known += keys_of(left_out(change.adr, change.raw.findings, change.ruleset))
    hidden: list[Relaxation] = []
    for measure in _measures(change):
        # Each relaxation is compared on its own, so the known errors count for each of them.
        left = known.copy()
        for finding in _errors(measure.report):
            keys = key_of(finding)
            if all(left[key] > 0 for key in keys):
                left.subtract(keys)
            else:
                known.update(keys)
                hidden.append(Relaxation(measure.by, measure.place(finding), finding))
    return hidden


def _hidden_before(change: AdrChange) -> Counter[Key]:
    """Count the errors that a comment, the baseline or a low number hid before the change."""
    old, base = change.old, change.base
    if not old or not base.report:
        return Counter()
    bare, _ = without_drops(old.doc)
    findings = base.report.findings
    # An ADR that becomes decided is held as a new one: both versions are measured alike.
    is_new = change.adr.is_new
    if bare is not old.doc or is_new:
        concept, norm = change.source.bases[0].concept, change.source.norm
        source = Source(bare, concept, is_new=is_new, norm=norm)
        findings = examine(source, base.ruleset, alone=True).findings
    report = base.report._replace(findings=findings, comments=())
    strict = finish(report, base.ruleset, base.corpus, Terms(new=True))
    shown = _shown_before(base, base.report)
    return keys_of(_errors(strict), base.names) - keys_of(_errors(shown), base.names)


def _shown_before(base: Base, report: FileReport) -> FileReport:
    return finish(report, base.ruleset, base.corpus, Terms(counts=base.counts))


def _known_before(change: AdrChange) -> Counter[Key]:
    """Return the errors from before an ADR was retired. They need no fix."""
    if not change.base.report or change.raw.status not in (*CLOSED, *REFUSED):
        return Counter()
    return keys_of(_errors(_shown_before(change.base, change.base.report)), change.base.names)


def _errors(report: FileReport) -> list[Finding]:
    return [finding for finding in report.findings if finding.severity == "error"]


def _measures(change: AdrChange) -> Iterator[_Measure]:
    """Yield each possible relaxation, and the report without it."""
    own = Terms(counts=change.counts)
    yield from _without_comments(change, own)
    yield from _without_dropped(change, own)
    yield from _without_age(change, own)
    yield from _without_status(change, own)
    if change.old:
        yield from _as_before(change, change.old, own)
    if change.base.settings_changed:
        report = _again(change, change.adr, change.base.ruleset, change.source)
        yield _Measure("a setting of this change", report)
    # These come last, so that a single cause is named where there is one.
    yield _Measure("this change", _all_at_once(change))
    bare = change.raw._replace(comments=())
    terms = Terms(_status_before(change), new=True)
    yield _Measure("this change", finish(bare, change.ruleset, change.corpus, terms))


def _without_age(change: AdrChange, own: Terms) -> Iterator[_Measure]:
    """Yield the report without the baseline, and for an ADR that is not old."""
    if change.counts:
        is_older = change.counts == change.base.counts
        by = "an older baseline entry" if is_older else "a baseline entry of this change"
        yield _Measure(by, finish(change.raw, change.ruleset, change.corpus, Terms()))
    entry = change.raw.entry
    if entry and is_old(entry.key, change.ruleset.strict_from):
        strict = finish(change.raw, change.ruleset, change.corpus, own._replace(new=True))
        yield _Measure("a number below `strict_from`", strict, entry.id_line)


def _without_status(change: AdrChange, own: Terms) -> Iterator[_Measure]:
    """Yield the report without a new status."""
    if change.raw.status == _old_status(change):
        return
    terms = own._replace(status="-", new=not change.base.old)
    report = finish(change.raw, change.ruleset, change.corpus, terms)
    by = f"the status {change.raw.status or 'of this change'}"
    yield _Measure(by, report, change.adr.header.line_of("status", 0))


def _old_status(change: AdrChange) -> str | None:
    """Return the status of the version before, None for a new ADR."""
    old = change.old
    return old.statuses.read(old.header.text("status")) if old else None


def _shown(adr: Adr, name: str) -> str:
    return adr.header.text(name)[:40] or "left out"


def _without_comments(change: AdrChange, own: Terms) -> Iterator[_Measure]:
    """Yield the report without suppressing comments."""
    comments = change.raw.comments
    if not comments:
        return
    lines: dict[tuple[str, int] | str, int] = {}
    for comment in comments:
        if comment.reason:
            for rule in comment.rules:
                lines.setdefault((rule, comment.only), comment.line)
    report = finish(change.raw._replace(comments=()), change.ruleset, change.corpus, own)
    yield _Measure("this comment", report, comments[0].line, lines)


def _without_dropped(change: AdrChange, own: Terms) -> Iterator[_Measure]:
    """Yield the report without `helix-dropped` comments."""
    doc, line = without_drops(change.source.doc)
    if doc is change.source.doc:
        return
    source = change.source._replace(doc=doc)
    lines: dict[tuple[str, int] | str, int] = {
        fate.title: fate.by for fate in change.adr.fates if fate.fate == DROPPED
    }
    report = _examined(change, read(source, change.ruleset), change.ruleset, source)
    yield _Measure("this comment", finish(report, change.ruleset, None, own), line, lines)


def without_drops(doc: AdrDocument) -> tuple[AdrDocument, int]:
    """Return a document without its `helix-dropped` comments, and the line of the first one.

    Without such a comment, return the document itself and 0.
    """
    drops = list(dropped(doc))
    if not drops:
        return doc, 0
    places = {place for place, _ in drops}
    comments = tuple(place for place in doc.comments if place not in places)
    return doc._replace(comments=comments), drops[0][1].line


def _as_before(change: AdrChange, old: Adr, own: Terms) -> Iterator[_Measure]:
    """Yield the reports with the template, header fields and concept of the version before."""
    adr, source, ruleset = change.adr, change.source, change.ruleset
    if adr.template.name != old.template.name:
        report = _again(change, adr._replace(template=old.template), ruleset, source)
        yield _Measure(template_change(adr, old), report, adr.title_line)
    for name in lowered(change, old):
        report = _again(change, _with_field(adr, old, name), ruleset, source)
        line = adr.header.line_of(name, adr.title_line)
        yield _Measure(field_change(adr, old, name), report, line)
    yield from _silenced(change, old)
    concept = source.bases[0].concept
    if concept and (not source.concept or concept.data != source.concept.data):
        with_old = source._replace(concept=concept)
        report = _examined(change, read(with_old, ruleset), ruleset, with_old)
        report = finish(report, ruleset, None, own)
        yield _Measure("the changed concept", report, adr.title_line)


def template_change(adr: Adr, old: Adr) -> str:
    """Return the change of the template, for a message."""
    return f"the template {adr.template.name} (was {old.template.name})"


def field_change(adr: Adr, old: Adr, name: str) -> str:
    """Return the change of a header field, for a message."""
    return f"{name} {_shown(adr, name)} (was {_shown(old, name)})"


def _silenced(change: AdrChange, old: Adr) -> Iterator[_Measure]:
    """Yield the findings of contextual rules that the old version met and that no longer apply."""
    doc, adr, severities = change.source.doc, change.adr, change.base.ruleset.severities
    for rule in change.base.ruleset.contextual:
        if severities.get(rule.id) == OFF or not _is_silenced(rule, adr, old):
            continue
        findings = tuple(
            finding_of(rule, item, doc.path, doc.last_line, severities)
            for item in rule.unmet(adr, adr.title_line)
        )
        report = finish(change.raw._replace(findings=findings), change.ruleset)
        by = f"the change that switched off the rule {rule.id}"
        yield _Measure(by, report, adr.title_line)


def _is_silenced(rule: ContextualRule, adr: Adr, old: Adr) -> bool:
    line = rule.when.line(old)
    if line is None or rule.when.line(adr) is not None:
        return False
    return not any(True for _ in rule.unmet(old, line))


def lowered(change: AdrChange, old: Adr) -> list[str]:
    """Return the changed header fields on which contextual rules depend."""
    names: dict[str, None] = {}
    for rule in change.base.ruleset.contextual:
        names.update(dict.fromkeys(item.field for item in fields_asked(rule.when)))
    return [name for name in names if _is_other(old.header.text(name), change.adr, name)]


def _is_other(old_text: str, adr: Adr, name: str) -> bool:
    return old_text != "" and old_text.casefold() != adr.header.text(name).casefold()


def _with_field(adr: Adr, old: Adr, name: str) -> Adr:
    field = old.header.fields[name]._replace(line=adr.header.line, column=1)
    return adr._replace(header=adr.header._replace(fields={**adr.header.fields, name: field}))


def with_fields(adr: Adr, old: Adr, names: Collection[str]) -> Adr:
    """Return an ADR with some header fields of another one, or without those it lacks."""
    fields = {name: field for name, field in adr.header.fields.items() if name not in names}
    for name in names:
        if name in old.header.fields:
            fields[name] = old.header.fields[name]._replace(line=adr.header.line, column=1)
    return adr._replace(header=adr.header._replace(fields=fields))


def _again(change: AdrChange, adr: Adr, ruleset: Ruleset, source: Source) -> FileReport:
    """Return the report under other rules or facts, with the author's comments and status."""
    report = _examined(change, adr, ruleset, source)
    return finish(report, ruleset, None, Terms(counts=change.counts))


def _examined(change: AdrChange, adr: Adr, ruleset: Ruleset, source: Source) -> FileReport:
    """Return the rules' findings in the ADR.

    The rules on the change of decided text run only if the settings changed too.
    """
    if not change.base.settings_changed:
        source = source._replace(bases=())
    return examine(source, ruleset, adr=adr, alone=True)


def _status_before(change: AdrChange) -> str:
    """Return the status before the change, "-" without one."""
    return _old_status(change) or "-"


def _all_at_once(change: AdrChange) -> FileReport:
    """Return the report without any relaxation.

    Two relaxations together may hide an error that neither of them hides alone.
    """
    old, ruleset = change.old, change.base.ruleset
    doc, _ = without_drops(change.source.doc)
    before = change.source.bases[0].concept if old else None
    source = change.source._replace(doc=doc, concept=before or change.source.concept)
    adr = read(source, ruleset)
    if old:
        adr = with_fields(adr, old, lowered(change, old))
        if ruleset.template == "auto":
            adr = adr._replace(template=old.template)
    report = _examined(change, adr, ruleset, source)._replace(comments=())
    return finish(report, ruleset, None, Terms(_status_before(change), new=True))
