"""For people at a terminal: compiler style, the offending line beneath, then the way out."""

from functools import lru_cache
from itertools import islice

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.rules.registry import FIRM
from ..finding import Finding, failing
from ..records import NamedTuple
from ..text.plural import counted
from ..text.sanitize import at_line_start, printable
from . import RULES

_WIDTH = 120
"""Cells of a quoted line, at most."""

_LEAST = 20
_GUTTER = 5
"""Cells before a quoted line, apart from its number."""

_INDENT = 4
_INFOS = 5
"""Informative findings that are shown in full; of more, one line each, so that they do not drown
what blocks.
"""
_COLORS = {
    "error": "1;31",
    "warning": "1;33",
    "info": "1;36",
    "path": "1",
    "rule": "2",
    "line": "36",
}


class TextStyle(NamedTuple):
    """The looks of a report: `columns` are the cells of a terminal's line, 0 without a terminal.

    At a terminal, text is broken at words. Elsewhere the first line of a finding stays one line,
    which editors read. With colours, a rule at a terminal is a link to its page.
    """

    color: bool = False
    columns: int = 0

    def link(self, finding: Finding) -> str:
        """Return the id of a rule in brackets."""
        rule = painted(f"[{finding.check}]", "rule", self.color)
        if not self.color or not self.columns:
            return rule
        from .addresses import address

        page = address(finding)
        return f"\x1b]8;;{page}\x1b\\{rule}\x1b]8;;\x1b\\" if page else rule


def render(report: CheckReport, color: bool = False, quiet: bool = False, columns: int = 0) -> str:
    """The findings in the order of files and lines, and a summary unless `quiet`.

    `columns` are the cells of a terminal's line, 0 without a terminal.
    """
    style = TextStyle(color, columns)
    brief = report.count("info") > _INFOS
    blocks = [
        _finding(finding, file, style, brief) for file in report.files for finding in file.findings
    ]
    if not quiet:
        blocks += [_skipped(skip, style) for skip in report.skipped]
        if report.files or not blocks:
            blocks.append(_summary(report, color) if report.files else "")
    return "\n".join(blocks)


def way_out(report: CheckReport, fail_on: str) -> str:
    """Return the last lines for a blocked commit: where to read more, how to suppress a finding.

    Said once, for the first rule that blocks and for the first that can be suppressed.
    """
    severities = failing(fail_on)
    rules = [
        finding.check
        for file in report.files
        for finding in file.findings
        if finding.severity in severities
    ]
    if not rules:
        return ""
    lines = [f"To read more: {RULES}#{rules[0]} or `helix-hooks explain {rules[0]}`"]
    rule = next((rule for rule in rules if rule not in FIRM), "")
    if rule:
        comment = f"<!-- helix-disable-next-line {rule} - REASON -->"
        lines.append(
            f"To suppress a wrong finding: `{comment}` above its line (`helix-disable`: in the "
            "whole file)"
        )
    return "\n" + "".join(f"{line}\n" for line in lines)


def _finding(finding: Finding, file: FileReport, style: TextStyle, brief: bool) -> str:
    lines = _headline(finding, style)
    if brief and finding.severity == "info":
        return "\n".join(lines) + "\n"
    lines += _source(finding, file.lines.get(finding.line, ""), style)
    if finding.help:
        margin = len(str(finding.line)) + _GUTTER - 2
        help = _broken(printable(finding.help), style, margin + 2)
        lines.append(f"{' ' * margin}{painted('=', 'line', style.color)} {help}")
    return "\n".join(lines) + "\n"


def _headline(finding: Finding, style: TextStyle) -> list[str]:
    """Return place, severity, message and rule; one line without a terminal."""
    place = f"{at_line_start(finding.path)}:{finding.line}:{finding.column}:"
    severity, message, rule = (
        f"{finding.severity}:",
        printable(finding.message),
        style.link(finding),
    )
    start = painted(place, "path", style.color)
    level = painted(severity, finding.severity, style.color)
    if not style.columns:
        return [f"{start} {level} {message} {rule}"]
    from .wrapping import lines, words

    told = words(message)
    rows = lines([place, severity, *told, f"[{finding.check}]"], style.columns, _INDENT)
    parts = iter((start, level, *told, rule))
    shown = [" ".join(islice(parts, len(row))) for row in rows]
    return [shown[0], *(f"{' ' * _INDENT}{row}" for row in shown[1:])]


def _source(finding: Finding, line: str, style: TextStyle) -> list[str]:
    """Return the line of a finding, and below it the marks under its words."""
    number = str(finding.line)
    start = painted(f"  {number} |", "line", style.color)
    if not finding.end_column and not style.columns:
        text = _shown(line)
        return [f"{start} {text}"] if text else []
    from .source_line import quoted

    most = min(style.columns - len(number) - _GUTTER, _WIDTH) if style.columns else _WIDTH
    source = quoted(line, finding.column, finding.end_column, max(most, _LEAST))
    rows = [f"{start} {source.text}"] if source.text else []
    if source.cells:
        margin = painted(f"  {' ' * len(number)} |", "line", style.color)
        marks = painted("^" * source.cells, finding.severity, style.color)
        rows.append(f"{margin} {' ' * source.start}{marks}")
    return rows


@lru_cache(maxsize=8)
def _shown(line: str) -> str:
    """A line as it is quoted; kept, since thousands of findings may stand on one."""
    return printable(line.strip(), _WIDTH)


def _broken(text: str, style: TextStyle, indent: int) -> str:
    """Return a text that stands behind an indent, broken to the terminal's width."""
    if not style.columns:
        return text
    from .wrapping import wrapped

    return wrapped(text, style.columns, indent)


def _skipped(skip: Skipped, style: TextStyle) -> str:
    what = " ".join(
        filter(
            None,
            (
                f"{at_line_start(skip.path)}:" if skip.path else "",
                "not checked:",
                f"{skip.check}:" if skip.check else "",
            ),
        )
    )
    text = f"{what} {printable(skip.reason)}"
    if style.columns:
        from .wrapping import wrapped

        text = wrapped(text, style.columns, _INDENT, first=0)
    return f"{text}\n"


def _summary(report: CheckReport, color: bool) -> str:
    errors, warnings, infos = (report.count(severity) for severity in ("error", "warning", "info"))
    checked = f"{report.adrs or 'no'} ADR{'' if report.adrs == 1 else 's'} checked"
    suppressed = f", {report.suppressed} suppressed" if report.suppressed else ""
    if not errors + warnings + infos:
        return f"{checked}: no findings{suppressed}\n"
    found = [
        painted(counted(errors, "error"), "error" if errors else "path", color),
        counted(warnings, "warning"),
    ]
    return (
        f"{checked}: {', '.join([*found, *([counted(infos, 'info')] if infos else [])])}"
        f"{suppressed}\n"
    )


def painted(text: str, kind: str, color: bool) -> str:
    """A text in the colour of a severity, of a path, a rule or a line; plain where there are no
    colours.
    """
    return f"\x1b[{_COLORS[kind]}m{text}\x1b[0m" if color else text
