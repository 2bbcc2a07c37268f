"""Run Layers 1 to 3 on a repository and return the report. Prints nothing."""

from collections.abc import Callable, Collection
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from .. import parallel
from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.examine import Source, examine
from ..adr.finish import Terms, finish
from ..config.settings import Settings, load
from ..repository import files, git
from .corpus import corpus_around, with_source_lines
from .options import CheckOptions, CheckTarget
from .siblings import Siblings
from .versions import BaseVersions, last_versions, source

if TYPE_CHECKING:
    from ..adr.baseline import Baseline
    from ..adr.corpus import Corpus
    from ..repository.branch import BranchDiff
    from ..repository.work_tree import WorkTree
    from .branch import Branch
    from .observing import CheckObserver

_NO_ADR = "no ADR to check"
_NEED_A_BASE = ("gate-relaxed", "accepted-changed", "status-transition")


class CheckContext(NamedTuple):
    """A prepared check: the tree with its settings and baseline, and the diff of the branch.

    `no_base` is the reason why a diff that the options require is missing. `notices` are lines for
    the user. An `observer` records phases and progress.
    """

    options: CheckOptions
    target: CheckTarget
    paths: list[str]
    tree: "WorkTree | files.StagedTree"
    settings: Settings
    baseline: "Baseline | None"
    diff: "BranchDiff | None" = None
    no_base: str = ""
    notices: tuple[str, ...] = ()
    observer: "CheckObserver | None" = None

    @property
    def is_staged(self) -> bool:
        """Return whether staged or committed files are checked, not the work tree."""
        return _is_staged(self.options, self.target)

    @property
    def is_branch(self) -> bool:
        """Return whether a branch is to be compared with its base."""
        return bool(self.options.since or self.target.diff)

    @property
    def is_whole(self) -> bool:
        """Return whether every ADR is checked."""
        return self.options.all or not (self.options.paths or self.is_staged)


class CheckResult(NamedTuple):
    """The report of a check.

    `incomplete`: the change could not be compared with its base. `empty`: the repository has no
    ADR. `notices` are lines for the user.
    """

    report: CheckReport
    incomplete: bool = False
    empty: bool = False
    notices: tuple[str, ...] = ()


def prepare(options: CheckOptions, target: CheckTarget) -> CheckContext:
    """Read the settings and the baseline, and find the diff.

    Raises:
        UsageError: The template, the baseline or the revision of the options is unknown.
        ConfigError: The settings or the baseline are invalid.
    """
    paths = git.paths_in(target.repository, options.paths)
    tree = _tree(options, target, paths)
    settings = load((target.rules or tree).read, files.packaged)
    if options.template is not None:
        from .settings import with_template

        settings = with_template(settings, options.template)
    baseline = _baseline(options, settings, tree, is_optional=target.rules is not None)
    context = CheckContext(
        options=options,
        target=target,
        paths=paths,
        tree=tree,
        settings=settings,
        baseline=baseline,
        diff=target.diff,
        notices=settings.ignored,
    )
    if target.diff or not (options.since and target.contents):
        return context
    from .branch import find_diff

    diff, no_base, notices = find_diff(target.root, options.since, target.contents)
    return context._replace(diff=diff, no_base=no_base, notices=(*context.notices, *notices))


def check(context: CheckContext) -> CheckResult:
    """Check the ADRs that the options select.

    Raises:
        UsageError: A path, the concept or a rule of the options is invalid.
        ConfigError: The settings match no file that could be an ADR.
    """
    options = context.options
    if not (options.select or options.ignore):
        return _check_selected(context)
    from .chosen_rules import chosen

    rules = chosen(options.select, options.ignore, context.settings.ruleset)
    result = _check_selected(context)
    report = rules.applied(result.report) if rules else result.report
    return result._replace(report=report)


def _check_selected(context: CheckContext) -> CheckResult:
    options, branch = context.options, _compared_branch(context)
    selection = _selection(context, branch)
    names_some = bool(options.paths or options.staged)
    is_empty = False
    if context.is_branch or not names_some:
        is_empty = _is_empty(context, branch, selection.paths)
    result = _result(context, branch, selection, is_empty=is_empty)
    notices = [*result.notices]
    if not (result.report.files or is_empty or options.matching):
        notices.append(_NO_ADR)
    if not names_some:
        notices += files.case_conflicts(selection.paths)
    if context.is_whole and not context.is_branch:
        from .standard import unknown_styles

        notices += unknown_styles(result.report)
    return result._replace(notices=tuple(notices))


