"""Run Layers 1 to 3 on a repository and return the report. Prints nothing."""

from functools import partial

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.examine import Source, examine
from ..adr.finish import Terms, finish
from ..config.settings import Settings, load
from ..errors import UsageError
from ..finding import failing
from ..paths import wanted
from ..records import TYPE_CHECKING, NamedTuple
from ..repository import files, git
from .corpus import corpus_around
from .options import CheckOptions, CheckTarget
from .versions import BaseVersions, last_versions, source

if TYPE_CHECKING:
    from ..adr.baseline import Baseline
    from ..adr.corpus import Corpus
    from ..repository.branch import BranchDiff
    from ..repository.work_tree import WorkTree
    from .branch import Branch
    from .observing import CheckObserver
else:  # loaded where there is one; a quoted name in a NamedTuple would cost a millisecond
    Baseline = BranchDiff = WorkTree = CheckObserver = object

FEWEST_IN_CACHE = 48
"""ADRs from which a check uses the cache and several processes; for fewer both cost time."""

_NO_ADR = "no ADR to check"
_NEED_A_BASE = ("gate-relaxed", "accepted-changed", "status-transition")


class CheckContext(NamedTuple):
    """A prepared check: the tree with its settings and baseline, and the diff of the branch.

    `no_base` says why there is no diff although one was asked for. `notices` are lines for the
    user. An `observer` notes how the check goes.
    """

    options: CheckOptions
    target: CheckTarget
    paths: list[str]
    tree: WorkTree | files.StagedTree
    settings: Settings
    baseline: Baseline | None
    diff: BranchDiff | None = None
    no_base: str = ""
    notices: tuple[str, ...] = ()
    observer: CheckObserver | None = None

    @property
    def is_staged(self) -> bool:
        return _is_staged(self.options, self.target)

    @property
    def is_branch(self) -> bool:
        """Return whether a branch is to be compared with its base."""
        return bool(self.options.since or self.target.diff)

    @property
    def is_whole(self) -> bool:
        """Return whether every ADR is read anyway."""
        return self.options.all or not (self.options.paths or self.is_staged)


class CheckResult(NamedTuple):
    """The report of a check.

    It is `incomplete` where the change could not be compared with its base, and `empty` where the
    repository has no ADR. `notices` are lines for the user.
    """

    report: CheckReport
    incomplete: bool = False
    empty: bool = False
    notices: tuple[str, ...] = ()


def prepare(options: CheckOptions, target: CheckTarget) -> CheckContext:
    """Read the settings and find the diff. Raises UsageError and ConfigError."""
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
    """Check the ADRs that the options select. Raises UsageError and ConfigError."""
    options = context.options
    if not (options.select or options.ignore):
        return _checked(context)
    from .chosen_rules import chosen

    rules = chosen(options.select, options.ignore, context.settings.ruleset)
    result = _checked(context)
    return result._replace(report=rules.applied(result.report)) if rules else result


def _checked(context: CheckContext) -> CheckResult:
    options, branch = context.options, _compared(context)
    selection = _selection(context, branch)
    is_empty = False
    if context.is_branch or not (options.paths or options.staged):
        is_empty = _is_empty(context, branch, selection.paths)
    has_nothing = not (selection.paths or (branch and branch.reports))
    notices: tuple[str, ...] = (_NO_ADR,) if has_nothing and not is_empty else ()
    if not (options.paths or options.staged):
        notices += tuple(files.alike(selection.paths))
    return _result(context, branch, selection, is_empty=is_empty, notices=notices)


def check_files(context: CheckContext, paths: list[str], *, only: bool = False) -> CheckResult:
    """Check some ADRs, whether they were changed or not, and what the change did to the settings.

    Without `only`, the other ADRs that the change concerns are checked too.
    """
    branch = _compared(context)
    is_empty = _is_empty(context, branch, None)
    concerned: tuple[str, ...] = ()
    if branch and not only:
        from .selection import select_changed

        concerned = select_changed(branch.comparison, ()).paths
    selection = files.Selection(tuple(dict.fromkeys((*paths, *concerned))))
    return _result(context, branch, selection, is_empty=is_empty)


