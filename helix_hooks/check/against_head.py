"""The findings of staged ADRs, compared with HEAD: a finding that HEAD has too is information.

A merge is compared with both parents. A hook with the from-ref of pre-commit is compared with the
merge base of that revision.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..adr.check_report import FileReport, Skipped, capped, finish, most_severe
from ..adr.corpus import Corpus
from ..adr.examine import Before, Source
from ..adr.rules.registry import OF_THE_CHANGE, Ruleset
from ..change.accepted_text import examine
from ..change.old_findings import CheckedAdr, as_information, is_measured
from ..config.settings import Settings
from ..git import history
from ..paths import READ_FIRST
from . import files
from .around import BaseVersions
from .options import CheckContext
from .settings import readable_settings
from .trees import GitTree, Revision, Tree

_HELD = ("section-missing", "unlike-siblings")
"""The rules that hold a new ADR to more than an old one."""

CorpusAround = Callable[[list[FileReport], Tree, Settings], tuple[Corpus, list[Skipped]]]


class _Changed(NamedTuple):
    """A changed ADR: its report, its source, its versions by the number of the commit.

    `is_renamed`: it had another path before the change.
    """

    file: FileReport
    source: Source
    before: dict[int, Before]
    is_renamed: bool


def with_old_findings(
    context: CheckContext,
    head: Revision,
    tree: GitTree,
    versions: BaseVersions,
    read: Callable[[str], Source],
    around: CorpusAround,
    reports: list[FileReport],
) -> list[FileReport]:
    """Return the reports with the old findings of changed ADRs as information.

    `head` is HEAD or from-ref; `versions` has it, and in a merge also the other side. `read`
    returns a staged ADR, `around` the corpus around some ADRs of a tree.
    """
    settings = context.settings
    ruleset = settings.ruleset
    # Only an ADR with a finding may block a commit.
    may_block = [file for file in reports if file.template and not file.is_clean]
    blocking = [file for file in may_block if not _is_same(tree, head, file)]
    if not blocking:
        return reports
    # Only a new path can be a new name, and most commits have none: git need not compare files.
    old_names: dict[str, str] = {}
    if any(not any(base.has(file.path) for base in versions.trees) for file in blocking):
        renamed = history.changes(head.root, head.name, staged=True)
        old_names = {item.path: item.old for item in renamed if item.status == "R"}
    at_bases = [
        settings
        if all(tree.same(path, base, path) for path in READ_FIRST)
        else readable_settings(base)
        for base in versions.trees
    ]
    changed: list[_Changed] = []
    for file in blocking:
        old = old_names.get(file.path, file.path)
        before = {
            number: versions.version(base, old, settings)
            for number, (base, its) in enumerate(zip(versions.trees, at_bases, strict=True))
            if its and base.has(old) and (its.is_adr(old) or files.is_adr(base, its, old))
        }
        item = _Changed(file, read(file.path), before, old != file.path)
        changed.append(_as_renamed(item, ruleset) if item.is_renamed and before else item)
    old_versions: dict[str, list[CheckedAdr]] = {}
    for number, base in enumerate(versions.trees):
        there = [item for item in changed if number in item.before]
        for item, version in _measured(there, number, base, settings, around):
            old_versions.setdefault(item.file.path, []).append(version)
    new_names = {old: new for new, old in old_names.items()}
    compared = {file.path: file for file in reports}
    for item in changed:
        path, now = item.file.path, CheckedAdr(item.source.doc, item.file)
        old_reports = old_versions.get(path, [])
        compared[path] = as_information(now, old_reports, ruleset.meanings, new_names)
    return list(compared.values())


def _is_same(tree: GitTree, head: GitTree, file: FileReport) -> bool:
    """Return whether an ADR and its concept are the same at HEAD."""
    paths = [file.path]
    if file.concept and tree.has(file.concept.path):
        paths.append(file.concept.path)
    return all(tree.same(path, head, path) for path in paths)


def _as_renamed(item: _Changed, ruleset: Ruleset) -> _Changed:
    """Hold a renamed ADR to what it had, not as the new file that it seems.

    A renamed file with another decision in it is a new ADR.
    """
    bases = tuple(item.before.values())
    source = item.source._replace(bases=bases, is_new=False)
    strict = examine(source, ruleset).findings
    if any(finding.check in OF_THE_CHANGE and not finding.question for finding in strict):
        return item
    file = item.file
    most = most_severe(file.status, "", ruleset.strict_from)
    others = (finding for finding in file.findings if finding.check not in _HELD)
    held = (
        finding._replace(severity=capped(finding.severity, most))
        for finding in strict
        if finding.check in _HELD
    )
    return item._replace(file=file._replace(findings=(*others, *held)))


def _measured(
    changed: list[_Changed], number: int, base: GitTree, settings: Settings, around: CorpusAround
) -> list[tuple[_Changed, CheckedAdr]]:
    """Return the versions in a commit that changed ADRs are compared with."""
    ruleset = settings.ruleset
    reports: list[FileReport] = []
    for item in changed:
        doc, concept = item.before[number]
        reports.append(examine(Source(doc, concept, is_new=False), ruleset, base.present))
    pairs = [*zip(changed, reports, strict=True)]
    with_others = [report for item, report in pairs if _needs_others(item.file)]
    corpus = around(with_others, base, settings)[0] if with_others else None
    measured: list[tuple[_Changed, CheckedAdr]] = []
    for item, report in pairs:
        before = item.before[number]
        others = corpus if _needs_others(item.file) else None
        version = CheckedAdr(before.doc, finish(report, ruleset, others))
        if not is_measured(CheckedAdr(item.source.doc, item.file), version):
            continue
        if item.is_renamed:
            findings = examine(item.source._replace(bases=(before,)), ruleset).findings
            if any(item.check in OF_THE_CHANGE and not item.question for item in findings):
                continue
        measured.append((item, version))
    return measured


def _needs_others(file: FileReport) -> bool:
    """Return whether the old findings of an ADR depend on the other ADRs of that commit."""
    layers = {finding.layer for finding in file.findings if finding.severity != "info"}
    return "corpus" in layers or bool(file.comments)
