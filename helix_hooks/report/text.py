"""The report for a terminal, in the style of compilers: the finding, its line, and the help."""

import re
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.rules.registry import FIRM, built_in
from ..finding import SEVERITIES, Finding, failing
from ..text import at_line_start, counted, painted, printable, width
from ..text.table import table
from . import RULES
from .identity import address
from .source_line import quoted

_WIDTH = 120
"""Maximum number of cells of a quoted line."""

_LEAST = 20
"""Cells of a quoted line in the narrowest terminal."""
_GUTTER = 5
"""Cells before a quoted line, without its number."""

_INDENT = 4
_INFOS = 5
"""Maximum number of informative findings that are shown in full.

If there are more, each has one line, so that errors and warnings are easy to see.
"""
_PAGES = 3
"""Maximum number of rules whose pages are listed."""
_NAMED = 4
"""Maximum number of rules named in the line on rules that were left out."""

_WORD = r"(?:`[^`\s](?:[^`]{0,38}[^`\s])?`|\S)+"
"""A word. Code in backticks with up to 40 characters is one word, so that it can be copied."""

_NARROWEST = 40
"""Cells of the narrowest terminal to which text is wrapped."""


class TextStyle(NamedTuple):
    """Colours and width of a report. `columns` is the width of a terminal, 0 without a terminal.

    At a terminal, text is wrapped. Elsewhere the first line of a finding is not wrapped, because
    editors parse it. With colours, the id of a rule at a terminal is a link to its page.
    """

    color: bool = False
    columns: int = 0

    def link(self, finding: Finding) -> str:
        """Return the id of a rule in brackets, at a terminal with a link to its page."""
        rule = painted(f"[{finding.check}]", "rule", self.color)
        if not self.color or not self.columns:
            return rule
        page = address(finding)
        if not page:
            return rule
        # The escape sequence OSC 8, which most terminals show as a link.
        return f"\x1b]8;;{page}\x1b\\{rule}\x1b]8;;\x1b\\"


def render(
    report: CheckReport,
    color: bool = False,
    quiet: bool = False,
    columns: int = 0,
    checked: str = "",
) -> str:
    """Return the findings in the order of files and lines, and a summary unless `quiet`.

    `columns` is the width of a terminal, 0 without a terminal. The summary begins with the number
    of ADRs, or with `checked`.
    """
    style = TextStyle(color, columns)
    brief = report.count("info") > _INFOS
    blocks: list[str] = []
    for file in report.files:
        blocks += [_finding(finding, file, style, brief) for finding in file.findings]
    if not quiet:
        blocks += [_skipped(skip, style) for skip in report.skipped]
        if report.files or checked:
            checked = checked or f"{counted(report.adrs, 'ADR')} checked"
            blocks.append(f"{checked}: {_numbers(report, color)}\n")
    return "\n".join(blocks)


def way_out(report: CheckReport, fail_on: str) -> str:
    """Return the last lines for a blocked commit: where to read more, how to suppress a finding.

    They name only the first rule that blocks and the first one that can be suppressed.
    """
    severities = failing(fail_on)
    findings = report.findings
    rules = [finding.check for finding in findings if finding.severity in severities]
    if not rules:
        return ""
    lines = [f"See also: {RULES}#{rules[0]} or `helix-hooks explain {rules[0]}`"]
    rule = next((rule for rule in rules if rule not in FIRM), "")
    if rule:
        comment = f"<!-- helix-disable-next-line {rule} - REASON -->"
        lines.append(
            f"To suppress a false positive, add `{comment}` above the line (`helix-disable` for "
            "the whole file)"
        )
    return "\n" + "".join(f"{line}\n" for line in lines)


def fixable(report: CheckReport) -> str:
    """Return the command that shows fixes; "" if no error or warning can be fixed."""
    with_fix = {rule.id for rule in built_in() if rule.fix}
    if not any(finding.check in with_fix for finding in _serious(report)):
        return ""
    command = "`helix-hooks check --diff`"
    return f"\nSome findings may be fixed automatically: {command} shows the changes.\n"


def pages(report: CheckReport) -> str:
    """Return the pages of the first rules that have one and an error or a warning."""
    pages_of = {}
    for finding in _serious(report):
        if page := address(finding):
            pages_of[finding.check] = page
    if not pages_of:
        return ""
    shown = dict(islice(pages_of.items(), _PAGES))
    lines = table(shown.items(), indent=2)
    others = len(pages_of) - len(shown)
    if others:
        lines.append(f"  `helix-hooks explain RULE` for {counted(others, 'other rule')}")
    return "\nSee also:\n" + "".join(f"{line}\n" for line in lines)


def left_out(report: CheckReport) -> str:
    """Return the line on rules that were left out."""
    names = ", ".join(map(printable, report.left_out[:_NAMED]))
    others = len(report.left_out) - _NAMED
    if others > 0:
        names = f"{names} and {others} more"
    rules = f"{counted(len(report.left_out), 'rule')} left out ({names})"
    findings = counted(report.hidden, "finding")
    return f"{rules}, with {findings}: a partial result, not the result of the gate"


