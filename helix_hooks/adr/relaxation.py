"""`gate-relaxed`: the errors that a change hides, measured by the version before it.

The ADR is checked again for each thing that may relax the gate: without it, or as it was before. An
error that appears only then is what the change hides. An older comment, baseline entry or number
counts only for errors that it hid before.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ..finding import Finding
from .check_report import FileReport
from .concept import DROPPED, dropped
from .corpus import CLOSED, REFUSED, Corpus
from .examine import Source, examined, held, left_out, read
from .finding_key import Key, key_of, keys_of
from .finish import Terms, finish
from .model import Adr
from .parse.document import AdrDocument
from .rules.contextual.rule import fields_asked
from .rules.gate.gate_relaxed import Relaxation
from .rules.registry import OFF, Ruleset
from .severity import finding_of, is_old


class Base(NamedTuple):
    """The state before the change: its rules, its baseline counts of this file, new names of files.

    `report` has the findings of these rules in this ADR, in the `corpus` of then. It is None for a
    new ADR, an unreadable one, and a file that was no ADR by the settings of then.
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
    """A report without one possible relaxation, at `line` (0: as the error) or `lines` by error."""

    by: str
    report: FileReport
    line: int = 0
    lines: dict[tuple[str, int] | str, int] = {}  # noqa: RUF012 -- never written to

    def place(self, finding: Finding) -> int:
        keys = ((finding.check, finding.line), (finding.check, 0), _section(finding.message))
        return next((self.lines[key] for key in keys if key in self.lines), self.line)


def change_of(
    source: Source,
    raw: FileReport,
    ruleset: Ruleset,
    base: Base,
    counts: dict[str, int],
    corpus: Corpus | None = None,
) -> AdrChange:
    """A changed ADR as it is measured. `raw` is the result of `examine`."""
    before = source.bases[0] if source.bases and not source.bases[0].doc.defect else None
    old = read(Source(before.doc, before.concept), base.ruleset) if before else None
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
    found: list[Relaxation] = []
    for measure in _measures(change):
        left = known.copy()
        for finding in _errors(measure.report):
            keys = key_of(finding)
            if all(left[key] > 0 for key in keys):
                left.subtract(keys)
            else:
                known.update(keys)
                found.append(Relaxation(measure.by, measure.place(finding), finding))
    return found


def _hidden_before(change: AdrChange) -> Counter[Key]:
    """The errors that something hid at the base: a comment, the baseline, or a low number."""
    old, base = change.old, change.base
    if not old or not base.report:
        return Counter()
    bare, _ = without_drops(old.doc)
    found = base.report.findings
    if bare is not old.doc:
        source = Source(bare, change.source.bases[0].concept)
        found = examined(read(source, base.ruleset), source, base.ruleset, alone=True).findings
    strict = finish(
        base.report._replace(findings=found, comments=()),
        base.ruleset,
        base.corpus,
        Terms(new=True),
    )
    return keys_of(_errors(strict), base.names) - keys_of(
        _errors(_shown_before(base, base.report)), base.names
    )


def _shown_before(base: Base, report: FileReport) -> FileReport:
    return finish(report, base.ruleset, base.corpus, Terms(counts=base.counts))


def _known_before(change: AdrChange) -> Counter[Key]:
    """Return the errors from before an ADR was retired. They need no fix."""
    if not change.base.report or change.raw.status not in (*CLOSED, *REFUSED):
        return Counter()
    return keys_of(_errors(_shown_before(change.base, change.base.report)), change.base.names)


def _errors(report: FileReport) -> list[Finding]:
    return [finding for finding in report.findings if finding.severity == "error"]


def _section(message: str) -> str:
    """Return the beginning of the message on a lost section of a concept."""
    return message.partition("' (")[0]


def _measures(change: AdrChange) -> Iterator[_Measure]:
    """Yield each possible relaxation, and the report without it."""
    own = Terms(counts=change.counts)
    yield from _without_comments(change, own)
    if change.counts:
        by = (
            "an older baseline entry"
            if change.counts == change.base.counts
            else "a baseline entry of this change"
        )
        yield _Measure(by, finish(change.raw, change.ruleset, change.corpus, Terms()))
    if change.raw.entry and is_old(change.raw.entry.key, change.ruleset.strict_from):
        strict = finish(change.raw, change.ruleset, change.corpus, own._replace(new=True))
        yield _Measure("a number below `strict_from`", strict, change.raw.entry.id_line)
    status = change.adr.header.fields.get("status")
    if change.raw.status != (
        change.old.statuses.read(change.old.header.text("status")) if change.old else None
    ):
        held = finish(
            change.raw,
            change.ruleset,
            change.corpus,
            own._replace(status="-", new=not change.base.old),
        )
        yield _Measure(
            f"the status {change.raw.status or 'of this change'}",
            held,
            status.line if status else 0,
        )
    if change.old:
        yield from _as_before(change, change.old, own)
    if change.base.settings_changed:
        yield _Measure(
            "a setting of this change",
            _again(change, change.adr, change.base.ruleset, change.source),
        )
    yield _Measure("this change", _all_at_once(change))
    held = finish(
        change.raw._replace(comments=()),
        change.ruleset,
        change.corpus,
        Terms(_status_before(change), new=True),
    )
    yield _Measure("this change", held)


def _shown(adr: Adr, name: str) -> str:
    return adr.header.text(name)[:40] or "left out"