def check_files(context: CheckContext, paths: list[str], *, only: bool = False) -> CheckResult:
    """Check some ADRs, whether they were changed or not, and the changes to the settings.

    Without `only`, the other ADRs that the change concerns are checked too.
    """
    branch = _compared_branch(context)
    is_empty = _is_empty(context, branch, None)
    if branch and not only:
        from .selection import select_changed

        paths = [*paths, *select_changed(branch.comparison, ()).paths]
    selection = files.Selection(tuple(dict.fromkeys(paths)))
    return _result(context, branch, selection, is_empty=is_empty, only=only)


def _is_staged(options: CheckOptions, target: CheckTarget) -> bool:
    return bool(options.staged or options.since or target.commit)


def _tree(
    options: CheckOptions, target: CheckTarget, paths: list[str]
) -> "WorkTree | files.StagedTree":
    """Return the files to check."""
    if target.contents and _is_staged(options, target):
        return files.StagedTree(target.contents, target.root)
    if options.buffer is not None:
        from ..repository.buffers import BufferTree

        return BufferTree(target.root, target.contents, dict.fromkeys(paths, options.buffer))
    from ..repository.work_tree import WorkTree  # not at the top: a hook reads the index

    return WorkTree(target.root, target.contents)


def _baseline(
    options: CheckOptions, settings: Settings, tree: files.Tree, *, is_optional: bool
) -> "Baseline | None":
    """Return the baseline that is used. An optional one that can't be read hides nothing."""
    path = options.baseline or settings.baseline
    if not path or not options.use_baseline:
        return None
    from .settings import read_baseline, readable_baseline

    if is_optional:
        return readable_baseline(tree, path)
    return read_baseline(tree, path)


def _compared_branch(context: CheckContext) -> "Branch | None":
    """Return the branch compared with its base; None if no branch is checked."""
    if not context.diff or not isinstance(context.tree, files.StagedTree):
        return None
    from .branch import compare_branch

    has_rules = context.target.rules is not None
    return compare_branch(
        context.options, context.diff, context.tree, context.settings, rules_elsewhere=has_rules
    )


def _selection(context: CheckContext, branch: "Branch | None") -> files.Selection:
    """Return the ADRs to check."""
    if branch:
        from .selection import select_changed

        return select_changed(branch.comparison, context.paths)
    options, settings, tree = context.options, context.settings, context.tree
    root, index = context.target.root, context.target.contents
    if not options.staged or not index:
        return files.select(tree, root, context.paths, settings)
    if options.all:
        return files.Selection(
            tuple(files.adrs(tree, settings)), files.skipped_submodules(tree, settings)
        )
    return files.select_staged(index, root, context.paths, settings, options.matching)


def _is_empty(
    context: CheckContext, branch: "Branch | None", selected: tuple[str, ...] | None
) -> bool:
    """Return whether the repository has no ADR. `selected` is None if only some are checked."""
    index, tree, settings = context.target.contents, context.tree, context.settings
    if not index or (selected and settings.paths_at is None and not branch):
        return False
    from .emptiness import is_empty

    return is_empty(tree, settings, index, branch.watch if branch else None, selected)


def _result(
    context: CheckContext,
    branch: "Branch | None",
    selection: files.Selection,
    *,
    is_empty: bool,
    only: bool = False,
) -> CheckResult:
    """Check the selected ADRs, and account for the other changed files beside them."""
    notices: list[str] = []
    if is_empty:
        from ..config.watched import no_adr

        notices.append(no_adr(context.settings))
    versions = _versions(context, branch, selection.paths)
    try:
        report = _report(context, branch, selection, versions, only=only)
    finally:
        if versions:
            versions.close()
    report = _accounted(context, branch, report)
    return CheckResult(report, bool(context.no_base), is_empty, tuple(notices))


def _accounted(context: CheckContext, branch: "Branch | None", report: CheckReport) -> CheckReport:
    """Return a report that also names the changed files beside ADRs that no rule read."""
    if branch:
        from .account import account_for_branch

        return account_for_branch(report, branch.comparison, context.paths)
    options = context.options
    # Paths given by hand are checked as ADRs.
    if not options.staged or options.all or (options.paths and not options.matching):
        return report
    read = {file.path for file in report.files}
    # In most commits, the paths of the hook were checked.
    if options.paths and read.issuperset(context.paths) and not context.tree.names():
        return report
    from .account import account_for_commit

    return account_for_commit(report, context.target, context.tree, context.settings, context.paths)


def _versions(
    context: CheckContext, branch: "Branch | None", paths: tuple[str, ...]
) -> BaseVersions | None:
    """Return the versions with which ADRs are compared: those of the base or the last commit."""
    if branch:
        return branch.comparison.versions
    if context.no_base:
        return None
    return last_versions(context.target, context.tree, paths, is_whole=context.is_whole)