def _serious(report: CheckReport) -> list[Finding]:
    """Return the errors and warnings of a report."""
    findings = report.findings
    return [finding for finding in findings if finding.severity != "info"]


def _finding(finding: Finding, file: FileReport, style: TextStyle, brief: bool) -> str:
    lines = _headline(finding, style)
    if brief and finding.severity == "info":
        return "\n".join(lines) + "\n"
    lines += _source(finding, file.lines.get(finding.line, ""), style)
    if finding.help:
        margin = len(str(finding.line)) + _GUTTER - 2
        help = printable(finding.help)
        if style.columns:
            help = wrapped(help, style.columns, margin + 2)
        lines.append(f"{' ' * margin}{painted('=', 'line', style.color)} {help}")
    return "\n".join(lines) + "\n"


def _headline(finding: Finding, style: TextStyle) -> list[str]:
    """Return place, severity, message and rule; one line without a terminal."""
    place = f"{at_line_start(finding.path)}:{finding.line}:{finding.column}:"
    message = printable(finding.message)
    rule = style.link(finding)
    start = painted(place, "path", style.color)
    level = painted(f"{finding.severity}:", finding.severity, style.color)
    if not style.columns:
        return [f"{start} {level} {message} {rule}"]
    parts = words(message)
    # Lines are measured with plain parts, because escape sequences have no width.
    plain = [place, f"{finding.severity}:", *parts, f"[{finding.check}]"]
    painted_parts = iter((start, level, *parts, rule))
    rows = lines(plain, style.columns, _INDENT)
    shown = [" ".join(islice(painted_parts, len(row))) for row in rows]
    return [shown[0], *(f"{' ' * _INDENT}{row}" for row in shown[1:])]


def _source(finding: Finding, line: str, style: TextStyle) -> list[str]:
    """Return the line of a finding, and below it the marks under its words."""
    number = str(finding.line)
    start = painted(f"  {number} |", "line", style.color)
    if not finding.end_column and not style.columns:
        text = _shown(line)
        return [f"{start} {text}"] if text else []
    most = _WIDTH
    if style.columns:
        most = min(style.columns - len(number) - _GUTTER, _WIDTH)
    source = quoted(line, finding.column, finding.end_column, max(most, _LEAST))
    rows = [f"{start} {source.text}"] if source.text else []
    if source.cells:
        margin = painted(f"  {' ' * len(number)} |", "line", style.color)
        marks = painted("^" * source.cells, finding.severity, style.color)
        rows.append(f"{margin} {' ' * source.start}{marks}")
    return rows


@lru_cache(maxsize=8)
def _shown(line: str) -> str:
    """Return a line as it is quoted. Cached: thousands of findings may be on one line."""
    return printable(line.strip(), _WIDTH)


def _skipped(skip: Skipped, style: TextStyle) -> str:
    parts = ["not checked:"]
    if skip.path:
        parts.insert(0, f"{at_line_start(skip.path)}:")
    if skip.check:
        parts.append(f"{skip.check}:")
    text = " ".join([*parts, printable(skip.reason)])
    if style.columns:
        text = wrapped(text, style.columns, _INDENT, first=0)
    return f"{text}\n"


def _numbers(report: CheckReport, color: bool) -> str:
    errors, warnings, infos = map(report.count, SEVERITIES)
    parts = []
    if not errors + warnings + infos:
        parts.append("no findings")
    else:
        parts.append(painted(counted(errors, "error"), "error" if errors else "path", color))
        parts.append(counted(warnings, "warning"))
    if infos:
        parts.append(counted(infos, "info"))
    if report.questions:
        parts.append(f"{counted(report.questions, 'question')} to a person")
    if report.suppressed:
        parts.append(f"{report.suppressed} suppressed")
    return ", ".join(parts)


def words(text: str) -> list[str]:
    """Return the parts of a text between which a line may end."""
    return re.findall(_WORD, text)


def lines(parts: list[str], columns: int, indent: int, first: int = 0) -> list[list[str]]:
    """Return the parts of each line of at most `columns` cells.

    The first line has room for `first` cells less, each other for `indent` less. A part that is
    too long has a line of its own.
    """
    rows: list[list[str]] = [[]]
    used = first
    for part in parts:
        size = width(part)
        if rows[-1] and used + 1 + size > max(columns, _NARROWEST):
            rows.append([])
            used = indent
        used += size + bool(rows[-1])
        rows[-1].append(part)
    return rows


def wrapped(text: str, columns: int, indent: int, first: int | None = None) -> str:
    """Return a wrapped text. All lines but the first have an indent.

    `first` is the number of cells before the text on its first line, by default the indent.
    """
    if first is None:
        first = indent
    rows = lines(words(text), columns, indent, first)
    return f"\n{' ' * indent}".join(map(" ".join, rows))
