"""Report ADRs, findings and settings that a branch removes from the check."""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from ..adr.check_report import FileReport
from ..adr.enforcement import Enforcement, in_force
from ..adr.examine import Source, read
from ..adr.model import RuleResult
from ..adr.norm import no_longer_asked
from ..adr.parse import header
from ..adr.reference import key_in_path
from ..adr.rules.gate.accepted_changed import (
    accepted_changed,
    finding_on_deletion,
    question_on_move,
)
from ..adr.rules.gate.gate_relaxed import finding_on_link, gate_relaxed
from ..change.accepted_text import decided_status
from ..change.relaxed_settings import relaxed
from ..change.weakened_rules import weakened
from ..config.settings import Settings
from ..config.watched import Watch
from ..git.history import Changed
from ..paths import PYPROJECT
from ..text import listed
from . import files
from .around import Siblings, is_template
from .comparison import Comparison, watched
from .trees import SUBMODULE, GitTree
from .unread import unwatched

_DECIDE = "or request an approval"


class Branch(NamedTuple):
    """A branch compared with its base, the reports on other files, and what is watched after it."""

    comparison: Comparison
    reports: list[FileReport]
    watch: Watch


def compared(comparison: Comparison) -> Branch:
    """Compare a branch with its base. Raises ConfigError if the settings match nothing."""
    reports = [*_settings(comparison), *_templates(comparison), *_taken_away(comparison)]
    reports += _weakened(comparison)
    watch = watched(comparison)
    reports += unwatched(comparison, {file.path for file in reports})
    reports += _last(comparison, watch, reports)
    return Branch(comparison, reports, watch)


def _question(
    comparison: Comparison, tree: GitTree, path: str, message: str, way_out: str, subject: str
) -> list[FileReport]:
    """Return a question to a person about one file of a tree, by the rules of the base."""
    ruleset = comparison.base_settings.ruleset
    finding = RuleResult(line=1, message=message, help=way_out, subject=subject, question=True)
    text = tree.content(path).decode(errors="replace")
    return files.report_on(path, text, gate_relaxed, [finding], ruleset)


def _settings(comparison: Comparison) -> list[FileReport]:
    """Report relaxed settings, on the settings file that was changed."""
    changed = comparison.changed_settings
    reasons: list[str] = []
    if comparison.base_error:
        reasons.append(f"the settings could not be read before: {comparison.base_error}")
    if changed:
        tracked = comparison.tree.folder("")
        reasons += relaxed(comparison.base_settings, comparison.own_settings, tracked)
    if not reasons:
        return []
    # pyproject.toml changes for many reasons, so a file of our own is the likelier place.
    path = next((path for path in changed if path != PYPROJECT), changed[0])
    message = f"the change relaxes the settings: {'; '.join(reasons)}"
    way_out, subject = f"undo it, {_DECIDE}", "\n".join(reasons)
    return _question(comparison, comparison.tree, path, message, way_out, subject)


def _templates(comparison: Comparison) -> Iterator[FileReport]:
    """Report template files of ADRs that ask for less than before."""
    base, settings = comparison.diff.base, comparison.base_settings
    for change in comparison.diff.changes:
        path = change.old
        if change.status == "A" or not is_template(path) or not settings.is_beside_adrs(path):
            continue
        old = Siblings(base, settings).read([path])
        is_kept = change.status != "D" and change.path == path
        new = Siblings(comparison.tree, settings).read([path] if is_kept else [])
        lost = no_longer_asked(old, new)
        if lost:
            names = ", ".join(f"`{name}`" for name in lost)
            message = f"this template no longer asks for {names}, so new ADRs may lack it"
            way_out = f"put it back, {_DECIDE}"
            yield from _question(comparison, base, path, message, way_out, "\n".join(lost))


