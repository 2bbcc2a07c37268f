"""Account for the changed files in folders of ADRs that are not checked as ADRs.

A file that may be a decision is a finding. The others are named, so that no file is taken for
checked.
"""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from .. import git
from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.examine import Source, examine, read
from ..adr.model import DECISION, RuleResult
from ..adr.parse.document import AdrDocument
from ..adr.place import is_translation_folder
from ..adr.reference import key_in_path
from ..adr.rules.gate.gate_relaxed import finding_on_link, gate_relaxed
from ..adr.rules.gate.unwatched_adr import in_another_format, inside, unwatched_adr
from ..adr.rules.registry import Ruleset
from ..adr.rules.structure.placeholder import placeholder
from ..config.settings import Settings
from ..config.watched import (
    collection_around,
    exemption,
    folder_of_adrs,
    looks_like_adr,
    may_be_adr_in_another_format,
)
from ..git import history
from ..git.history import Changed
from ..paths import MARKDOWN, is_below, without_suffix
from ..text import listed
from . import files
from .comparison import Comparison, since_head
from .options import CheckContext
from .trees import GitTree

if TYPE_CHECKING:
    from ..finding import Severity


_NOT_AN_ADR = "not an ADR by its name, and no concept of one"
_MOST_NAMES = 20
"""Maximum names in a line; a change may add hundreds of pictures."""


def unwatched(changed: Comparison, known: Collection[str]) -> Iterator[FileReport]:
    """Yield a report on each changed file that may be a decision and is not checked.

    Files in `known` are reported already. What was so at the base is information. It is a question
    to a person if the settings of the change itself cover the file.
    """
    ruleset = changed.base_settings.ruleset
    for change in changed.diff.changes:
        path = change.path
        if change.status == "D" or path in known or changed.is_adr(path):
            continue
        findings = _findings(changed, change)
        if findings:
            text = changed.tree.content(path).decode(errors="replace")
            yield from files.report_on(path, text, unwatched_adr, findings, ruleset)


def unread(changed: Comparison, known: Collection[str], *, names_all: bool) -> list[Skipped]:
    """Return the changed files in folders of ADRs that no rule reads, with the reason.

    `known` are the files that were read or reported. Without `names_all`, only those are returned
    that have a status or a decision.
    """
    skipped: list[Skipped] = []
    others: dict[str, list[str]] = {}
    for change in changed.diff.changes:
        path = change.path
        end = changed.tree.place(path).path
        was_read = path in known or end in known or (end != path and changed.is_adr(end))
        if change.status == "D" or was_read:
            continue
        reason = _exempted(changed.settings, changed.tree, path)
        folder = folder_of_adrs(changed.settings, path)
        if reason:
            skipped.append(Skipped("", path, reason))
        elif folder and names_all:
            others.setdefault(folder, []).append(path)
    for folder, paths in others.items():
        if len(paths) == 1:
            skipped.append(Skipped("", paths[0], _NOT_AN_ADR))
        else:
            names = listed([path.removeprefix(f"{folder}/") for path in paths], _MOST_NAMES)
            reason = f"no ADRs by their names, and no concepts: {names}"
            skipped.append(Skipped("", folder, reason))
    return [*skipped, *_taken_away(changed)] if names_all else skipped


def _taken_away(changed: Comparison) -> Iterator[Skipped]:
    """Yield the deleted files of folders of ADRs, and those moved out, that were no ADRs."""
    settings = changed.base_settings
    for change in changed.diff.changes:
        is_moved = change.status == "R" and not folder_of_adrs(changed.settings, change.path)
        if not (is_moved or change.status == "D") or changed.is_adr(change.old):
            continue
        if change.old.endswith("concept.md"):
            continue  # `gate-relaxed` compares it
        if folder_of_adrs(settings, change.old):
            reason = _exempted(settings, changed.diff.base, change.old) or _NOT_AN_ADR
            yield Skipped("", change.old, f"{'moved away' if is_moved else 'deleted'}; {reason}")


def _exempted(settings: Settings, tree: GitTree, path: str) -> str:
    """Return why a file with a status or a decision is not an ADR; "" for another file."""
    reason = exemption(settings, path)
    if not reason or not tree.has(path):
        return ""
    doc = tree.document(path)
    if doc.defect or not _states_decision(doc, settings.ruleset):
        return ""
    return f"it has a status or a decision, but {reason}"


