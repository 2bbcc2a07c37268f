"""Add to a report the changed files in folders of ADRs that are not checked as ADRs."""

from .. import git
from ..adr.check_report import CheckReport, FileReport
from ..adr.rules.gate.gate_relaxed import GATE_RELAXED
from ..config.settings import Settings
from ..config.watched import exemption, folder_of_adrs, looks_like_adr, may_be_adr_in_another_format
from ..git import history
from ..git.history import Changed
from ..paths import is_below
from . import files
from .comparison import Comparison
from .options import CheckTarget
from .trees import GitTree, Revision, Tree
from .unread import ChangedFiles, of_branch, unread, unwatched


def account_for_branch(
    report: CheckReport, comparison: Comparison, below: list[str]
) -> CheckReport:
    """Return the report on a branch with the names of the changed files that no rule read.

    With `below`, only files at or below these paths are named.
    """
    changed = of_branch(comparison)
    if below:
        changes = (item for item in changed.changes if is_below(item.path, below))
        changed = changed._replace(changes=tuple(changes))
    skipped = unread(changed, _read(report), names_all=True)
    return report._replace(skipped=(*report.skipped, *skipped))


def account_for_commit(
    report: CheckReport, target: CheckTarget, tree: Tree, settings: Settings, paths: list[str]
) -> CheckReport:
    """Return the report on staged files with those that no rule read.

    `paths` are those of a hook, for which the files without a status or a decision are left out;
    [] means all staged paths. At a merge, nothing is added.
    """
    if not target.head or not isinstance(tree, GitTree) or git.merging(target.root):
        return report
    staged = paths or git.staged_paths(target.root)
    concerned = frozenset(path for path in staged if _is_concerned(tree, settings, path))
    if not concerned:
        return report
    changed = _staged(target.root, target.head, tree, settings, concerned)
    known = _read(report)
    reports = [*_became_links(changed), *unwatched(changed, known)]
    known.update(file.path for file in reports)
    skipped = unread(changed, known, names_all=not paths)
    all_reports = sorted((*report.files, *reports), key=lambda file: file.path)
    return report._replace(files=tuple(all_reports), skipped=(*report.skipped, *skipped))


def _staged(
    root: str, head: Revision, tree: GitTree, settings: Settings, paths: frozenset[str]
) -> ChangedFiles:
    """Return the staged changes of some paths. Before the first commit, all of them are new."""
    changes = [Changed("A", path, path) for path in sorted(paths)]
    if head.entries:
        changes = history.changes(root, head.name, staged=True)
    return ChangedFiles(
        tree=tree,
        base=head,
        settings=settings,
        own_settings=settings,
        base_settings=settings,
        changes=tuple(item for item in changes if item.path in paths),
        is_adr=settings.is_adr,
    )


def _read(report: CheckReport) -> set[str]:
    """Return the files that a report is on, and the concepts that were compared."""
    paths = {file.path for file in report.files}
    return paths.union(file.concept.path for file in report.files if file.concept)


def _is_concerned(tree: GitTree, settings: Settings, path: str) -> bool:
    """Return whether a path is in a folder of ADRs, or may be an ADR, by its name alone."""
    if settings.is_adr(path):
        return tree.is_link(path)
    if folder_of_adrs(settings, path) or looks_like_adr(settings, path):
        return True
    return bool(may_be_adr_in_another_format(settings, path) or exemption(settings, path))


def _became_links(changed: ChangedFiles) -> list[FileReport]:
    """Return a warning for each ADR that a link replaces; on a branch it is a question."""
    reports: list[FileReport] = []
    for change in changed.changes:
        if change.status == "T" and changed.tree.is_link(change.path):
            finding = GATE_RELAXED.became_link()._replace(severity="warning")
            ruleset = changed.settings.ruleset
            reports += files.report_on(change.path, "", GATE_RELAXED, [finding], ruleset)
    return reports
