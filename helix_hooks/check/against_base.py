"""The findings of a branch, compared with those of its base over the whole corpus of ADRs.

Each side is checked as a plain check would: all ADRs, by its own settings. What the head has and
the base lacks, by rule and subject, is new, in a changed ADR and in any other.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import NamedTuple, Protocol

from ..adr.baseline import Baseline, stale
from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import Corpus, PathHistory
from ..adr.examine import Source, examine
from ..adr.finding_key import keys_of
from ..adr.finish import Terms, finish, found_among
from ..adr.model import RuleResult
from ..adr.old_findings import CheckedAdr, as_information, is_measured
from ..adr.planted import idle, planted
from ..adr.relaxation import Base, change_of, relaxations
from ..adr.rules.gate.baseline_stale import BASELINE_STALE
from ..adr.rules.gate.gate_relaxed import GATE_RELAXED
from ..adr.rules.registry import OF_THE_CHANGE
from ..adr.severity import finding_of
from ..config.settings import Settings
from ..finding import Severity
from ..paths import is_below
from . import files
from .comparison import Comparison
from .trees import GitTree, Tree

Read = Callable[[str], Source]
"""Return an ADR by its path."""
ExamineAll = Callable[[Tree, Settings, Collection[str], Read], list[FileReport]]
"""Return the findings in each of some ADRs of a tree, on its own."""


class CorpusOf(Protocol):
    """Return the corpus of all ADRs of a tree, and the ADRs for which a rule was skipped."""

    def __call__(
        self,
        reports: list[FileReport],
        tree: Tree,
        settings: Settings,
        *,
        fates: Mapping[str, PathHistory] | None = None,
    ) -> tuple[Corpus, list[Skipped]]: ...


class _Sides(NamedTuple):
    """Head and base, each with the corpus of all its ADRs.

    `baseline` is that of the head. `at_base` are the reports on each ADR of the base on its own, by
    path. `new_names` maps the old path of each renamed file to the new one.
    """

    comparison: Comparison
    baseline: Baseline | None
    corpus: Corpus
    base_corpus: Corpus
    at_base: dict[str, FileReport]
    new_names: dict[str, str]

    def terms(self, path: str) -> Terms:
        """Return the terms of a plain check of the head for an ADR."""
        counts = self.baseline.counts.get(path, {}) if self.baseline else {}
        return Terms(counts=counts)

    def old(self, path: str) -> FileReport | None:
        """Return the report on an ADR of the head at the base; None if it was no ADR there."""
        return self.at_base.get(self.comparison.diff.old_names.get(path, path))

    def finished_at_base(self, path: str, old: FileReport) -> FileReport:
        """Return what a plain check of the base reports on an ADR of the head."""
        ruleset, counts = self.comparison.base_settings.ruleset, self.comparison.base_counts(path)
        return finish(old, ruleset, self.base_corpus, Terms(counts=counts))


def check_against_base(
    comparison: Comparison,
    paths: Collection[str],
    read: Read,
    *,
    below: list[str],
    baseline: Baseline | None,
    examine_all: ExamineAll,
    corpus_of: CorpusOf,
    only: bool,
) -> tuple[list[FileReport], list[Skipped]]:
    """Return the reports on the ADRs of some paths, and on others that get a new finding.

    They have the relaxations of the change, and the findings of the base as information. `read`
    returns an ADR with its version at the base. The others are those at or below some paths (all
    for none); with `only` they are left out.
    """
    tree, settings = comparison.tree, comparison.settings
    changed = examine_all(tree, settings, paths, read)
    others = _plainly_examined(tree, settings, examine_all, set(paths))
    corpus, skipped = corpus_of([*changed, *others], tree, settings)
    at_base = _at_base(comparison, others, examine_all)
    # A file that is missing on both sides has one history.
    base = comparison.diff.base
    base_corpus, _ = corpus_of(at_base, base, comparison.base_settings, fates=corpus.fates)
    sides = _Sides(
        comparison=comparison,
        baseline=baseline,
        corpus=corpus,
        base_corpus=base_corpus,
        at_base={file.path: file for file in at_base},
        new_names={old: new for new, old in comparison.diff.old_names.items()},
    )
    if not only:
        changed += [file for file in others if _is_affected(sides, file, below)]
    reports = [_compared(sides, file, read(file.path)) for file in changed]
    checked = {file.path for file in reports}
    skipped = [item for item in skipped if item.path in checked]
    if only or not baseline:
        return reports, skipped
    return [*reports, *_newly_stale(sides, baseline, reports, others, below)], skipped


def _at_base(
    comparison: Comparison, others: Iterable[FileReport], examine_all: ExamineAll
) -> list[FileReport]:
    """Return the findings in each ADR of the base. `others` are those of unchanged ADRs."""
    base = comparison.diff.base
    same = [_with_files_of(base, file) for file in others if _is_same(comparison, file.path)]
    known = {file.path for file in same}
    return same + _plainly_examined(base, comparison.base_settings, examine_all, known)


def _plainly_examined(
    tree: GitTree,
    settings: Settings,
    examine_all: ExamineAll,
    others: Collection[str] = (),
) -> list[FileReport]:
    """Return the findings in each ADR of a tree, except `others`, as if nothing had changed."""
    paths = [path for path in files.adrs(tree, settings) if path not in others]
    return examine_all(tree, settings, paths, partial(_plain_source, tree, settings))


def _plain_source(tree: GitTree, settings: Settings, path: str) -> Source:
    """Return an ADR as if nothing had changed."""
    return files.source(tree, path, settings)._replace(is_new=False)


def _is_same(comparison: Comparison, path: str) -> bool:
    """Return whether an ADR on its own has the same findings on both sides.

    It has the same bytes, and is checked by the same settings. A link may lead to other bytes.
    """
    tree, base = comparison.tree, comparison.diff.base
    if comparison.settings is not comparison.base_settings or tree.names() or base.names():
        return False
    return base.has(path) and tree.same(path, base, path)


def _with_files_of(base: GitTree, file: FileReport) -> FileReport:
    """Return the report on an ADR without the missing files that the base has."""
    if not (file.entry and file.entry.lost):
        return file
    there = base.present([item.path for item in file.entry.lost])
    lost = tuple(item for item in file.entry.lost if item.path not in there)
    return file._replace(entry=file.entry._replace(lost=lost))


def _newly_stale(
    sides: _Sides,
    baseline: Baseline,
    reports: Iterable[FileReport],
    others: Iterable[FileReport],
    below: list[str],
) -> list[FileReport]:
    """Return the report on entries of the baseline that count more than there is, since the change.

    `others` are the ADRs that the change leaves as they are.
    """
    comparison = sides.comparison
    ruleset, base = comparison.settings.ruleset, comparison.base_baseline
    now = [finish(file, ruleset, sides.corpus, sides.terms(file.path)) for file in others]
    counts = {file.path: file.counted or {} for file in (*now, *reports)}
    before: dict[str, dict[str, int]] = {}
    for path, file in sides.at_base.items():
        terms = Terms(counts=base.counts.get(path, {}))
        finished = finish(file, comparison.base_settings.ruleset, sides.base_corpus, terms)
        before[path] = finished.counted or {}
    old = {
        (sides.new_names.get(item.path, item.path), item.rule) for item in stale(base, before, True)
    }
    new = [item for item in stale(baseline, counts, True) if (item.path, item.rule) not in old]
    shown = [item for item in new if not below or is_below(item.path, below)]
    findings = list(BASELINE_STALE.check(baseline, shown))
    return files.report_on(baseline.path, baseline.text, BASELINE_STALE, findings, ruleset)


def _is_affected(sides: _Sides, file: FileReport, below: list[str]) -> bool:
    """Return whether an unchanged ADR has a finding, or hides one, that the base lacks."""
    if below and not is_below(file.path, below):
        return False
    comparison, old = sides.comparison, sides.old(file.path)
    now = finish(file, comparison.settings.ruleset, sides.corpus, sides.terms(file.path))
    if old is None:
        return bool(now.findings or now.suppressed)
    before = sides.finished_at_base(file.path, old)
    if _by_severity(now, {}) - _by_severity(before, sides.new_names):
        return True
    if not (now.suppressed or before.suppressed):
        return False
    all_now = found_among(file, comparison.settings.ruleset, sides.corpus)
    all_before = found_among(old, comparison.base_settings.ruleset, sides.base_corpus)
    return bool(keys_of(all_now) - keys_of(all_before, sides.new_names))


def _by_severity(file: FileReport, names: Mapping[str, str]) -> Counter[tuple[Severity, str, str]]:
    """Count the findings of a report that are more than information."""
    counts: Counter[tuple[Severity, str, str]] = Counter()
    for finding in file.findings:
        if finding.severity != "info":
            counts.update((finding.severity, *key) for key in keys_of([finding], names))
    return counts


def _compared(sides: _Sides, file: FileReport, source: Source) -> FileReport:
    """Return the report on one ADR, with the findings of its version at the base as information."""
    comparison = sides.comparison
    old = _report_at_base(sides, source)
    report = _finish(sides, file, source, old)
    # Of a file that was no ADR at the base, all findings count.
    if old is None or not sides.old(file.path):
        return report
    now = CheckedAdr(source.doc, report)
    before = CheckedAdr(source.bases[0].doc, sides.finished_at_base(file.path, old))
    # A renamed file with another decision in it is a new ADR.
    is_renamed = file.path in comparison.diff.old_names
    if not is_measured(now, before) or (is_renamed and _is_rewritten(report)):
        return report
    return as_information(now, [before], comparison.settings.ruleset.meanings, sides.new_names)


def _is_rewritten(report: FileReport) -> bool:
    """Return whether accepted text was changed in a way that is not allowed."""
    return any(item.check in OF_THE_CHANGE and not item.question for item in report.findings)


def _report_at_base(sides: _Sides, source: Source) -> FileReport | None:
    """Return the report on an ADR at the base, by the rules of the base; None if it is new."""
    if not source.bases:
        return None
    before = source.bases[0]
    known = sides.at_base.get(before.doc.path)
    if known:
        return known
    comparison = sides.comparison
    old = Source(before.doc, before.concept, is_new=False)
    return examine(old, comparison.base_settings.ruleset, comparison.diff.base.present)


def _finish(sides: _Sides, file: FileReport, source: Source, old: FileReport | None) -> FileReport:
    """Return the report of one ADR with corpus findings and relaxations, without hidden ones."""
    comparison, corpus = sides.comparison, sides.corpus
    ruleset = comparison.settings.ruleset
    counts = sides.terms(file.path).counts or {}
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
