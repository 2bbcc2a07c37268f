"""Quick fixes: fixes of rules, missing sections, and comments that suppress a finding."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from lsprotocol import types

from ..adr.check_report import CheckReport
from ..adr.model import Adr, Edit, Files, Fix, Required, applied, fix_of
from ..adr.rules.registry import FIRM, fixes
from ..adr.rules.structure.section_missing import is_there
from ..authoring.alike import blank_section
from ..authoring.fix import why_not
from ..finding import Finding
from .diagnostics import diagnostic, place
from .hover import front_lines
from .project import Project
from .text import EditorText

QUICK = types.CodeActionKind.QuickFix

_MOST = 50
"""Maximum number of findings with quick fixes in one answer, because each fix is checked."""
_REASON = "REASON"
"""The placeholder of a reason. The gate requires a reason of at least two words."""


def actions(project: Project, path: str, params: types.CodeActionParams) -> list[types.CodeAction]:
    """Return the quick fixes for the first findings on the lines of a range, each once."""
    adr = project.adr(path) if project.is_adr(path) else None
    if not adr or QUICK not in (params.context.only or (QUICK,)):
        return []
    text = project.shown(path)
    findings = [finding for report in project.reports([path]) for finding in report.findings]
    # No file is renamed: an open document would keep its old path.
    of_rules = fixes(findings, Files(project.text, project.adr), project.corpus(path))
    offered: dict[Fix, types.CodeAction] = {}
    first, last = params.range.start.line, params.range.end.line
    near = (item for item in findings if first <= place(item, text)[0] <= last)
    for finding in islice(near, _MOST):
        for fix, is_preferred in _quick_fixes(project, adr, text, finding, of_rules):
            offered[fix] = offered.get(fix) or types.CodeAction(
                fix.title,
                kind=QUICK,
                diagnostics=[diagnostic(finding, text)],
                is_preferred=is_preferred or None,
                edit=_workspace_edit(project, fix.edits),
            )
    return [*offered.values()]


def _quick_fixes(
    project: Project, adr: Adr, text: EditorText, finding: Finding, of_rules: list[Fix]
) -> Iterator[tuple[Fix, bool]]:
    """Yield the fixes of one finding, the best first, each with whether it is preferred."""
    is_fixed = False
    for fix in of_rules:
        is_of_finding = (fix.check, fix.line) == (finding.check, finding.line)
        if is_of_finding and _is_safe(project, fix):
            is_fixed = True
            yield fix, True
    if finding.check == "section-missing":
        for fix in missing_sections(adr, text, finding):
            yield fix, not is_fixed
    # A rule that protects the gate can't be suppressed.
    if finding.check not in FIRM and re.fullmatch(r"[\w-]+", finding.check):
        yield suppression(adr, text, finding), False


def _is_safe(project: Project, fix: Fix) -> bool:
    """Return whether a fix adds no finding and hides none, by checking the files with it."""
    edits: dict[str, list[Edit]] = {fix.path: []}
    for edit in fix.edits:
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
    return not why_not(before, after, [fix])


def _workspace_edit(project: Project, edits: Iterable[Edit]) -> types.WorkspaceEdit:
    """Return edits of files, each for the version that was checked."""
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in edits:
        area = project.shown(edit.path).range(edit.start, edit.end)
        changes.setdefault(edit.path, []).append(types.TextEdit(area, edit.new))
    documents: list[types.TextDocumentEdit] = []
    for path, items in changes.items():
        version = project.opened[path].version if path in project.opened else None
        document = types.OptionalVersionedTextDocumentIdentifier(project.uri(path), version)
        documents.append(types.TextDocumentEdit(document, items))
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
    content = blank_section(required, adr.template).replace("\n", end)
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
    return fix_of(finding, title, Edit(finding.path, offset, offset, new))
