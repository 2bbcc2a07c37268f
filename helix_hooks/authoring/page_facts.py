"""A check, the decision graph and the history of statuses, read for the page of a report."""

from ..adr.check_report import CheckReport, FileReport
from ..check import run
from ..check.options import CheckOptions, opened
from ..pages.report_view import ReportView
from ..report import rule_pages
from ..report.graph import Graph, decision_graph
from ..report.status_series import StatusChange
from ..repository import git, history
from ..repository.status_history import StatusHistory, status_history
from ..text.sanitize import without_tokens
from .entries import read_all

_MOST_FILES = 500
"""Files from which more lines are shown than those that findings point at."""
_MOST_LINES = 8
"""Lines that are read for a finding."""


def view_of(options: CheckOptions, now: int) -> ReportView:
    """Check, and read what the page shows beside it. `now` is in seconds since 1970.

    Raises: UsageError and ConfigError as a check does; GitError.
    """
    with opened(options) as target:
        context = run.prepare(options, target)
        result = run.check(context)
        report = result.report
        graph = _graph(context, report)
        found = _history(context, graph, report, now)
        at_commit = history.commit(target.root, "HEAD") if target.repository else ""
        return ReportView(
            report=report._replace(files=_with_context(report.files, context)),
            now=now,
            graph=graph,
            changes=(*found.changes, *_at_the_end(found, graph, now)),
            rules=_rules(context, report),
            commit=at_commit,
            uncommitted=_uncommitted(context, report) if at_commit else 0,
            scope=_scope(options),
            notices=(*context.notices, *result.notices),
            history_notes=found.notes,
            is_complete=not result.incomplete,
        )


def _graph(context: run.CheckContext, report: CheckReport) -> Graph:
    """Return the graph of all ADRs, also of those that were not checked."""
    if context.is_whole or not context.target.repository:
        return decision_graph(file.entry for file in report.files if file.entry)
    adrs = read_all(context.target.repository)
    return decision_graph(adr.entry for adr in adrs.entries)


def _history(
    context: run.CheckContext, graph: Graph, report: CheckReport, now: int
) -> StatusHistory:
    root, settings = context.target.repository, context.settings
    if not root:
        return StatusHistory((), ("this folder is not in a git repository",))
    present = {node.path for node in graph.nodes}
    present.update(file.path for file in report.files if file.template)

    def is_adr(path: str) -> bool:
        return path in present or settings.is_adr(path)

    return status_history(root, is_adr, settings.ruleset, now)


def _at_the_end(found: StatusHistory, graph: Graph, now: int) -> list[StatusChange]:
    """Return the changes of the work tree that no commit has yet."""
    last = {change.path: change.status for change in found.changes}
    return [
        StatusChange(now, node.path, node.status)
        for node in graph.nodes
        if node.path and last.get(node.path) != node.status
    ]


def _rules(context: run.CheckContext, report: CheckReport) -> dict[str, rule_pages.Page]:
    found = {finding.check for file in report.files for finding in file.findings}
    pages = rule_pages.pages(context.settings.ruleset)
    return {page.id: page for page in pages if page.id in found}


def _uncommitted(context: run.CheckContext, report: CheckReport) -> int:
    """Return the number of checked ADRs that differ from the last commit, or that it lacks."""
    root, index = context.target.root, context.target.contents
    changes = history.changes(root, "HEAD", staged=context.is_staged)
    changed = {change.path for change in changes}
    tracked = index.everything() if index else {}
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


def _with_context(
    files: tuple[FileReport, ...], context: run.CheckContext
) -> tuple[FileReport, ...]:
    """Return the reports with the lines around each finding."""
    found: list[FileReport] = []
    for number, file in enumerate(sorted(files, key=lambda item: item.passed)):
        is_shown = file.findings and file.template and number < _MOST_FILES
        found.append(_with_lines(file, context) if is_shown else file)
    return tuple(sorted(found, key=lambda file: file.path))


def _with_lines(file: FileReport, context: run.CheckContext) -> FileReport:
    text = context.tree.content(file.path).removeprefix(b"\xef\xbb\xbf").decode(errors="replace")
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    rows, masked = plain.split("\n"), without_tokens(plain).split("\n")
    if len(rows) != len(masked):
        return file  # a key of several lines: only lines that findings point at are shown
    wanted = {
        number
        for finding in file.findings
        for number in range(finding.line - 1, finding.line + _MOST_LINES - 1)
    }
    shown = {number: masked[number - 1] for number in wanted if 1 <= number <= len(masked)}
    return file._replace(lines={**file.lines, **shown})
