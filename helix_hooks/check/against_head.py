"""The findings of staged ADRs, compared with HEAD: a finding that an ADR had before is information.

A merge is compared with both parents, a hook with pre-commit's from-ref with the merge base of that
revision.
"""

from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from ..adr.check_report import FileReport, Skipped
from ..adr.corpus import Corpus
from ..adr.examine import Before, Source, examine
from ..adr.finish import finish
from ..adr.old_findings import CheckedAdr, as_information, is_measured
from ..adr.rules.registry import OF_THE_CHANGE
from ..adr.severity import capped, most_severe
from ..config.settings import Settings
from ..paths import READ_FIRST
from ..repository import files, history
from ..repository.files import StagedTree, Tree
from .versions import BaseVersions

_ABSENT = "section-missing"

CorpusAround = Callable[[list[FileReport], Tree, Settings], tuple[Corpus, list[Skipped]]]


class Staged(NamedTuple):
    """The staged ADRs and the versions that they are compared with.

    `revision` is HEAD or from-ref, `versions` its tree, in a merge also that of the other side.
    `read` returns an ADR as it is staged, `around` the corpus around some ADRs of a tree.
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


def measured(staged: Staged, reports: list[FileReport]) -> list[FileReport]:
    """Return the reports; in changed ADRs, old findings are information."""
    blocking = [file for file in reports if _counts(file) and not _is_unchanged(staged, file)]
    if not blocking:
        return reports
    names = _old_names(staged, blocking)
    changed = [
        _as_renamed(staged, _Changed(file, staged.read(file.path), names.get(file.path, file.path)))
        for file in blocking
    ]
    before: dict[str, list[CheckedAdr]] = {}
    for base in staged.versions.trees:
        for path, version in _versions(staged, base, changed):
            before.setdefault(path, []).append(version)
    new_names = {old: new for new, old in names.items()}
    settled = {
        item.file.path: as_information(
            CheckedAdr(item.source.doc, item.file),
            before.get(item.file.path, []),
            staged.settings.ruleset.meanings,
            new_names,
        )
        for item in changed
    }
    return [settled.get(file.path, file) for file in reports]


def _as_renamed(staged: Staged, item: _Changed) -> _Changed:
    """Return a renamed ADR in which a section that the old file has, and it lacks, is an error."""
    file, ruleset = item.file, staged.settings.ruleset
    trees = [tree for tree in staged.versions.trees if tree.has(item.old)]
    if item.old == file.path or not any(found.check == _ABSENT for found in file.findings):
        return item
    bases = tuple(staged.versions.version(tree, item.old, staged.settings) for tree in trees)
    strict = examine(item.source._replace(bases=bases), ruleset).findings
    most = most_severe(file.status, "", ruleset.strict_from)
    lost = {
        found.message: capped(found.severity, most) for found in strict if found.check == _ABSENT
    }
    findings = tuple(
        found._replace(severity=lost.get(found.message, found.severity))
        if found.check == _ABSENT
        else found
        for found in file.findings
    )
    return item._replace(file=file._replace(findings=findings))


def _counts(file: FileReport) -> bool:
    """Return whether an ADR has a finding that may block a commit."""
    return bool(file.template) and not file.is_clean


def _is_unchanged(staged: Staged, file: FileReport) -> bool:
    """Return whether an ADR and its concept are those of HEAD."""
    paths = [file.path]
    if file.concept and staged.tree.has(file.concept.path):
        paths.append(file.concept.path)
    head = staged.versions.trees[0]
    return all(staged.tree.same(path, head, path) for path in paths)


def _old_names(staged: Staged, changed: list[FileReport]) -> dict[str, str]:
    """Return the paths before the change of renamed files; asked only if a changed ADR is new.

    Git's own measure of a rename counts: a copy is a new file.
    """
    trees = staged.versions.trees
    if all(any(tree.has(file.path) for tree in trees) for file in changed):
        return {}
    renamed = history.changes(staged.root, staged.revision, staged=True)
    return {item.path: item.old for item in renamed if item.status == "R"}


def _versions(
    staged: Staged, base: StagedTree, changed: list[_Changed]
) -> list[tuple[str, CheckedAdr]]:
    """Return the versions in a commit that changed ADRs are compared with, by present path."""
    settings = _settings_at(staged, base)
    if not settings:
        return []
    ruleset = staged.settings.ruleset
    found: list[tuple[_Changed, Before, FileReport]] = []
    for item in changed:
        if not base.has(item.old) or not _is_adr(base, settings, item.old):
            continue
        before = staged.versions.version(base, item.old, staged.settings)
        source = Source(before.doc, before.concept)
        found.append((item, before, examine(source, ruleset, base.present)))
    among = [old for item, _, old in found if needs_others(item.file)]
    corpus = staged.around(among, base, staged.settings)[0] if among else None
    versions: list[tuple[str, CheckedAdr]] = []
    for item, before, old in found:
        others = corpus if needs_others(item.file) else None
        version = CheckedAdr(before.doc, finish(old, ruleset, others))
        is_same = is_measured(CheckedAdr(item.source.doc, item.file), version)
        if is_same and not (item.old != item.file.path and _is_rewritten(staged, item, before)):
            versions.append((item.file.path, version))
    return versions


def _settings_at(staged: Staged, base: StagedTree) -> Settings | None:
    """Return the settings that say which files were ADRs; None where they cannot be read."""
    if all(staged.tree.same(path, base, path) for path in READ_FIRST):
        return staged.settings
    from .settings import readable_settings

    return readable_settings(base)


def _is_adr(tree: StagedTree, settings: Settings, path: str) -> bool:
    return settings.is_adr(path) or files.is_adr(tree, settings, path)


def needs_others(file: FileReport) -> bool:
    """Return whether the other ADRs of that commit decide which findings of an ADR are old."""
    layers = Counter(finding.layer for finding in file.findings if finding.severity != "info")
    return bool(layers["corpus"] or file.comments)


def _is_rewritten(staged: Staged, item: _Changed, before: Before) -> bool:
    """Return whether a renamed ADR changed a decision in a way that is not allowed."""
    source = item.source._replace(bases=(before,))
    found = examine(source, staged.settings.ruleset).findings
    return any(finding.check in OF_THE_CHANGE for finding in found)
