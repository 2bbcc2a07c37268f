"""The findings of each changed ADR, compared with the findings of its version at the base."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from ..adr.baseline import Baseline
from ..adr.check_report import FileReport
from ..adr.corpus import CLOSED, REFUSED, Corpus
from ..adr.examine import Source, examine
from ..adr.finish import Terms, finish
from ..adr.model import RuleResult
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
from ..finding import Finding, Severity
from ..repository import files
from .against_head import needs_others
from .comparison import Comparison


class _Changed(NamedTuple):
    """A changed ADR: its report, its source, its report at the base, and the change.

    The report at the base uses the rules of the base.
    """

    report: FileReport
    source: Source
    old: FileReport
    change: FileChange


class _Sides(NamedTuple):
    """The facts about head and base that the comparison of each ADR needs.

    `corpus` and `baseline` are of the head. `base_corpus` is None if nothing hid a finding at the
    base. `new_names` maps the old path of each renamed file to the new one.
    """

    comparison: Comparison
    corpus: Corpus
    base_corpus: Corpus | None
    baseline: Baseline | None
    new_names: dict[str, str]

    def counts(self, path: str) -> dict[str, int]:
        """Return the number of findings that the baseline allows an ADR, by rule."""
        if self.baseline:
            return self.baseline.counts.get(path, {})
        return {}


def finish_against_base(
    comparison: Comparison,
    sources: list[Source],
    examined: list[FileReport],
    *,
    corpus: Corpus,
    baseline: Baseline | None,
    corpus_at_base: Callable[[list[FileReport]], Corpus],
) -> list[FileReport]:
    """Return the reports with the relaxations of the change, and unchanged findings as information.

    `corpus_at_base` returns the corpus around some ADRs at the base.
    """
    old_reports = [_report_at_base(comparison, source) for source in sources]
    hiding: list[FileReport] = []
    for file, old in zip(examined, old_reports, strict=True):
        if old and _may_hide(comparison, file.path, old):
            hiding.append(old)
    sides = _Sides(
        comparison=comparison,
        corpus=corpus,
        base_corpus=corpus_at_base(hiding) if hiding else None,
        baseline=baseline,
        new_names={old: new for new, old in comparison.diff.old_names.items()},
    )
    reports: list[FileReport] = []
    changed: list[_Changed] = []
    for file, source, old in zip(examined, sources, old_reports, strict=True):
        report = _finish(sides, file, source, old)
        reports.append(report)
        change = _unchanged_since_base(comparison, source, old, file)
        if old and change:
            changed.append(_Changed(report, source, old, change))
    return _with_old_findings(sides, reports, changed, corpus_at_base)


def _with_old_findings(
    sides: _Sides,
    reports: list[FileReport],
    changed: list[_Changed],
    corpus_at_base: Callable[[list[FileReport]], Corpus],
) -> list[FileReport]:
    """Return the reports with the old findings of changed ADRs as information."""
    meanings = sides.comparison.settings.ruleset.meanings
    with_others = [item.old for item in changed if needs_others(item.report)]
    others = corpus_at_base(with_others) if with_others else None
    compared: dict[str, FileReport] = {}
    for item in changed:
        version = _version_at_base(sides, item, others)
        now = CheckedAdr(item.source.doc, item.report)
        # A renamed file with another decision in it is a new ADR.
        is_replaced = item.change.renamed and _is_rewritten(item.report)
        if is_measured(now, version) and not is_replaced:
            report = as_information(now, [version], meanings, sides.new_names)
            compared[report.path] = on_unchanged_lines(report, item.change)
    return [compared.get(report.path, report) for report in reports]


def _version_at_base(sides: _Sides, item: _Changed, others: Corpus | None) -> CheckedAdr:
    """Return the ADR at the base; `others` are for the rules about several ADRs."""
    corpus = others if needs_others(item.report) else None
    before = finish(item.old, sides.comparison.base_settings.ruleset, corpus)
    return CheckedAdr(item.source.bases[0].doc, before)


def _is_rewritten(report: FileReport) -> bool:
    """Return whether accepted text was changed in a way that is not allowed."""
    return any(item.check in OF_THE_CHANGE and not item.question for item in report.findings)


def _report_at_base(comparison: Comparison, source: Source) -> FileReport | None:
    """Return the report on an ADR at the base, by the rules of the base; None if it is new."""
    if not source.bases:
        return None
    before = source.bases[0]
    old = Source(before.doc, before.concept)
    return examine(old, comparison.base_settings.ruleset, comparison.diff.base.present)


def _may_hide(comparison: Comparison, path: str, old: FileReport) -> bool:
    """Return whether something hid findings in an ADR at the base.

    The corpus at the base is read only for these ADRs.
    """
    if old.comments or comparison.base_counts(path):
        return True
    entry = old.entry
    return bool(entry and is_old(entry.key, comparison.base_settings.ruleset.strict_from))


def _finish(sides: _Sides, file: FileReport, source: Source, old: FileReport | None) -> FileReport:
    """Return the report of one ADR with corpus findings and relaxations, without hidden ones."""
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
    file = _with_findings(file, source, hidden, ruleset.severities)
    terms = Terms(
        status=old.status if old else "",
        new=not base.old,
        counts=counts,
        idle=frozenset((line, rule) for line, rule, _ in unused),
    )
    return finish(file, ruleset, corpus, terms)


def _with_findings(
    file: FileReport,
    source: Source,
    hidden: Iterable[RuleResult],
    severities: Mapping[str, Severity],
) -> FileReport:
    """Return a report with findings of gate-relaxed, and the lines that they point at."""
    last = source.doc.last_line
    new = [
        finding_of(GATE_RELAXED, item._replace(question=True), file.path, last, severities)
        for item in hidden
    ]
    if not new:
        return file
    lines = {**file.lines, **source.doc.texts({finding.line for finding in new})}
    return file._replace(findings=(*file.findings, *new), lines=lines)


def _base(sides: _Sides, file: FileReport, source: Source, old: FileReport | None) -> Base:
    """Return the rules, the baseline and the corpus for an ADR at the base."""
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


def _unchanged_since_base(
    comparison: Comparison, source: Source, old: FileReport | None, file: FileReport
) -> FileChange | None:
    """Return the lines and findings that the change leaves; None if each finding blocks.

    Each finding of a new ADR blocks, and of one with a new status, unless that retires it.
    """
    if old is None or source.bases[0].doc.defect:
        return None
    if old.status != file.status and file.status not in (*CLOSED, *REFUSED):
        return None
    return FileChange(
        lines=_changed_lines(source),
        before=_old_findings(old, file),
        renamed=file.path in comparison.diff.old_names,
        refers=_has_new_references(comparison, old, file),
    )


def _old_findings(old: FileReport, file: FileReport) -> frozenset[tuple[str, str]]:
    """Return the findings, by rule and message, that the ADR had at least as often at the base.

    One that became an error is not among them.
    """
    before, now = _counted(old.findings), _counted(file.findings)
    new_errors = _counted(_errors(file)) - _counted(_errors(old))
    return frozenset(before.keys() - (now - before).keys() - new_errors.keys())


def _errors(file: FileReport) -> Iterator[Finding]:
    return (finding for finding in file.findings if finding.severity == "error")


def _counted(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    return Counter((finding.check, finding.message) for finding in findings)


def _changed_lines(source: Source) -> frozenset[int]:
    """Return the numbers of the lines that the version at the base did not have.

    Lines are counted, not aligned: a moved line is unchanged, and the time is linear.
    """
    unmatched = Counter(source.bases[0].doc.data.split(b"\n"))
    changed = set()
    for number, line in enumerate(source.doc.data.split(b"\n"), 1):
        if unmatched[line] > 0:
            unmatched[line] -= 1
        else:
            changed.add(number)
    return frozenset(changed)


def _has_new_references(comparison: Comparison, old: FileReport, file: FileReport) -> bool:
    """Return whether an ADR names others than at the base, or one that the change unsettles."""
    now, before = _references(file), _references(old)
    if not now <= before:
        return True
    unsettled = {*comparison.unsettled, *map(key_in_path, comparison.unsettled)} - {""}
    return any(key in unsettled or path in unsettled for _, key, path in now)


def _references(file: FileReport) -> set[tuple[str, str, str]]:
    """Return the references of an ADR by kind, key and path."""
    if not file.entry:
        return set()
    return {(item.kind, item.key, item.path) for item in file.entry.references}
