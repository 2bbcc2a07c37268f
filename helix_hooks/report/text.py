"""For people at a terminal: compiler style, the offending line beneath, then the way out."""

from functools import lru_cache

from ..adr.check_report import CheckReport, FileReport, Skipped
from ..adr.rules.registry import FIRM
from ..finding import Finding, failing
from ..text.plural import counted
from ..text.sanitize import at_line_start, printable
from . import RULES

_WIDTH = 120
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


def render(report: CheckReport, color: bool = False, quiet: bool = False) -> str:
    """The findings in the order of files and lines, and a summary unless `quiet`."""
    brief = report.count("info") > _INFOS
    blocks = [
        _finding(finding, file, color, brief) for file in report.files for finding in file.findings
    ]
    if not quiet:
        blocks += [_skipped(skip) for skip in report.skipped]
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


def _finding(finding: Finding, file: FileReport, color: bool, brief: bool) -> str:
    place = painted(
        f"{at_line_start(finding.path)}:{finding.line}:{finding.column}:", "path", color
    )
    severity = painted(f"{finding.severity}:", finding.severity, color)
    rule = painted(f"[{finding.check}]", "rule", color)
    margin = " " * (len(str(finding.line)) + 3)
    lines = [f"{place} {severity} {printable(finding.message)} {rule}"]
    source = _shown(file.lines.get(finding.line, ""))
    if brief and finding.severity == "info":
        return "\n".join(lines) + "\n"
    if source:
        number = painted(f"  {finding.line} |", "line", color)
        lines.append(f"{number} {source}")
    if finding.help:
        lines.append(f"{margin}{painted('=', 'line', color)} {printable(finding.help)}")
    return "\n".join(lines) + "\n"


@lru_cache(maxsize=8)
def _shown(line: str) -> str:
    """A line as it is quoted; kept, since thousands of findings may stand on one."""
    return printable(line.strip(), _WIDTH)


def _skipped(skip: Skipped) -> str:
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
    return f"{what} {printable(skip.reason)}\n"


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
