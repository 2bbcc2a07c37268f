"""Quick fixes: repairs of rules, missing sections, and comments that suppress a finding."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from lsprotocol import types

from ..adr.check_report import CheckReport
from ..adr.model import Adr
from ..adr.rules.registry import FIRM
from ..adr.rules.structure.section_missing import is_there
from ..adr.template import Required
from ..finding import Finding
from ..fixes.around import Around
from ..fixes.edit import Edit, Fix, applied, overlapping
from ..fixes.effects import why_not
from ..fixes.registry import fixes_of
from .diagnostics import diagnostic, place
from .hover import front_lines
from .project import Project
from .text import EditorText

QUICK, ALL = types.CodeActionKind.QuickFix, types.CodeActionKind.SourceFixAll

_MOST = 50
"""Maximum number of findings with quick fixes in one answer, because each fix is checked."""
_REASON = "REASON"
"""The placeholder of a reason. The gate requires a reason of at least two words."""
_BLANK = "{Say here what belongs in this section.}"
"""The placeholder of a section, as `new` writes it. The gate reports it until it is replaced."""
_CRITERIA = "- [ ] {Something that can be checked when the work is done}"


def actions(
    project: Project, path: str, params: types.CodeActionParams, *, has_versions: bool
) -> list[types.CodeAction]:
    """Return the quick fixes for the first findings on the lines of a range, each once.

    The last one applies all safe repairs of the file. `has_versions` is true if the client knows
    edits of a version of a document.
    """
    adr = project.adr(path) if project.is_adr(path) else None
    if not adr or not project.settings:
        return []
    text, ruleset = project.shown(path), project.settings.ruleset
    findings = [finding for report in project.reports([path]) for finding in report.findings]
    around = Around(ruleset, text=project.text, adr=project.adr, corpus=project.corpus(path))
    # Renames are left out: an open document would keep its old path.
    repairs = [fix for fix in fixes_of(findings, around) if fix.edits and not fix.renames]
    offered: dict[Fix, types.CodeAction] = {}
    if _is_wanted(QUICK, params.context.only):
        first, last = params.range.start.line, params.range.end.line
        near = (item for item in findings if first <= place(item, text)[0] <= last)
        for finding in islice(near, _MOST):
            for fix, is_preferred in _quick_fixes(project, adr, text, finding, repairs):
                offered[fix] = offered.get(fix) or types.CodeAction(
                    fix.title,
                    kind=QUICK,
                    diagnostics=[diagnostic(finding, text)],
                    is_preferred=is_preferred or None,
                    edit=_workspace_edit(project, fix.edits, has_versions=has_versions),
                )
    whole = list(offered.values())
    together = _combined(repairs)
    edits = [edit for fix in together for edit in fix.edits]
    if edits and _is_wanted(ALL, params.context.only) and _is_safe(project, path, together):
        edit = _workspace_edit(project, edits, has_versions=has_versions)
        whole.append(types.CodeAction("Apply all safe fixes", kind=ALL, edit=edit))
    return whole


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Return whether a kind of action is one of `only`, or below one, as in `source.fixAll`."""
    return not only or any(kind == other or kind.startswith(other + ".") for other in only)


def _quick_fixes(
    project: Project, adr: Adr, text: EditorText, finding: Finding, repairs: list[Fix]
) -> Iterator[tuple[Fix, bool]]:
    """Yield the fixes of one finding, the best first, each with whether it is preferred."""
    is_repaired = False
    for fix in repairs:
        is_of_finding = (fix.check, fix.line) == (finding.check, finding.line)
        if is_of_finding and _is_safe(project, finding.path, [fix]):
            is_repaired = True
            yield fix, True
    if finding.check == "section-missing":
        for fix in missing_sections(adr, text, finding):
            yield fix, not is_repaired
    # A rule that protects the gate can't be suppressed.
    if finding.check not in FIRM and re.fullmatch(r"[\w-]+", finding.check):
        yield suppression(adr, text, finding), False


def _is_safe(project: Project, path: str, fixes: list[Fix]) -> bool:
    """Return whether fixes add no finding and hide none, by checking the files with them."""
    edits: dict[str, list[Edit]] = {path: []}
    for edit in [edit for fix in fixes for edit in fix.edits]:
        edits.setdefault(edit.path, []).append(edit)
    texts: dict[str, str] = {}
    for name, edits_of_file in edits.items():
        text = project.text(name)
        if text is None:
            return False
        texts[name] = applied(text, edits_of_file)
    before, after = (
        CheckReport(tuple(version.reports([*texts])))
        for version in (project, project.edited(texts))
    )
    return not why_not(before, after, fixes, {})


