"""The findings of a branch, compared with those of its base over the whole corpus of ADRs.

Each side is checked as a plain check would: all ADRs, by its own settings. What the head has and
the base lacks, by rule and subject, is new, in a changed ADR and in any other.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import NamedTuple

from ..adr.baseline import Baseline, stale
from ..adr.baseline import counted as count_by_rule
from ..adr.check_report import FileReport, Skipped, Terms, finding_of, finish, found_among
from ..adr.corpus import Corpus
from ..adr.examine import Source, examine
from ..adr.rules.gate.baseline_stale import baseline_stale
from ..adr.rules.gate.gate_relaxed import gate_relaxed
from ..adr.rules.registry import OF_THE_CHANGE
from ..change.hidden import AdrChange, Base, allowed_by_baseline, hidden
from ..change.old_findings import CheckedAdr, as_information, is_measured
from ..config.settings import Settings
from ..finding import Severity, keys_of
from ..paths import is_below
from . import files
from .around import corpus_around
from .comparison import Comparison
from .options import CheckContext
from .trees import GitTree, Tree

Read = Callable[[str], Source]
"""Return an ADR by its path."""
ExamineAll = Callable[[Tree, Settings, Collection[str], Read], list[FileReport]]
"""Return the findings in each of some ADRs of a tree, on its own."""


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

    def present_at_base(self, path: str) -> Counter[str]:
        """Count the findings that a baseline may leave out in an ADR at the base, by rule."""
        old = self.old(path)
        if not old:
            return Counter()
        finished = finish(old, self.comparison.base_settings.ruleset, self.base_corpus)
        return count_by_rule(finished.findings)

    def finished_at_base(self, path: str, old: FileReport) -> FileReport:
        """Return what a plain check of the base reports on an ADR of the head."""
        ruleset, counts = self.comparison.base_settings.ruleset, self.comparison.base_counts(path)
        return finish(old, ruleset, self.base_corpus, Terms(counts=counts))


def check_against_base(
    context: CheckContext,
    comparison: Comparison,
    paths: Collection[str],
    read: Read,
    examine_all: ExamineAll,
    *,
    only: bool,
) -> tuple[list[FileReport], list[Skipped]]:
    """Return the reports on the ADRs of some paths, and on others that get a new finding.

    They have the relaxations of the change, and the findings of the base as information. `read`
    returns an ADR with its version at the base. The others are those at or below the paths of the
    check (all for none); with `only` they are left out.
    """
    tree, settings, diff = comparison.tree, comparison.settings, comparison.diff
    base, base_settings = diff.base, comparison.base_settings
    below, baseline = context.paths, context.baseline
    corpus_of = partial(
        corpus_around, target=context.target, is_staged=True, is_whole=True, taken=diff.taken
    )

    def examined_plainly(tree: GitTree, settings: Settings, but: set[str]) -> list[FileReport]:
        """Return the findings in each ADR of a tree, except some, as if nothing had changed."""
        others = [path for path in files.adrs(tree, settings) if path not in but]
        return examine_all(tree, settings, others, partial(_plain_source, tree, settings))

    changed = examine_all(tree, settings, paths, read)
    others = examined_plainly(tree, settings, set(paths))
    corpus, skipped = corpus_of([*changed, *others], tree, settings)
    at_base = [_with_files_of(base, file) for file in others if _is_same(comparison, file.path)]
    at_base += examined_plainly(base, base_settings, {file.path for file in at_base})
    # A file that is missing on both sides has one history.
    base_corpus, _ = corpus_of(at_base, base, base_settings, fates=corpus.fates)
    sides = _Sides(
        comparison=comparison,
        baseline=baseline,
        corpus=corpus,
        base_corpus=base_corpus,
        at_base={file.path: file for file in at_base},
        new_names={old: new for new, old in diff.old_names.items()},
    )
    if not only:
        changed += [file for file in others if _is_affected(sides, file, below)]
    reports = [_compared(sides, file, read(file.path)) for file in changed]
    checked = {file.path for file in reports}
    skipped = [item for item in skipped if item.path in checked]
    if not only and baseline:
        reports += _newly_stale(sides, baseline, reports, others, below)
    allowed, now = comparison.base_counts, comparison.baseline
    questions = allowed_by_baseline(now, allowed, sides.present_at_base)
    reports += files.report_on(now.path, now.text, gate_relaxed, questions, base_settings.ruleset)
    return reports, skipped


def _plain_source(tree: GitTree, settings: Settings, path: str) -> Source:
    """Return an ADR as if nothing had changed."""
    return files.source(tree, path, settings)._replace(is_new=False)


def _is_same(comparison: Comparison, path: str) -> bool:
    """Return whether an ADR on its own has the same findings on both sides.

    It has the same bytes, and is checked by the same settings.
    """
    tree, base = comparison.tree, comparison.diff.base
    if comparison.settings is not comparison.base_settings:
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
    findings = list(baseline_stale.check(baseline, shown))
    return files.report_on(baseline.path, baseline.text, baseline_stale, findings, ruleset)


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
    comparison, old = sides.comparison, None
    if source.bases:
        before = source.bases[0]
        old = sides.at_base.get(before.doc.path)
        if not old:
            plain = Source(before.doc, before.concept, is_new=False)
            base_ruleset = comparison.base_settings.ruleset
            old = examine(plain, base_ruleset, comparison.diff.base.present)
    report = _with_relaxations(sides, file, source, old)
    # Of a file that was no ADR at the base, all findings count.
    if old is None or not sides.old(file.path):
        return report
    now = CheckedAdr(source.doc, report)
    earlier = CheckedAdr(source.bases[0].doc, sides.finished_at_base(file.path, old))
    # A renamed file with another decision in it is a new ADR.
    is_other = file.path in comparison.diff.old_names and any(
        item.check in OF_THE_CHANGE and not item.question for item in report.findings
    )
    if is_other or not is_measured(now, earlier):
        return report
    return as_information(now, [earlier], comparison.settings.ruleset.meanings, sides.new_names)


def _with_relaxations(
    sides: _Sides, file: FileReport, source: Source, old: FileReport | None
) -> FileReport:
    """Return the report of one ADR with corpus findings and relaxations, without hidden ones.

    `old` is the report on its version at the base, by the rules of the base.
    """
    comparison, corpus = sides.comparison, sides.corpus
    ruleset = comparison.settings.ruleset
    was_checked = (
        old is not None
        and not source.bases[0].doc.defect
        and comparison.base_settings.is_adr(old.path)
    )
    base = Base(
        ruleset=comparison.base_settings.ruleset,
        counts=comparison.base_counts(file.path),
        settings_changed=bool(comparison.changed_settings),
        report=old if was_checked else None,
        corpus=sides.base_corpus,
        names=sides.new_names,
    )
    concept = source.concept
    if comparison.changed_settings:
        concept = files.concept_of(comparison.tree, source.doc, comparison.own_settings)
    counts = sides.terms(file.path).counts or {}
    relaxed = hidden(AdrChange(source, file, ruleset, counts, corpus, base, concept))
    last, severities = source.doc.last_line, ruleset.severities
    new = [
        finding_of(gate_relaxed, item._replace(question=True), file.path, last, severities)
        for item in relaxed.results
    ]
    if new:
        lines = {**file.lines, **source.doc.texts({finding.line for finding in new})}
        file = file._replace(findings=(*file.findings, *new), lines=lines)
    terms = Terms(
        status=old.status if old else "",
        new=not base.is_old,
        counts=counts,
        idle=relaxed.idle,
    )
    return finish(file, ruleset, corpus, terms)
