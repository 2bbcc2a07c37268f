"""A check and the decision graph, read for the page of a report."""

from .. import git
from ..adr.check_report import CheckReport, FileReport
from ..check import run
from ..check.options import CheckContext, CheckOptions, opened
from ..git import history
from ..pages.report_page import ReportView
from ..report.graph import decision_graph
from ..text import without_tokens
from .index import read_all

_MOST_FILES = 500
"""Number of files of which the page shows lines around each finding, not only its own."""
_MOST_LINES = 8
"""Number of lines that are read for a finding."""


def view_of(options: CheckOptions, now: int) -> ReportView:
    """Check, and read the other facts that the page shows. `now` is in seconds since 1970.

    Raises:
        UsageError: A path of the options can't be checked.
        ConfigError: The settings are invalid.
        GitError: The history can't be read.
    """
    with opened(options) as target:
        context = run.prepare(options, target)
        result = run.check(context)
        report = result.report
        commit = history.commit(target.root, "HEAD") if target.repository else ""
        entries = [file.entry for file in report.files if file.entry]
        if target.repository and not context.is_whole:
            # The graph has all ADRs, also those that were not checked.
            entries = [adr.entry for adr in read_all(target.repository).entries]
        return ReportView(
            report=report._replace(files=_with_context(report.files, context)),
            now=now,
            graph=decision_graph(entries),
            commit=commit,
            uncommitted=_uncommitted(context, report) if commit else 0,
            scope=_scope(options),
            notices=(*context.notices, *result.notices),
            is_complete=not result.incomplete,
        )


def _uncommitted(context: CheckContext, report: CheckReport) -> int:
    """Return the number of checked ADRs that differ from the last commit, or that it lacks."""
    root, index = context.target.root, context.target.contents
    changes = history.changes(root, "HEAD", staged=context.is_staged)
    changed = {change.path for change in changes}
    tracked = index.entries if index else {}
    paths = [file.path for file in report.files if file.template]
    return sum(path in changed or path not in tracked for path in paths)


def _scope(options: CheckOptions) -> str:
    parts = []
    if options.paths:
        parts.append(f"only {', '.join(git.slashes(path) for path in options.paths)}")
    if options.since:
        parts.append(f"only what changed since {options.since}")
    if options.baseline:
        parts.append(f"without the findings that {options.baseline} counts")
    return ", ".join(parts)


def _with_context(files: tuple[FileReport, ...], context: CheckContext) -> tuple[FileReport, ...]:
    """Return the reports with the lines around each finding, files with errors first served."""
    first = sorted(files, key=lambda file: file.passed)[:_MOST_FILES]
    shown = {file.path for file in first if file.findings and file.template}
    return tuple(_with_lines(file, context) if file.path in shown else file for file in files)


def _with_lines(file: FileReport, context: CheckContext) -> FileReport:
    plain = context.tree.text(file.path)
    rows, masked = plain.split("\n"), without_tokens(plain).split("\n")
    if len(rows) != len(masked):
        # A key of several lines became one mask, so the numbers of the lines below it differ.
        return file
    lines = dict(file.lines)
    for finding in file.findings:
        first = finding.line - 1  # the line before it is part of its context
        for number in range(max(first, 1), min(first + _MOST_LINES, len(masked) + 1)):
            lines[number] = masked[number - 1]
    return file._replace(lines=lines)