def _combined(fixes: list[Fix]) -> list[Fix]:
    """Return the fixes, in their order, whose edits do not overlap."""
    chosen: list[Fix] = []
    edits: list[Edit] = []
    for fix in fixes:
        if not overlapping([*edits, *fix.edits]):
            chosen.append(fix)
            edits += fix.edits
    return chosen


def _workspace_edit(
    project: Project, edits: Iterable[Edit], *, has_versions: bool
) -> types.WorkspaceEdit:
    """Return edits of files, of which the repairs have read each, as the client applies them."""
    texts = {path: project.shown(path) for path in dict.fromkeys(edit.path for edit in edits)}
    changes: dict[str, list[types.TextEdit]] = {path: [] for path in texts}
    for edit in edits:
        area = texts[edit.path].range(edit.start, edit.end)
        changes[edit.path].append(types.TextEdit(area, edit.new))
    if not has_versions:
        by_uri = {project.uri(path): items for path, items in changes.items()}
        return types.WorkspaceEdit(changes=by_uri)
    documents: list[types.TextDocumentEdit] = []
    for path, items in changes.items():
        version = project.opened[path].version if path in project.opened else None
        document = types.OptionalVersionedTextDocumentIdentifier(project.uri(path), version)
        documents.append(types.TextDocumentEdit(document, edits=items))
    return types.WorkspaceEdit(document_changes=documents)


def suppression(adr: Adr, text: EditorText, finding: Finding) -> Fix:
    """Return the comment above the line of a finding that suppresses it there.

    In front matter, code and empty lines no comment is possible. There it is one for the whole
    file, below the front matter or at the beginning.
    """
    line, front = finding.line - 1, front_lines(adr)
    below_front = front.stop + 1 if adr.doc.front is not None else 0
    is_in_front = line in front or (adr.doc.body > 0 and line <= front.stop)
    is_in_code = any(
        adr.doc.line_at(fence.start) < finding.line <= adr.doc.line_at(fence.stop - 1)
        for fence in adr.doc.fences
    )
    if is_in_front or is_in_code or not text.line(line).strip():
        directive, scope, line = "helix-disable", "in this file", below_front
    else:
        directive, scope = "helix-disable-next-line", "here"
    comment = f"<!-- {directive} {finding.check} - {_REASON} -->{text.line_end}"
    title = f"Suppress {finding.check} {scope}, with a reason"
    return _insertion(finding, title, text.offset(line), comment)


def missing_sections(adr: Adr, text: EditorText, finding: Finding) -> Iterator[Fix]:
    """Yield the fix that inserts the missing section of a finding, in the template's order."""
    order = list(adr.template.sections)
    for number, required in enumerate(order):
        if finding.subject != required.meanings[0] or is_there(adr, required):
            continue
        heading = f"{'#' * adr.level} {adr.called(required)}"
        title = f"Insert the section '{heading}'"
        offset = len(text.text)
        for later in order[:number:-1]:
            sections = [item for name in later.meanings for item in adr.h2.get(name, ())]
            if sections:
                first = min(section.heading_start for section in sections)
                offset = text.offset(adr.doc.line_at(first) - 1)
        yield _insertion(finding, title, offset, _section(heading, required, adr, text, offset))


def _section(heading: str, required: Required, adr: Adr, text: EditorText, offset: int) -> str:
    """Return the text of a new section with empty lines around it."""
    end = text.line_end
    content = _BLANK
    if "acceptance-criteria" in required.meanings:
        content = end.join([_CRITERIA] * max(1, adr.template.min_acceptance_criteria))
    elif "status" in required.meanings:
        content = adr.template.statuses[0]
    body = f"{heading}{end}{end}{content}{end}"
    if offset < len(text.text):
        return f"{body}{end}"
    if not text.text.strip():
        return body
    if text.text.endswith(("\n", "\r")):
        return f"{end}{body}"
    return f"{end}{end}{body}"


def _insertion(finding: Finding, title: str, offset: int, new: str) -> Fix:
    """Return the fix of a finding that inserts a text at one place of its file."""
    edit = Edit(finding.path, offset, offset, new)
    return Fix(finding.check, finding.path, finding.line, title, (edit,))