def _report(
    context: CheckContext,
    branch: "Branch | None",
    selection: files.Selection,
    versions: BaseVersions | None,
    *,
    only: bool,
) -> CheckReport:
    """Check each ADR alone, then apply corpus rules, suppressions and the baseline."""
    tree = context.tree
    concept = None
    if context.options.concept:
        from .settings import named_concept

        root, name = context.target.repository, context.options.concept
        concept = named_concept(tree, root, name, len(selection.paths))
    siblings = None
    if versions and versions.trees:
        siblings = Siblings(versions.trees[0], versions.settings or context.settings)
    read = partial(source, tree, context.settings, concept, versions, siblings=siblings)
    if context.observer:
        context.observer.begin("rules")
    if branch:
        reports, skipped = _compared(context, branch, selection.paths, read, only=only)
    else:
        examined = _examined(context, versions, tree, context.settings, selection.paths, read)
        if context.observer:
            context.observer.begin("other ADRs")
        reports, skipped = _finished(context, examined, read, versions)
    # The comparison of a branch has looked at the baselines of both sides.
    if context.baseline and (only or not branch):
        from .settings import stale_report

        ruleset, is_whole = context.settings.ruleset, context.is_whole
        reports += stale_report(context.baseline, reports, ruleset, is_whole=is_whole)
    reports = [with_source_lines(file, tree) for file in reports]
    skipped = [*selection.skipped, *skipped]
    if context.no_base:
        skipped += [Skipped(rule, "", context.no_base) for rule in _NEED_A_BASE]
    return CheckReport(tuple(sorted(reports, key=lambda file: file.path)), tuple(skipped))


def _compared(
    context: CheckContext,
    branch: "Branch",
    paths: tuple[str, ...],
    read: "partial[Source]",
    *,
    only: bool,
) -> tuple[list[FileReport], list[Skipped]]:
    """Return the reports of a branch, compared with its base, and the skipped rules."""
    from .against_base import check_against_base

    comparison = branch.comparison
    adrs, skipped = check_against_base(
        comparison,
        paths,
        read,
        below=context.paths,
        baseline=context.baseline,
        examine_all=partial(_examined, context, comparison.versions),
        corpus_of=partial(
            corpus_around,
            target=context.target,
            is_staged=True,
            is_whole=True,
            taken=comparison.diff.taken,
        ),
        only=only,
    )
    return [*adrs, *branch.reports], skipped


def _examined(
    context: CheckContext,
    versions: BaseVersions | None,
    tree: files.Tree,
    settings: Settings,
    paths: Collection[str],
    read: "Callable[[str], Source]",
) -> list[FileReport]:
    """Return the findings in each ADR on its own, computed by all processors for many ADRs."""
    work = partial(_examined_one, read, settings, tree)
    if context.observer:
        context.observer.expect(len(paths))
    if len(paths) < parallel.FEWEST:
        return list(map(work, paths))
    tree.remember()

    def begin() -> None:
        """Drop the resources of the parent process."""
        tree.after_fork()
        if versions:
            versions.after_fork()

    tell = context.observer.done if context.observer else None
    return parallel.each(list(paths), work, begin, jobs=context.options.jobs, tell=tell)


def _examined_one(
    read: "Callable[[str], Source]", settings: Settings, tree: files.Tree, path: str
) -> FileReport:
    return examine(read(path), settings.ruleset, tree.present)


def _finished(
    context: CheckContext,
    examined: list[FileReport],
    read: "partial[Source]",
    versions: BaseVersions | None,
) -> tuple[list[FileReport], list[Skipped]]:
    """Return the reports with corpus findings and without hidden ones, and the skipped rules."""
    around = partial(corpus_around, target=context.target, is_staged=context.is_staged)
    tree, settings, baseline = context.tree, context.settings, context.baseline
    corpus, skipped = around(examined, tree, settings, is_whole=context.is_whole)
    reports: list[FileReport] = []
    for file in examined:
        counts = baseline.counts.get(file.path) if baseline else None
        reports.append(finish(file, settings.ruleset, corpus, Terms(counts=counts)))
    if versions and context.options.staged and not all(file.is_clean for file in reports):
        at_head = partial(around, is_whole=False, fates=corpus.fates)
        reports = _against_head(context, reports, read, versions, at_head)
    return reports, skipped


def _against_head(
    context: CheckContext,
    reports: list[FileReport],
    read: "partial[Source]",
    versions: BaseVersions,
    around: "partial[tuple[Corpus, list[Skipped]]]",
) -> list[FileReport]:
    """Return the reports on staged ADRs, with old findings as information if HEAD exists."""
    target, tree = context.target, context.tree
    if not target.head or not target.head.exists() or not isinstance(tree, files.StagedTree):
        return reports
    from .against_head import Staged, with_old_findings

    staged = Staged(
        root=target.root,
        revision=target.head.name,
        tree=tree,
        settings=context.settings,
        versions=versions,
        read=read,
        around=around,
    )
    return with_old_findings(staged, reports)
