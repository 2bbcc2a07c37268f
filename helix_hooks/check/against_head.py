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
from ..git import history
from ..paths import READ_FIRST
from . import files
from .trees import GitTree, Tree
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
    tree: GitTree
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
    bases = () if old == file.path else tuple(_old_adrs(staged, old))
    if not bases:
        return _Changed(file, source, old)
    strict = examine(source._replace(bases=bases, is_new=False), staged.settings.ruleset).findings
    # A renamed file with another decision in it is a new ADR.
    if any(item.check in OF_THE_CHANGE and not item.question for item in strict):
        return _Changed(file, source, old)
    most = most_severe(file.status, "", staged.settings.ruleset.strict_from)
    others = (item for item in file.findings if item.check not in _HELD)
    held = (
        item._replace(severity=capped(item.severity, most))
        for item in strict
        if item.check in _HELD
    )
    return _Changed(file._replace(findings=(*others, *held)), source, old)


def _old_adrs(staged: Staged, path: str) -> Iterator[Before]:
    """Yield the versions of an ADR at a former path, in the commits that have it."""
    for base in staged.versions.trees:
        settings = _settings_at(staged, base)
        if settings and base.has(path) and _is_adr(base, settings, path):
            yield staged.versions.version(base, path, staged.settings)


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
    staged: Staged, base: GitTree, changed: list[_Changed]
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


def _examined_at(staged: Staged, base: GitTree, changed: list[_Changed]) -> list[_OldVersion]:
    """Return the versions in a commit of the ADRs that were ADRs there."""
    settings = _settings_at(staged, base)
    if not settings:
        return []
    versions: list[_OldVersion] = []
    for item in changed:
        if base.has(item.old) and _is_adr(base, settings, item.old):
            before = staged.versions.version(base, item.old, staged.settings)
            source = Source(before.doc, before.concept, is_new=False)
            report = examine(source, staged.settings.ruleset, base.present)
            versions.append(_OldVersion(item, before, report))
    return versions


def _settings_at(staged: Staged, base: GitTree) -> Settings | None:
    """Return the settings that define which files were ADRs; None if they can't be read."""
    if all(staged.tree.same(path, base, path) for path in READ_FIRST):
        return staged.settings
    from .settings import readable_settings

    return readable_settings(base)


def _is_adr(tree: GitTree, settings: Settings, path: str) -> bool:
    return settings.is_adr(path) or files.is_adr(tree, settings, path)


def needs_others(file: FileReport) -> bool:
    """Return whether the old findings of an ADR depend on the other ADRs of that commit."""
    layers = Counter(finding.layer for finding in file.findings if finding.severity != "info")
    return bool(layers["corpus"] or file.comments)


def _is_rewritten(staged: Staged, item: _Changed, before: Before) -> bool:
    """Return whether a renamed ADR changed a decision in a way that is not allowed."""
    source = item.source._replace(bases=(before,))
    findings = examine(source, staged.settings.ruleset).findings
    return any(item.check in OF_THE_CHANGE and not item.question for item in findings)