def _weakened(comparison: Comparison) -> Iterator[FileReport]:
    """Report checks of accepted decisions in the code that the change removes or weakens."""
    diff, tree = comparison.diff, comparison.tree
    new_names = {old: new for new, old in diff.old_names.items()}
    before = {
        path: checks
        for path in dict.fromkeys(item.old for item in diff.changes if item.status != "A")
        if (checks := _checks(diff.base, path, comparison.base_settings))
    }
    if not before:
        return
    # Another accepted ADR, changed or not, may carry a rule on.
    after = {path: _checks(tree, path, comparison.settings) for path in tree.paths}
    for path, checks in before.items():
        now = new_names.get(path, path)
        others = [other for name, other in after.items() if other and name != now]
        ruleset = comparison.base_settings.ruleset
        there = tree if tree.has(now) else diff.base
        place = now if tree.has(now) else path
        own = after.get(now)
        questions = [
            RuleResult(
                line=line or (own.line if own else 1),
                message=f"less of this accepted decision is checked in the code: {text}",
                help=f"undo it, {_DECIDE}",
                subject=f"enforcement {subject}",
                question=True,
            )
            for line, subject, text in weakened(checks, own, others)
        ]
        text = there.content(place).decode(errors="replace")
        yield from files.report_on(place, text, gate_relaxed, questions, ruleset)


def _checks(tree: GitTree, path: str, settings: Settings) -> Enforcement | None:
    """Return the `enforcement:` of an accepted ADR in a tree; None for any other file."""
    adr = files.with_checks(tree, settings, path)
    return in_force(adr) if adr else None


def _taken_away(comparison: Comparison) -> Iterator[FileReport]:
    """Report ADRs that were hidden, moved, deleted, or decided on the target branch meanwhile."""
    diff = comparison.diff
    for change in diff.changes:
        yield from _hidden(comparison, change)
        yield from _decided_meanwhile(comparison, change)
    yield from _moved_out(comparison)
    yield from _moved(comparison)
    for change in diff.deleted:
        path = change.path
        if comparison.base_settings.is_adr(path) and path not in diff.base.links:
            ruleset, doc = comparison.base_settings.ruleset, diff.base.document(path)
            status = decided_status(read(Source(doc), ruleset))
            findings = [finding_on_deletion(status)] if status else []
            text = doc.data.decode(errors="replace")
            yield from files.report_on(path, text, accepted_changed, findings, ruleset)


def _hidden(comparison: Comparison, change: Changed) -> Iterator[FileReport]:
    """Report an ADR that the change puts behind a link, or ADRs behind a submodule."""
    tree, base, path = comparison.tree, comparison.diff.base, change.path
    before = [path, *base.folder(path)] if path not in base.links else []
    was_adr = any(base.has(name) and comparison.base_settings.is_adr(name) for name in before)
    if was_adr and path in tree.links:
        finding = finding_on_link()._replace(question=True)
        ruleset = comparison.base_settings.ruleset
        yield from files.report_on(path, "", gate_relaxed, [finding], ruleset)
    if (
        tree.entry(path)[0] == SUBMODULE
        and base.entry(path)[0] != SUBMODULE
        and _had_adrs(comparison, path)
    ):
        message = (
            "the change puts a submodule where ADRs are looked for, and its files are not checked"
        )
        way_out = f"commit the ADRs themselves, {_DECIDE}"
        yield from _question(comparison, tree, path, message, way_out, "submodule")


def _had_adrs(comparison: Comparison, folder: str) -> bool:
    """Return whether ADRs were in a folder, or are looked for there."""
    if any(map(comparison.is_adr, comparison.diff.base.folder(folder))):
        return True
    both = (comparison.settings, comparison.base_settings)
    return comparison.is_adr(folder) or any(files.holds_adrs(item, folder) for item in both)


