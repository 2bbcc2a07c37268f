"""The findings in open files, as an editor shows them."""

from collections.abc import Iterable

from lsprotocol import types

from ..errors import ConfigError
from ..finding import Finding
from ..paths import is_markdown
from ..report.identity import address
from ..text import printable
from .project import OpenFile, Project
from .text import EditorText

_LONGEST = 2_000
"""Characters of a message. A finding may quote a long line."""
_SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "info": types.DiagnosticSeverity.Information,
}


def diagnostics(project: Project) -> dict[str, list[types.Diagnostic]]:
    """Return the findings in open files by URI, or the error in the settings in their file.

    A file that is not an ADR has none.
    """
    shown: dict[str, list[types.Diagnostic]] = {file.uri: [] for file in project.opened.values()}
    try:
        reports = project.reports([path for path in project.opened if project.is_adr(path)])
    except ConfigError as error:
        shown |= not_checked(project.opened.values(), str(error))
        finding = Finding("error", "", "config", error.about, error.path, error.line)
        if error.path:
            shown[project.uri(error.path)] = [diagnostic(finding, project.shown(error.path))]
        return shown
    for report in reports:
        text = project.shown(report.path)
        shown[project.uri(report.path)] = [diagnostic(item, text) for item in report.findings]
    return shown


def not_checked(opened: Iterable[OpenFile], reason: str) -> dict[str, list[types.Diagnostic]]:
    """Return the reason for each open file that may be an ADR: without settings, all Markdown."""
    shown: dict[str, list[types.Diagnostic]] = {}
    for file in opened:
        finding = Finding("error", "", "config", f"not checked: {reason}", file.path)
        if is_markdown(file.path):
            shown[file.uri] = [diagnostic(finding, EditorText(""))]
    return shown


def diagnostic(finding: Finding, text: EditorText) -> types.Diagnostic:
    """Return a finding with its range, how to repair it, and the page of its rule."""
    parts = (finding.message, finding.help)
    page = address(finding)  # a repository's own rule has none
    line, start, stop = place(finding, text)
    return types.Diagnostic(
        range=text.part(line, start, stop),
        message="\n".join(printable(part, _LONGEST) for part in parts if part),
        severity=_SEVERITIES[finding.severity],
        code=finding.check or None,
        code_description=types.CodeDescription(page) if page else None,
        source="helix-hooks",
    )


def place(finding: Finding, text: EditorText) -> tuple[int, int, int]:
    """Return the line and the columns of a finding, by default the rest of its first line.

    The text may be shorter than the file that was checked.
    """
    line = max(0, min(finding.line, len(text.starts)) - 1)
    content = text.line(line)
    start = min(max(finding.column, 1) - 1, len(content))
    if finding.end_column > start:
        return line, start, max(start, min(finding.end_column - 1, len(content)))
    first = len(content) - len(content.lstrip())
    start = max(start, first)
    return line, start, max(start, len(content.rstrip()))
