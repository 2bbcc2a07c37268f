"""Run Layers 1 to 3 on a repository and return the report. Prints nothing."""

from collections.abc import Callable, Collection
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from .. import git, proc
from ..adr.check_report import CheckReport, FileReport, Skipped, Terms, finish
from ..adr.examine import Source, examine
from ..config.settings import Settings, load
from . import around, files
from .options import CheckContext, CheckOptions, CheckTarget
from .trees import GitTree, Tree

if TYPE_CHECKING:
    from .removals import Branch
    from .work_tree import WorkTree

_NEED_A_BASE = ("gate-relaxed", "accepted-changed", "status-transition")


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
    is_staged = bool(options.staged or options.since or target.commit)
    if target.contents and is_staged:
        tree: WorkTree | GitTree = target.contents
    elif options.buffer is not None:
        from .work_tree import BufferTree

        tree = BufferTree(target.root, target.contents, dict.fromkeys(paths, options.buffer))
    else:
        from . import work_tree  # not at the top: a hook reads the index

        tree = work_tree.WorkTree(target.root, target.contents)
    settings = load((target.rules or tree).read, files.packaged)
    if options.template is not None:
        from .settings import with_template

        settings = with_template(settings, options.template)
    baseline = None
    baseline_path = options.baseline or settings.baseline
    if baseline_path and options.use_baseline:
        from .settings import read_baseline, readable_baseline

        # Beside the rules of another tree, a baseline that can't be read hides nothing.
        read = read_baseline if target.rules is None else readable_baseline
        baseline = read(tree, baseline_path)
    context = CheckContext(
        options=options,
        target=target,
        paths=paths,
        tree=tree,
        settings=settings,
        baseline=baseline,
        is_staged=is_staged,
        diff=target.diff,
    )
    if target.diff or not (options.since and target.contents):
        return context
    from .branch import find_diff

    diff, no_base, notices = find_diff(target.root, options.since, target.contents)
    return context._replace(diff=diff, no_base=no_base, notices=(*context.notices, *notices))


def check(context: CheckContext) -> CheckResult:
    """Check the ADRs that the options select.

    Raises:
        UsageError: A path, the concept or a rule of the options is invalid, or no file is an ADR
            by the defaults and some read like ADRs.
        ConfigError: The settings match no file that could be an ADR.
    """
    options = context.options
    rules: tuple[str, ...] = ()
    if options.select or options.ignore:
        from .rule_choice import left_out

        rules = left_out(options.select, options.ignore, context.settings.ruleset)
    branch = _compared_branch(context)
    selection = _selection(context, branch)
    target, tree, settings = context.target, context.tree, context.settings
    names_some = bool(options.paths or options.staged)
    is_empty = False
    if context.is_branch or not names_some:
        from . import watched

        watch = branch.watch if branch else None
        is_empty = watched.is_empty(tree, settings, target.contents, watch, selection.paths)
        # On a pull request the settings are those of the base, which the change can't repair.
        if is_empty and settings.paths_at is None and target.rules is None:
            watched.require_none(tree, settings)
    result = _result(context, branch, selection, is_empty=is_empty)
    notices = [*result.notices]
    if not (result.report.files or is_empty or options.matching):
        notices.append("no ADR to check")
    if context.is_whole and not context.is_branch:
        from .standard import unknown_styles

        notices += unknown_styles(result.report)
    result = result._replace(notices=tuple(notices))
    if not rules:
        return result
    from .rule_choice import without

    return result._replace(report=without(result.report, rules))


def check_files(context: CheckContext, paths: list[str], *, only: bool = False) -> CheckResult:
    """Check some ADRs, whether they were changed or not, and the changes to the settings.

    Without `only`, the other ADRs that the change concerns are checked too.
    """
    from .watched import is_empty

    branch = _compared_branch(context)
    watch = branch.watch if branch else None
    has_none = is_empty(context.tree, context.settings, context.target.contents, watch, None)
    if branch and not only:
        from .comparison import select_changed

        paths = [*paths, *select_changed(branch.comparison, ()).paths]
    selection = files.Selection(tuple(dict.fromkeys(paths)))
    return _result(context, branch, selection, is_empty=has_none, only=only)


def _compared_branch(context: CheckContext) -> "Branch | None":
    """Return the branch compared with its base; None if no branch is checked."""
    if not context.diff or not isinstance(context.tree, GitTree):
        return None
    from .comparison import compare
    from .removals import compared

    has_rules = context.target.rules is not None
    return compared(
        compare(
            context.options, context.diff, context.tree, context.settings, rules_elsewhere=has_rules
        )
    )


def _selection(context: CheckContext, branch: "Branch | None") -> files.Selection:
    """Return the ADRs to check."""
    if branch:
        from .comparison import select_changed

        return select_changed(branch.comparison, context.paths)
    options, settings, tree = context.options, context.settings, context.tree
    if not options.staged or not isinstance(tree, GitTree):
        return files.select(tree, context.paths, settings)
    if options.all:
        return files.Selection(
            tuple(files.adrs(tree, settings)), files.skipped_submodules(tree, settings)
        )
    return files.select_staged(tree, context.paths, settings, options.matching)