def fails(report: CheckReport, fail_on: str) -> bool:
    """Return whether a report has a finding at or above a severity; "never" is above all."""
    return any(report.count(severity) for severity in failing(fail_on))


def _is_staged(options: CheckOptions, target: CheckTarget) -> bool:
    return bool(options.staged or options.since or target.commit)


def _tree(
    options: CheckOptions, target: CheckTarget, paths: list[str]
) -> WorkTree | files.StagedTree:
    """Return the files to check."""
    if target.contents and _is_staged(options, target):
        target.contents.look_up(wanted(paths))
        return files.StagedTree(target.contents, target.root)
    if options.buffer is not None:
        from ..repository.buffers import BufferTree

        return BufferTree(target.root, target.contents, dict.fromkeys(paths, options.buffer))
    from ..repository.work_tree import WorkTree  # a hook needs none

    return WorkTree(target.root, target.contents)


def _baseline(
    options: CheckOptions, settings: Settings, tree: files.Tree, *, is_optional: bool
) -> Baseline | None:
    """Return the baseline that counts. An optional one that cannot be read hides nothing."""
    path = options.baseline or settings.baseline
    if not path or not options.use_baseline:
        return None
    from .settings import read_baseline, readable_baseline

    return readable_baseline(tree, path) if is_optional else read_baseline(tree, path)


