"""The findings of each changed ADR, compared with those that its version at the base had."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..adr.baseline import Baseline
from ..adr.check_report import FileReport
from ..adr.corpus import CLOSED, REFUSED, Corpus
from ..adr.examine import Source, examine
from ..adr.finish import Terms, finish
from ..adr.old_findings import (
    CheckedAdr,
    FileChange,
    as_information,
    is_measured,
    on_unchanged_lines,
)
from ..adr.planted import idle, planted
from ..adr.reference import key_in_path
from ..adr.relaxation import Base, change_of, relaxations
from ..adr.rules.gate.gate_relaxed import GATE_RELAXED
from ..adr.rules.registry import OF_THE_CHANGE
from ..adr.severity import finding_of, is_old
from ..finding import Finding
from ..repository import files
from .against_head import needs_others
from .comparison import Comparison


class _Changed(NamedTuple):
    """A changed ADR: its report, its source, its report at the base by the rules of the base, and
    the change.
    """

    report: FileReport
    source: Source
    old: FileReport
    change: FileChange


class _Sides(NamedTuple):
    """The facts about both sides besides an ADR: the corpora around it, the head's baseline, new
    names.

    `new_names` maps the names at the base to those of renamed files. The corpus of the base is None
    where nothing hid a finding.
    """

    comparison: Comparison
    corpus: Corpus
    base_corpus: Corpus | None
    baseline: Baseline | None
    new_names: dict[str, str]

    def counts(self, path: str) -> dict[str, int]:
        return self.baseline.counts.get(path, {}) if self.baseline else {}


def settled(
    comparison: Comparison,
    sources: list[Source],
    examined: list[FileReport],
    *,
    corpus: Corpus,
    baseline: Baseline | None,
    corpus_at_base: Callable[[list[FileReport]], Corpus],
) -> list[FileReport]:
    """Return the reports with what the change hides, and unchanged findings as information.

    `corpus_at_base` returns the corpus around some ADRs as they were at the base.
    """
    before = [_before(comparison, source) for source in sources]
    pairs = zip(examined, before, strict=True)
    hiding = [old for file, old in pairs if old and _may_hide(comparison, file.path, old)]
    sides = _Sides(
        comparison=comparison,
        corpus=corpus,
        base_corpus=corpus_at_base(hiding) if hiding else None,
        baseline=baseline,
        new_names={old: new for new, old in comparison.diff.old_names.items()},
    )
    reports = [
        _settled(sides, file, source, old)
        for file, source, old in zip(examined, sources, before, strict=True)
    ]
    changed = [
        _Changed(report, source, old, change)
        for report, source, old, file in zip(reports, sources, before, examined, strict=True)
        if old and (change := _since(comparison, source, old, file))
    ]
    return _measured(sides, reports, changed, corpus_at_base)


def _measured(
    sides: _Sides,
    reports: list[FileReport],
    changed: list[_Changed],
    corpus_at_base: Callable[[list[FileReport]], Corpus],
) -> list[FileReport]:
    """Return the reports with the old findings of changed ADRs as information."""
    ruleset = sides.comparison.base_settings.ruleset
    among = [item.old for item in changed if needs_others(item.report)]
    others = corpus_at_base(among) if among else None
    settled: dict[str, FileReport] = {}
    for item in changed:
        before = finish(item.old, ruleset, others if needs_others(item.report) else None)
        version = CheckedAdr(item.source.bases[0].doc, before)
        now = CheckedAdr(item.source.doc, item.report)
        if is_measured(now, version) and not (item.change.renamed and _is_rewritten(item.report)):
            meanings = sides.comparison.settings.ruleset.meanings
            report = as_information(now, [version], meanings, sides.new_names)
            settled[report.path] = on_unchanged_lines(report, item.change)
    return [settled.get(report.path, report) for report in reports]


def _is_rewritten(report: FileReport) -> bool:
    """Return whether accepted text was changed in a way that is not allowed."""
    return any(finding.check in OF_THE_CHANGE for finding in report.findings)


def _before(comparison: Comparison, source: Source) -> FileReport | None:
    """Return what the base's rules find in an ADR as it was."""
    if not source.bases:
        return None
    before = source.bases[0]
    old = Source(before.doc, before.concept)
    return examine(old, comparison.base_settings.ruleset, comparison.diff.base.present)