def _findings(changed: Comparison, change: Changed) -> list[RuleResult]:
    settings, path = changed.settings, change.path
    if looks_like_adr(settings, path):
        findings = unwatched_adr.check(path, settings.paths)
        was_so = looks_like_adr(changed.base_settings, change.old)
    elif _may_be_in_another_format(changed, path):
        findings = in_another_format()
        was_so = _may_be_in_another_format(changed, change.old)
    elif _is_new_decision(changed, change):
        findings = inside(path, collection_around(settings, path))
        was_so = False
    else:
        return []
    severity: Severity = "info" if was_so and changed.diff.base.there(change.old) else ""
    own = changed.own_settings
    is_covered = own != settings and (own.is_adr(path) or own.leaves_out(path))
    return [item._replace(severity=severity, question=is_covered) for item in findings]


def _may_be_in_another_format(changed: Comparison, path: str) -> bool:
    """Return whether a text has the name of an ADR, but is not Markdown.

    A page that was generated from an ADR beside it is left out.
    """
    adr = may_be_adr_in_another_format(changed.settings, path)
    stem = without_suffix(adr)
    return bool(adr) and not any(changed.tree.there(f"{stem}{suffix}") for suffix in MARKDOWN)


def _is_new_decision(changed: Comparison, change: Changed) -> bool:
    """Return whether a file in a folder of ADRs reads like a decision, and did not at the base.

    Its name is not the name of an ADR.
    """
    tree, base, settings = changed.tree, changed.diff.base, changed.settings
    was_there = change.status != "A" and _decides(base, settings, change.old)
    if was_there or not _decides(tree, settings, change.path):
        return False
    return not _is_translation(changed, change.path)


def _decides(tree: GitTree, settings: Settings, path: str) -> bool:
    """Return whether a text has a title, no blank of a template, and a decision or a status.

    `TODO` in a sentence is not a blank.
    """
    if not collection_around(settings, path) or not tree.has(path):
        return False
    doc, ruleset = tree.document(path), settings.ruleset
    if doc.defect or not doc.title or not _states_decision(doc, ruleset):
        return False
    findings = examine(Source(doc), ruleset).findings
    return all(item.check != placeholder.id or item.severity == "info" for item in findings)


def _states_decision(doc: AdrDocument, ruleset: Ruleset) -> bool:
    """Return whether a text has a section for a decision, or a known status."""
    adr = read(Source(doc), ruleset)
    return DECISION in adr.h2 or bool(adr.status)


def _is_translation(changed: Comparison, path: str) -> bool:
    """Return whether a file in a folder of a language has the name or the number of an ADR."""
    folder, _, name = path.rpartition("/")
    if not is_translation_folder(folder):
        return False
    number = key_in_path(path)
    around = changed.tree.folder(collection_around(changed.settings, path))
    return any(
        other.endswith(f"/{name}") or (number and key_in_path(other) == number)
        for other in around
        if changed.is_adr(other)
    )


def account_for_branch(
    report: CheckReport, comparison: Comparison, below: list[str]
) -> CheckReport:
    """Return the report on a branch with the names of the changed files that no rule read.

    With `below`, only files at or below these paths are named.
    """
    changes = comparison.diff.changes
    if below:
        changes = tuple(item for item in changes if is_below(item.path, below))
    changed = comparison._replace(diff=comparison.diff._replace(changes=changes))
    skipped = unread(changed, _read(report), names_all=True)
    return report._replace(skipped=(*report.skipped, *skipped))


def account_for_commit(report: CheckReport, context: CheckContext) -> CheckReport:
    """Return the report on staged files with those that no rule read.

    The paths are those of a hook, for which the files without a status or a decision are left out;
    none means all staged paths. At a merge, nothing is added.
    """
    root, head = context.target.root, context.target.head
    tree, settings, paths = context.tree, context.settings, context.paths
    if not head or not isinstance(tree, GitTree) or git.merging(root):
        return report
    staged = paths or git.staged_paths(root)
    concerned = {path for path in staged if _is_concerned(tree, settings, path)}
    if not concerned:
        return report
    # Before the first commit, all of them are new.
    changes = [Changed("A", path, path) for path in sorted(concerned)]
    if head.entries:
        changes = history.changes(root, head.name, staged=True)
    changes = [item for item in changes if item.path in concerned]
    changed = since_head(head, tree, settings, tuple(changes))
    known = _read(report)
    reports: list[FileReport] = []
    for change in changes:
        if change.status == "T" and tree.is_link(change.path):
            # On a branch it is a question.
            finding = finding_on_link()._replace(severity="warning")
            ruleset = settings.ruleset
            reports += files.report_on(change.path, "", gate_relaxed, [finding], ruleset)
    reports += unwatched(changed, known)
    known.update(file.path for file in reports)
    skipped = unread(changed, known, names_all=not paths)
    all_reports = sorted((*report.files, *reports), key=lambda file: file.path)
    return report._replace(files=tuple(all_reports), skipped=(*report.skipped, *skipped))


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