def _result(
    context: CheckContext,
    branch: "Branch | None",
    selection: files.Selection,
    *,
    is_empty: bool,
    only: bool = False,
) -> CheckResult:
    """Check the selected ADRs, and name the changed files beside them that no rule read."""
    options = context.options
    versions: around.BaseVersions | None = None
    if branch:
        versions = branch.comparison.versions
    elif not context.no_base:
        versions = around.last_versions(context, selection.paths)
    report = _report(context, branch, selection, versions, only=only)
    if branch:
        from .unread import account_for_branch

        report = account_for_branch(report, branch.comparison, context.paths)
    # Paths given by hand are checked as ADRs.
    elif options.staged and not options.all and (options.matching or not options.paths):
        read = {file.path for file in report.files}
        # In most commits, the paths of the hook were checked.
        if not options.paths or not read.issuperset(context.paths):
            from .unread import account_for_commit

            report = account_for_commit(report, context)
    notices: tuple[str, ...] = ()
    if is_empty:
        from ..config.watched import no_adr

        notices = (no_adr(context.settings),)
    return CheckResult(report, bool(context.no_base), is_empty, notices)


def _report(
    context: CheckContext,
    branch: "Branch | None",
    selection: files.Selection,
    versions: around.BaseVersions | None,
    *,
    only: bool,
) -> CheckReport:
    """Check each ADR alone, then apply corpus rules, suppressions and the baseline."""
    options, target, tree = context.options, context.target, context.tree
    concept = None
    if options.concept:
        from .settings import named_concept

        concept = named_concept(tree, target.repository, options.concept, len(selection.paths))
    siblings = None
    if versions and versions.trees:
        siblings = around.Siblings(versions.trees[0], versions.settings or context.settings)
    read = partial(
        around.source,
        tree,
        context.settings,
        concept,
        versions,
        siblings=siblings,
        in_full=options.in_full,
    )
    if branch:
        from .against_base import check_against_base

        examine_all = partial(_examined, context)
        reports, skipped = check_against_base(
            context, branch.comparison, selection.paths, read, examine_all, only=only
        )
        reports += branch.reports
    else:
        reports, skipped = _finished(context, selection.paths, read, versions)
    # The comparison of a branch has looked at the baselines of both sides.
    if context.baseline and (only or not branch):
        from .settings import stale_report

        ruleset, is_whole = context.settings.ruleset, context.is_whole
        reports += stale_report(context.baseline, reports, ruleset, is_whole=is_whole)
    if versions and len(reports) > around.MANY:
        from .standard import as_one_question

        reports = as_one_question(reports, is_branch=bool(branch))
    reports = [around.with_source_lines(file, tree) if file.findings else file for file in reports]
    skipped = [*selection.skipped, *skipped]
    if context.no_base:
        skipped += [Skipped(rule, "", context.no_base) for rule in _NEED_A_BASE]
    return CheckReport(tuple(sorted(reports, key=attrgetter("path"))), tuple(skipped))


def _examined(
    context: CheckContext,
    tree: Tree,
    settings: Settings,
    paths: Collection[str],
    read: "Callable[[str], Source]",
) -> list[FileReport]:
    """Return the findings in each ADR on its own, computed by all processors for many ADRs."""

    def work(path: str) -> FileReport:
        """Return the findings in one ADR."""
        source = read(path)
        if not source.bases:
            return examine(source, settings.ruleset, tree.present)
        from ..change import accepted_text

        return accepted_text.examine(source, settings.ruleset, tree.present)

    if len(paths) < proc.FEWEST:
        return list(map(work, paths))
    return proc.each(list(paths), work, tree.after_fork, jobs=context.options.jobs)


def _finished(
    context: CheckContext,
    paths: tuple[str, ...],
    read: "partial[Source]",
    versions: around.BaseVersions | None,
) -> tuple[list[FileReport], list[Skipped]]:
    """Return the reports without hidden findings, and the skipped rules.

    In staged ADRs, what HEAD has too is information.
    """
    target, tree, settings = context.target, context.tree, context.settings
    examined = _examined(context, tree, settings, paths, read)
    corpus_of = partial(around.corpus_around, target=target, is_staged=context.is_staged)
    corpus, skipped = corpus_of(examined, tree, settings, is_whole=context.is_whole)
    reports: list[FileReport] = []
    are_clean = True
    for file in examined:
        counts = context.baseline.counts.get(file.path) if context.baseline else None
        reports.append(finish(file, settings.ruleset, corpus, Terms(counts=counts)))
        are_clean = are_clean and reports[-1].is_clean
    head = target.head if context.options.staged else None
    if are_clean or not head or not versions or not isinstance(tree, GitTree):
        return reports, skipped
    if not head.entries:  # before the first commit
        return reports, skipped
    from .against_head import with_old_findings

    at_head = partial(corpus_of, is_whole=False, fates=corpus.fates)
    return with_old_findings(context, head, tree, versions, read, at_head, reports), skipped