def _decided_meanwhile(comparison: Comparison, change: Changed) -> list[FileReport]:
    """Report an edited ADR whose status the target branch has changed since the merge base."""
    base, tip = comparison.diff.base, comparison.diff.tip
    if change.status not in "MR" or not comparison.is_adr(change.path) or not tip.has(change.old):
        return []
    old = _status_at(comparison, base, change.old)
    new = _status_at(comparison, tip, change.old)
    if old == new or tip.same(change.old, base, change.old):
        return []
    message = (
        f"the target branch has changed the status of this ADR from {old or 'none'} to "
        f"{new or 'none'} since this branch began"
    )
    way_out, subject = "merge or rebase on the target branch", f"{old} {new}"
    return _question(comparison, comparison.tree, change.path, message, way_out, subject)


def _status_at(comparison: Comparison, tree: GitTree, path: str) -> str:
    """Return the status of an ADR in a tree, read with the settings of the base; "" if unknown."""
    ruleset = comparison.base_settings.ruleset
    text = header.read(tree.document(path), ruleset.meanings).text("status")
    return ruleset.statuses.read(text) or ""


def _moved_out(comparison: Comparison) -> Iterator[FileReport]:
    """Report ADRs that were moved to paths that the settings do not match, once for each folder."""
    for folders, moved in _by_folders(_out_of_sight(comparison)).items():
        path, old = moved[0]
        them = "them" if len(moved) > 1 else "it"
        message = f"the ADR {old} was moved to {path}, where ADRs are not checked"
        if len(moved) > 1:
            count = f"{len(moved)} ADRs were moved from {folders[0]} to {folders[1]}"
            message = f"{count}, where ADRs are not checked"
        way_out, subject = f"move {them} back, {_DECIDE}", "\n".join(old for _, old in moved)
        yield from _question(comparison, comparison.tree, path, message, way_out, subject)


def _out_of_sight(comparison: Comparison) -> dict[str, str]:
    """Return the ADRs that were moved out of the settings: the old path by the new one."""
    moved: dict[str, str] = {}
    for change in comparison.diff.changes:
        old = comparison.diff.old_names.get(change.path)
        if old and not comparison.is_adr(change.path) and not comparison.tree.there(old):
            moved[change.path] = old
    return moved


def _by_folders(moved: dict[str, str]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Return moved files, as new and old path, by their old and their new folder."""
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for path, old in sorted(moved.items()):
        folders = (posixpath.dirname(old) or ".", posixpath.dirname(path) or ".")
        groups.setdefault(folders, []).append((path, old))
    return groups


def _moved(comparison: Comparison) -> Iterator[FileReport]:
    """Ask about decided ADRs that have another path, once for each folder."""
    ruleset, tree = comparison.base_settings.ruleset, comparison.tree
    old_names = comparison.diff.old_names
    moved = {path: old for path, old in old_names.items() if _is_moved(comparison, path, old)}
    for (_, folder), pairs in _by_folders(moved).items():
        names = [old for _, old in pairs]
        finding = question_on_move(folder, names)
        path = pairs[0][0]
        text = tree.content(path).decode(errors="replace")
        yield from files.report_on(path, text, accepted_changed, [finding], ruleset)


def _is_moved(comparison: Comparison, path: str, old: str) -> bool:
    """Return whether a decided ADR has another path; `accepted-changed` reports another number."""
    if not (comparison.is_adr(path) and comparison.base_settings.is_adr(old)):
        return False
    if comparison.tree.there(old) or key_in_path(path) != key_in_path(old):
        return False
    doc = comparison.diff.base.document(old)
    return bool(decided_status(read(Source(doc), comparison.base_settings.ruleset)))


def _last(comparison: Comparison, watch: Watch, known: list[FileReport]) -> list[FileReport]:
    """Report the last ADRs if the branch removes them, unless each of them is reported already."""
    old_names = comparison.diff.old_names
    reported = {old_names.get(file.path, file.path) for file in known}
    if reported.union(_out_of_sight(comparison).values()).issuperset(watch.lost):
        return []
    message = f"no ADR is left in this repository; this change removes {listed(watch.lost)}"
    way_out, subject = f"keep one, {_DECIDE}", "\n".join(watch.lost)
    return _question(comparison, comparison.diff.base, watch.lost[0], message, way_out, subject)