def _compared(context: CheckContext) -> "Branch | None":
    """Compare the branch with its base; None where no branch is checked."""
    if not context.diff or not isinstance(context.tree, files.StagedTree):
        return None
    from .branch import compared

    has_rules = context.target.rules is not None
    return compared(
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
        return files.Selection(tuple(files.adrs(tree, settings)), files.elsewhere(tree, settings))
    return files.select_staged(index, root, context.paths, settings, options.matching)


def _is_empty(
    context: CheckContext, branch: "Branch | None", selected: tuple[str, ...] | None
) -> bool:
    """Return whether the repository has no ADR. Raises ConfigError where settings watch nothing.

    `selected` are the ADRs on the disk, if the work tree is checked as a whole.
    """
    index, tree, settings = context.target.contents, context.tree, context.settings
    if not index or (selected and settings.paths_at is None and not branch):
        return False
    from .emptiness import refuse_missing, watched

    watch = branch.watch if branch else watched(tree, settings, index)
    if selected == ():
        refuse_missing(watch, tree)
    return not (watch.adrs or watch.lost or selected)


def _result(
    context: CheckContext,
    branch: "Branch | None",
    selection: files.Selection,
    *,
    is_empty: bool,
    notices: tuple[str, ...] = (),
) -> CheckResult:
    """Check the selected ADRs."""
    if is_empty:
        from ..config.watched import no_adr

        notices = (no_adr(context.settings), *notices)
    comparison = branch.comparison if branch else None
    versions = comparison.versions if comparison else None
    if not (comparison or context.no_base):
        target, tree, is_whole = context.target, context.tree, context.is_whole
        versions = last_versions(target, tree, selection.paths, is_whole=is_whole)
    try:
        report = _report(context, branch, selection, versions)
    finally:
        if versions:
            versions.close()
    return CheckResult(report, bool(context.no_base), is_empty, notices)


def _report(
    context: CheckContext,
    branch: "Branch | None",
    selection: files.Selection,
    versions: BaseVersions | None,
) -> CheckReport:
    """Examine each ADR on its own, then settle all of them among the others."""
    tree = context.tree
    concept = _concept(context, len(selection.paths))
    read = partial(source, tree, context.settings, concept, versions)
    examined = _examined(context, selection.paths, read, versions)
    if context.observer:
        context.observer.begin("other ADRs")
    reports, skipped = _settled(context, branch, examined, read, versions)
    if context.baseline:
        from .settings import stale_report

        ruleset, is_whole = context.settings.ruleset, context.is_whole
        reports += stale_report(context.baseline, reports, ruleset, is_whole=is_whole)
    reports = [_quoting(file, tree) for file in reports]
    skipped = [*selection.skipped, *skipped, *_not_compared(context)]
    return CheckReport(tuple(sorted(reports, key=lambda file: file.path)), tuple(skipped))


def _concept(context: CheckContext, count: int) -> str | None:
    """Return the concept that the options name. Raises UsageError unless it can be compared."""
    if not context.options.concept:
        return None
    if count != 1:
        raise UsageError(f"--concept goes with exactly one ADR, and there are {count}")
    (path,) = git.paths_in(context.target.repository, [context.options.concept])
    if not context.tree.has(path):
        raise UsageError(f"{path}: there is no such file to compare with")
    return path


def _examined(
    context: CheckContext,
    paths: tuple[str, ...],
    read: "partial[Source]",
    versions: BaseVersions | None,
) -> list[FileReport]:
    """Return what the rules find in each ADR on its own, by all processors for many ADRs."""
    tree = context.tree
    work = partial(_examined_one, read, context.settings, tree)
    if context.observer:
        context.observer.begin("rules")
        context.observer.expect(len(paths))
    if len(paths) < FEWEST_IN_CACHE:
        return list(map(work, paths))
    from .cache import Examination, examined

    uses_cache = context.options.uses_cache and not (context.is_branch or context.options.concept)
    about = Examination(
        root=context.target.root,
        tree=tree,
        settings=context.settings,
        versions=versions,
        work=work,
        is_whole=context.is_whole,
        fewest=FEWEST_IN_CACHE,
        jobs=context.options.jobs,
        observer=context.observer,
    )
    return examined(list(paths), about, uses_cache=uses_cache)


def _examined_one(
    read: "partial[Source]", settings: Settings, tree: files.Tree, path: str
) -> FileReport:
    return examine(read(path), settings.ruleset, tree.present)


def _settled(
    context: CheckContext,
    branch: "Branch | None",
    examined: list[FileReport],
    read: "partial[Source]",
    versions: BaseVersions | None,
) -> tuple[list[FileReport], list[Skipped]]:
    """Return the reports among the other ADRs, and what could not be checked."""
    around = partial(corpus_around, target=context.target, is_staged=context.is_staged)
    tree, settings, baseline = context.tree, context.settings, context.baseline
    taken = branch.comparison.diff.taken if branch else None
    corpus, skipped = around(examined, tree, settings, is_whole=context.is_whole, taken=taken)
    if branch:
        from .branch import settled

        at_base = partial(around, is_whole=False)
        sources = [read(file.path) for file in examined]
        return settled(branch, sources, examined, corpus, baseline, at_base), skipped
    counts = baseline.counts if baseline else {}
    terms = [Terms(counts=counts.get(file.path)) for file in examined]
    pairs = zip(examined, terms, strict=True)
    reports = [finish(file, settings.ruleset, corpus, item) for file, item in pairs]
    if versions and context.options.staged and not all(file.is_clean for file in reports):
        at_head = partial(around, is_whole=False, fates=corpus.fates)
        reports = _measured(context, reports, read, versions, at_head)
    return reports, skipped


def _measured(
    context: CheckContext,
    reports: list[FileReport],
    read: "partial[Source]",
    versions: BaseVersions,
    around: "partial[tuple[Corpus, list[Skipped]]]",
) -> list[FileReport]:
    """Return the reports on staged ADRs, measured against the last commit if there is one."""
    target, tree = context.target, context.tree
    if not target.head or not target.head.exists() or not isinstance(tree, files.StagedTree):
        return reports
    from .against_head import Staged, measured

    staged = Staged(
        root=target.root,
        revision=target.head.name,
        tree=tree,
        settings=context.settings,
        versions=versions,
        read=read,
        around=around,
    )
    return measured(staged, reports)


def _not_compared(context: CheckContext) -> list[Skipped]:
    """Return the rules that need a base, where there is none."""
    return [Skipped(rule, "", context.no_base) for rule in _NEED_A_BASE if context.no_base]


def _quoting(file: FileReport, tree: files.Tree) -> FileReport:
    """Return a report with the texts of the lines that other ADRs made it point at."""
    unread = {finding.line for finding in file.findings} - file.lines.keys()
    if not unread:
        return file
    text = tree.content(file.path).removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    rows = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    more = {line: rows[line - 1] for line in unread if line <= len(rows)}
    return file._replace(lines={**file.lines, **more})
