"""The findings of staged ADRs, compared with HEAD: a finding that HEAD has too is information.

A merge is compared with both parents. A hook with the from-ref of pre-commit is compared with the
merge base of that revision.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import Corpus
from ..adr.examine import Before, Source, examine
from ..adr.finish import finish
from ..adr.old_findings import CheckedAdr, as_information, is_measured
from ..adr.rules.registry import OF_THE_CHANGE
from ..adr.severity import capped, most_severe
from ..config.settings import Settings
from ..repository import history
from ..repository.files import StagedTree, Tree
from .versions import BaseVersions

_HELD = ("section-missing", "headings-missing", "unlike-siblings")
"""The rules that hold a new ADR to more than an old one."""

CorpusAround = Callable[[list[FileReport], Tree, Settings], tuple[Corpus, list[Skipped]]]


class Staged(NamedTuple):
    """The staged ADRs and the versions that they are compared with.

    `revision` is HEAD or from-ref. `versions` has its tree, and in a merge also the tree of the
    other side. `read` returns a staged ADR, `around` the corpus around some ADRs of a tree.
    """

    root: str
    revision: str
    tree: StagedTree
    settings: Settings
    versions: BaseVersions
    read: Callable[[str], Source]
    around: CorpusAround


class _Changed(NamedTuple):
    """A changed ADR: its report, its source, and its path before the change."""

    file: FileReport
    source: Source
    old: str


def with_old_findings(staged: Staged, reports: list[FileReport]) -> list[FileReport]:
    """Return the reports with the old findings of changed ADRs as information."""
    blocking = [file for file in reports if _may_block(file) and not _is_unchanged(staged, file)]
    if not blocking:
        return reports
    old_names = _old_names(staged, blocking)
    changed = [_changed(staged, file, old_names) for file in blocking]
    versions = _all_versions(staged, changed)
    new_names = {old: new for new, old in old_names.items()}
    meanings = staged.settings.ruleset.meanings
    compared = {file.path: file for file in reports}
    for item in changed:
        path, now = item.file.path, CheckedAdr(item.source.doc, item.file)
        compared[path] = as_information(now, versions.get(path, []), meanings, new_names)
    return list(compared.values())


def _all_versions(staged: Staged, changed: list[_Changed]) -> dict[str, list[CheckedAdr]]:
    """Return the versions of changed ADRs in all commits, by present path."""
    versions: dict[str, list[CheckedAdr]] = {}
    for base in staged.versions.trees:
        for path, version in _versions(staged, base, changed):
            versions.setdefault(path, []).append(version)
    return versions


def _changed(staged: Staged, file: FileReport, old_names: dict[str, str]) -> _Changed:
    """Return a changed ADR. A renamed one is held to what it had, not as the new file it seems."""
    old = old_names.get(file.path, file.path)
    source = staged.read(file.path)
    if old == file.path or not any(item.check in _HELD for item in file.findings):
        return _Changed(file, source, old)
    trees = [tree for tree in staged.versions.trees if tree.has(old)]
    bases = tuple(staged.versions.version(tree, old, staged.settings) for tree in trees)
    source = source._replace(bases=bases, is_new=False)
    ruleset = staged.settings.ruleset
    most = most_severe(file.status, "", ruleset.strict_from)
    held = [
        item._replace(severity=capped(item.severity, most))
        for item in examine(source, ruleset).findings
        if item.check in _HELD
    ]
    others = [item for item in file.findings if item.check not in _HELD]
    return _Changed(file._replace(findings=(*others, *held)), staged.read(file.path), old)


def _may_block(file: FileReport) -> bool:
    """Return whether an ADR has a finding that may block a commit."""
    return bool(file.template) and not file.is_clean


def _is_unchanged(staged: Staged, file: FileReport) -> bool:
    """Return whether an ADR and its concept are the same at HEAD."""
    paths = [file.path]
    if file.concept and staged.tree.has(file.concept.path):
        paths.append(file.concept.path)
    head = staged.versions.trees[0]
    return all(staged.tree.same(path, head, path) for path in paths)


def _old_names(staged: Staged, changed: list[FileReport]) -> dict[str, str]:
    """Return the path before the change of each renamed file, by its new path.

    Git decides what a rename is: a copy is a new file.
    """
    trees = staged.versions.trees
    # Only a new path can be a new name, and most commits have none: git need not compare files.
    if all(any(tree.has(file.path) for tree in trees) for file in changed):
        return {}
    renamed = history.changes(staged.root, staged.revision, staged=True)
    return {item.path: item.old for item in renamed if item.status == "R"}


def _versions(
    staged: Staged, base: StagedTree, changed: list[_Changed]
) -> Iterator[tuple[str, CheckedAdr]]:
    """Yield the versions in a commit that changed ADRs are compared with, by present path."""
    old_versions = _examined_at(staged, base, changed)
    with_others = [version.report for version in old_versions if needs_others(version.item.file)]
    corpus = staged.around(with_others, base, staged.settings)[0] if with_others else None
    ruleset = staged.settings.ruleset
    for item, before, report in old_versions:
        others = corpus if needs_others(item.file) else None
        version = CheckedAdr(before.doc, finish(report, ruleset, others))
        is_same = is_measured(CheckedAdr(item.source.doc, item.file), version)
        is_renamed = item.old != item.file.path
        if is_same and not (is_renamed and _is_rewritten(staged, item, before)):
            yield item.file.path, version


class _OldVersion(NamedTuple):
    """A changed ADR, its version in a commit, and the report on that version alone."""

    item: _Changed
    before: Before
    report: FileReport


def _examined_at(staged: Staged, base: StagedTree, changed: list[_Changed]) -> list[_OldVersion]:
    """Return the versions in a commit of the ADRs that were ADRs there."""
    if staged.versions.is_broken:
        return []
    versions: list[_OldVersion] = []
    for item in changed:
        if base.has(item.old) and staged.versions.was_adr(item.old, staged.settings):
            before = staged.versions.version(base, item.old, staged.settings)
            source = Source(before.doc, before.concept, is_new=False)
            report = examine(source, staged.settings.ruleset, base.present)
            versions.append(_OldVersion(item, before, report))
    return versions


def needs_others(file: FileReport) -> bool:
    """Return whether the old findings of an ADR depend on the other ADRs of that commit."""
    layers = Counter(finding.layer for finding in file.findings if finding.severity != "info")
    return bool(layers["corpus"] or file.comments)


def _is_rewritten(staged: Staged, item: _Changed, before: Before) -> bool:
    """Return whether a renamed ADR changed a decision in a way that is not allowed."""
    source = item.source._replace(bases=(before,))
    findings = examine(source, staged.settings.ruleset).findings
    return any(item.check in OF_THE_CHANGE and not item.question for item in findings)