def _may_hide(comparison: Comparison, path: str, old: FileReport) -> bool:
    """Return whether something hid findings in an ADR as it was.

    Only then its neighbours of that time have to be known.
    """
    if old.comments or comparison.base_counts(path):
        return True
    entry = old.entry
    return bool(entry and is_old(entry.key, comparison.base_settings.ruleset.strict_from))


def _settled(sides: _Sides, file: FileReport, source: Source, old: FileReport | None) -> FileReport:
    """Return the report of one ADR, settled among the others and against its base."""
    comparison, corpus = sides.comparison, sides.corpus
    ruleset = comparison.settings.ruleset
    counts = sides.counts(file.path)
    base = _base(sides, file, source, old)
    change = change_of(source, file, ruleset, base, counts, corpus)
    hiding = relaxations(change)
    unused = idle(change)
    concept = source.concept
    if comparison.changed_settings:
        concept = files.concept_of(comparison.tree, source.doc, comparison.own_settings)
    hidden = [
        *GATE_RELAXED.check(hiding),
        *(item for _, _, item in unused),
        *planted(change, hiding, concept),
    ]
    last, severities = source.doc.last_line, ruleset.severities
    more = tuple(finding_of(GATE_RELAXED, item, file.path, last, severities) for item in hidden)
    lines = file.lines
    if more:
        lines = {**lines, **source.doc.texts({finding.line for finding in more})}
    terms = Terms(
        status=old.status if old else "",
        new=not base.old,
        counts=counts,
        idle=frozenset((line, rule) for line, rule, _ in unused),
    )
    file = file._replace(findings=(*file.findings, *more), lines=lines)
    return finish(file, ruleset, corpus, terms)


def _base(sides: _Sides, file: FileReport, source: Source, old: FileReport | None) -> Base:
    """Return what held for an ADR at the base."""
    comparison = sides.comparison
    was_checked = (
        old is not None
        and not source.bases[0].doc.defect
        and comparison.base_settings.is_adr(old.path)
    )
    return Base(
        ruleset=comparison.base_settings.ruleset,
        counts=comparison.base_counts(file.path),
        settings_changed=bool(comparison.changed_settings),
        report=old if was_checked else None,
        corpus=sides.base_corpus,
        names=sides.new_names,
    )


def _since(
    comparison: Comparison, source: Source, old: FileReport | None, file: FileReport
) -> FileChange | None:
    """Return what is unchanged in an ADR; None where everything counts.

    Everything counts for a new ADR, and where the status was changed, but for one that is retired.
    """
    if old is None or source.bases[0].doc.defect:
        return None
    if old.status != file.status and file.status not in (*CLOSED, *REFUSED):
        return None
    known, now = _counted(old.findings), _counted(file.findings)
    errors_before, errors = (
        _counted(finding for finding in report.findings if finding.severity == "error")
        for report in (old, file)
    )
    return FileChange(
        lines=_changed_lines(source),
        before=frozenset(known.keys() - (now - known).keys() - (errors - errors_before).keys()),
        renamed=file.path in comparison.diff.old_names,
        refers=_refers_anew(comparison, old, file),
    )


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((finding.check, finding.message) for finding in findings)


def _changed_lines(source: Source) -> frozenset[int]:
    """Return the numbers of the lines that the version at the base did not have."""
    left = Counter(source.bases[0].doc.data.split(b"\n"))
    changed = set()
    for number, line in enumerate(source.doc.data.split(b"\n"), 1):
        if left[line] > 0:
            left[line] -= 1
        else:
            changed.add(number)
    return frozenset(changed)


def _refers_anew(comparison: Comparison, old: FileReport, file: FileReport) -> bool:
    """Return whether an ADR names others than before, or one that is unsettled."""
    references = file.entry.references if file.entry else ()
    before = old.entry.references if old.entry else ()
    known = {(item.kind, item.key, item.path) for item in before}
    if not {(item.kind, item.key, item.path) for item in references} <= known:
        return True
    paths = comparison.unsettled
    unsettled = {name for path in paths for name in (path, key_in_path(path)) if name}
    return any({item.key, item.path} & unsettled for item in references)