def _without_comments(change: AdrChange, own: Terms) -> Iterator[_Measure]:
    if change.raw.comments:
        lines: dict[tuple[str, int] | str, int] = {}
        for comment in change.raw.comments:
            for rule in comment.rules if comment.reason else ():
                lines.setdefault((rule, comment.only), comment.line)
        held = finish(change.raw._replace(comments=()), change.ruleset, change.corpus, own)
        yield _Measure("this comment", held, change.raw.comments[0].line, lines)
    doc, line = without_drops(change.source.doc)
    if doc is not change.source.doc:
        source = change.source._replace(doc=doc)
        fates = change.adr.concept.fates if change.adr.concept else ()
        by_section: dict[tuple[str, int] | str, int] = {
            f"the concept's section '{fate.title}": fate.by
            for fate in fates
            if fate.fate == DROPPED
        }
        held = finish(
            _examined(change, read(source, change.ruleset), change.ruleset, source),
            change.ruleset,
            None,
            own,
        )
        yield _Measure("this comment", held, line, by_section)


def without_drops(doc: AdrDocument) -> tuple[AdrDocument, int]:
    """The document without its `helix-dropped` comments, and the line of the first of them."""
    drops = list(dropped(doc))
    places = {place for place, _ in drops}
    return (
        (
            doc._replace(comments=tuple(place for place in doc.comments if place not in places)),
            drops[0][1].line,
        )
        if drops
        else (doc, 0)
    )


def _as_before(change: AdrChange, old: Adr, own: Terms) -> Iterator[_Measure]:
    """With the template, header fields and concept of the version before."""
    adr, source, ruleset = change.adr, change.source, change.ruleset
    if adr.template.name != old.template.name:
        yield _Measure(
            template_change(adr, old),
            _again(change, adr._replace(template=held(old)), ruleset, source),
            adr.title_line,
        )
    for name in lowered(change, old):
        field = adr.header.fields.get(name)
        report = _again(change, _with_field(adr, old, name), ruleset, source)
        yield _Measure(
            field_change(adr, old, name), report, field.line if field else adr.title_line
        )
    yield from _silenced(change, old)
    concept = source.bases[0].concept
    if concept and (not source.concept or concept.data != source.concept.data):
        held_source = source._replace(concept=concept)
        report = finish(
            _examined(change, read(held_source, ruleset), ruleset, held_source), ruleset, None, own
        )
        yield _Measure("the changed concept", report, adr.title_line)


def template_change(adr: Adr, old: Adr) -> str:
    return f"the template {adr.template.name} (was {old.template.name})"


def field_change(adr: Adr, old: Adr, name: str) -> str:
    return f"{name} {_shown(adr, name)} (was {_shown(old, name)})"


def _silenced(change: AdrChange, old: Adr) -> Iterator[_Measure]:
    """Yield the findings of contextual rules that the old version met and that no longer apply."""
    for rule in change.base.ruleset.contextual:
        line = rule.triggered(old) if change.base.ruleset.severities.get(rule.id) != OFF else None
        if (
            line is not None
            and rule.triggered(change.adr) is None
            and not any(True for _ in rule.unmet(old, line))
        ):
            unmet = list(rule.unmet(change.adr, change.adr.title_line))
            severities = change.base.ruleset.severities
            findings = tuple(
                finding_of(
                    rule, item, change.source.doc.path, change.source.doc.last_line, severities
                )
                for item in unmet
            )
            report = finish(change.raw._replace(findings=findings), change.ruleset)
            yield _Measure(
                f"the change that switched off the rule {rule.id}", report, change.adr.title_line
            )


def lowered(change: AdrChange, old: Adr) -> list[str]:
    """Header fields that rules ask for and that say something else than before."""
    asked = dict.fromkeys(
        field.field for rule in change.base.ruleset.contextual for field in fields_asked(rule.when)
    )
    return [
        name
        for name in asked
        if old.header.text(name)
        and old.header.text(name).casefold() != change.adr.header.text(name).casefold()
    ]


def _with_field(adr: Adr, old: Adr, name: str) -> Adr:
    field = old.header.fields[name]._replace(line=adr.header.line, column=1)
    return adr._replace(header=adr.header._replace(fields={**adr.header.fields, name: field}))


def with_fields(adr: Adr, old: Adr, names: Collection[str]) -> Adr:
    """An ADR with some header fields as another one has them, or has them not."""
    kept = {name: field for name, field in adr.header.fields.items() if name not in names}
    before = {
        name: old.header.fields[name]._replace(line=adr.header.line, column=1)
        for name in names
        if name in old.header.fields
    }
    return adr._replace(header=adr.header._replace(fields={**kept, **before}))


def _again(change: AdrChange, adr: Adr, ruleset: Ruleset, source: Source) -> FileReport:
    """The report under other rules or facts, with the author's comments and state."""
    return finish(
        _examined(change, adr, ruleset, source), ruleset, None, Terms(counts=change.counts)
    )


def _examined(change: AdrChange, adr: Adr, ruleset: Ruleset, source: Source) -> FileReport:
    """Return the rules' findings in the ADR, but for edits of decided text."""
    return examined(
        adr,
        source if change.base.settings_changed else source._replace(bases=()),
        ruleset,
        alone=True,
    )


def _status_before(change: AdrChange) -> str:
    return (
        (change.old.statuses.read(change.old.header.text("status")) or "-") if change.old else "-"
    )


def _all_at_once(change: AdrChange) -> FileReport:
    """Measure all at once: two things together may hide an error that neither hides alone."""
    old, ruleset = change.old, change.base.ruleset
    doc, _ = without_drops(change.source.doc)
    before = change.source.bases[0].concept if old else None
    source = change.source._replace(doc=doc, concept=before or change.source.concept)
    adr = read(source, ruleset)
    if old:
        adr = with_fields(adr, old, lowered(change, old))
        adr = adr._replace(template=held(old)) if ruleset.template == "auto" else adr
    report = _examined(change, adr, ruleset, source)
    return finish(
        report._replace(comments=()), ruleset, None, Terms(_status_before(change), new=True)
    )
