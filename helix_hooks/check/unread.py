"""Account for the changed files in folders of ADRs that are not checked as ADRs.

A file that may be a decision is a finding. The others are named, so that no file is taken for
checked.
"""

from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ..adr.check_report import FileReport, Skipped
from ..adr.examine import Source, examine, read
from ..adr.model import RuleResult
from ..adr.parse.document import AdrDocument
from ..adr.rules.gate.unwatched_adr import UNWATCHED_ADR
from ..adr.rules.registry import Ruleset
from ..adr.rules.structure.placeholder import Placeholder
from ..adr.template import DECISION
from ..config.settings import Settings
from ..config.watched import (
    collection_around,
    exemption,
    folder_of_adrs,
    looks_like_adr,
    may_be_adr_in_another_format,
    named,
)
from ..paths import MARKDOWN, without_suffix
from ..repository import files
from ..repository.git_tree import GitTree
from ..repository.history import Changed
from .comparison import Comparison

if TYPE_CHECKING:
    from ..finding import Severity

_NOT_AN_ADR = "not an ADR by its name, and no concept of one"
_MOST_NAMES = 20
"""Maximum names in a line; a change may add hundreds of pictures."""


class ChangedFiles(NamedTuple):
    """The changes from one tree to another. `is_adr` tells which paths are checked as ADRs.

    The files are checked with `settings`; `own_settings` are those of the change itself.
    """

    tree: GitTree
    base: GitTree
    settings: Settings
    own_settings: Settings
    base_settings: Settings
    changes: tuple[Changed, ...]
    is_adr: Callable[[str], bool]


def of_branch(comparison: Comparison) -> ChangedFiles:
    """Return the changed files of a branch."""
    return ChangedFiles(
        tree=comparison.tree,
        base=comparison.diff.base,
        settings=comparison.settings,
        own_settings=comparison.own_settings,
        base_settings=comparison.base_settings,
        changes=comparison.diff.changes,
        is_adr=comparison.is_adr,
    )


def unwatched(changed: ChangedFiles, known: Collection[str]) -> Iterator[FileReport]:
    """Yield a report on each changed file that may be a decision and is not checked.

    Files in `known` are reported already. What was so at the base is information. It is a question
    to a person if the settings of the change itself cover the file.
    """
    ruleset = changed.base_settings.ruleset
    for change in changed.changes:
        path = change.path
        if change.status == "D" or path in known or changed.is_adr(path):
            continue
        findings = _findings(changed, change)
        if findings:
            text = changed.tree.content(path).decode(errors="replace")
            yield from files.report_on(path, text, UNWATCHED_ADR, findings, ruleset)


def unread(changed: ChangedFiles, known: Collection[str], *, names_all: bool) -> list[Skipped]:
    """Return the changed files in folders of ADRs that no rule reads, with the reason.

    `known` are the files that were read or reported. Without `names_all`, only those are returned
    that have a status or a decision.
    """
    skipped: list[Skipped] = []
    others: dict[str, list[str]] = {}
    for change in changed.changes:
        path = change.path
        if change.status == "D" or _was_read(changed, path, known):
            continue
        reason = _exempted(changed.settings, changed.tree, path)
        folder = folder_of_adrs(changed.settings, path)
        if reason:
            skipped.append(Skipped("", path, reason))
        elif folder and names_all:
            others.setdefault(folder, []).append(path)
    skipped += [_in_folder(folder, paths) for folder, paths in others.items()]
    return [*skipped, *_taken_away(changed)] if names_all else skipped


def _taken_away(changed: ChangedFiles) -> Iterator[Skipped]:
    """Yield the deleted files of folders of ADRs, and those moved out, that were no ADRs."""
    settings = changed.base_settings
    for change in changed.changes:
        is_moved = change.status == "R" and not folder_of_adrs(changed.settings, change.path)
        if not (is_moved or change.status == "D") or changed.is_adr(change.old):
            continue
        if change.old.endswith("concept.md"):
            continue  # `gate-relaxed` compares it
        if folder_of_adrs(settings, change.old):
            reason = _exempted(settings, changed.base, change.old) or _NOT_AN_ADR
            yield Skipped("", change.old, f"{'moved away' if is_moved else 'deleted'}; {reason}")


def _was_read(changed: ChangedFiles, path: str, known: Collection[str]) -> bool:
    """Return whether a file was read, or is another name of an ADR, which was."""
    end = changed.tree.place(path).path
    return path in known or end in known or (end != path and changed.is_adr(end))


def _in_folder(folder: str, paths: list[str]) -> Skipped:
    if len(paths) == 1:
        return Skipped("", paths[0], _NOT_AN_ADR)
    names = named([path.removeprefix(f"{folder}/") for path in paths], _MOST_NAMES)
    return Skipped("", folder, f"no ADRs by their names, and no concepts: {names}")


def _exempted(settings: Settings, tree: GitTree, path: str) -> str:
    """Return why a file with a status or a decision is not an ADR; "" for another file."""
    reason = exemption(settings, path)
    if not reason or not tree.has(path):
        return ""
    doc = tree.document(path)
    if doc.defect or not _states_decision(doc, settings.ruleset):
        return ""
    return f"it has a status or a decision, but {reason}"


def _findings(changed: ChangedFiles, change: Changed) -> list[RuleResult]:
    settings, path = changed.settings, change.path
    if looks_like_adr(settings, path):
        findings = UNWATCHED_ADR.check(path, settings.paths)
        was_so = _was(changed, change, lambda old: looks_like_adr(changed.base_settings, old))
    elif _may_be_in_another_format(changed, path):
        findings = UNWATCHED_ADR.in_another_format()
        was_so = _was(changed, change, lambda old: _may_be_in_another_format(changed, old))
    elif _is_new_decision(changed, change):
        findings = UNWATCHED_ADR.inside(path, collection_around(settings, path))
        was_so = False
    else:
        return []
    severity: Severity = "info" if was_so else ""
    own = changed.own_settings
    is_covered = own != settings and (own.is_adr(path) or own.leaves_out(path))
    return [item._replace(severity=severity, question=is_covered) for item in findings]


def _was(changed: ChangedFiles, change: Changed, is_so: Callable[[str], bool]) -> bool:
    """Return whether the same was true for a changed file at the base."""
    return changed.base.there(change.old) and is_so(change.old)


def _may_be_in_another_format(changed: ChangedFiles, path: str) -> bool:
    """Return whether a text has the name of an ADR, but is not Markdown.

    A page that was generated from an ADR beside it is left out.
    """
    adr = may_be_adr_in_another_format(changed.settings, path)
    stem = without_suffix(adr)
    return bool(adr) and not any(changed.tree.there(f"{stem}{suffix}") for suffix in MARKDOWN)


def _is_new_decision(changed: ChangedFiles, change: Changed) -> bool:
    """Return whether a file in a folder of ADRs reads like a decision, and did not at the base.

    Its name is not the name of an ADR.
    """
    tree, base, settings = changed.tree, changed.base, changed.settings
    was_there = change.status != "A" and _decides(base, settings, change.old)
    return not was_there and _decides(tree, settings, change.path)


def _decides(tree: GitTree, settings: Settings, path: str) -> bool:
    if not collection_around(settings, path) or not tree.has(path):
        return False
    return _reads_like_decision(tree.document(path), settings.ruleset)


def _reads_like_decision(doc: AdrDocument, ruleset: Ruleset) -> bool:
    """Return whether a text has a title, no blank of a template, and a decision or a status.

    `TODO` in a sentence is not a blank.
    """
    if doc.defect or not doc.title or not _states_decision(doc, ruleset):
        return False
    findings = examine(Source(doc), ruleset).findings
    return all(item.check != Placeholder.id or item.severity == "info" for item in findings)


def _states_decision(doc: AdrDocument, ruleset: Ruleset) -> bool:
    """Return whether a text has a section for a decision, or a known status."""
    adr = read(Source(doc), ruleset)
    return DECISION in adr.h2 or bool(ruleset.statuses.read(adr.header.text("status")))
