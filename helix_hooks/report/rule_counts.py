"""The number of findings by rule: a table for people, rows for programs."""

from collections import Counter

from ..adr.check_report import CheckReport
from ..finding import SEVERITIES
from ..records import NamedTuple
from ..text.plural import counted
from ..text.sanitize import printable
from .text import painted

_SHORT = 8
"""Rows of the short table; the rest is a line."""

_NAMED = 4
"""Rules that the line on a choice names."""

_HEAD = ("errors", "warnings", "infos", "files")


class RuleCount(NamedTuple):
    """The findings of one rule, by severity, and the number of files that have one."""

    rule: str
    errors: int
    warnings: int
    infos: int
    files: int

    @property
    def findings(self) -> int:
        return self.errors + self.warnings + self.infos


def rule_counts(report: CheckReport) -> list[RuleCount]:
    """Return a row for each rule with a finding, most findings first."""
    found: dict[str, Counter[str]] = {}
    files: Counter[str] = Counter()
    for file in report.files:
        files.update({finding.check for finding in file.findings})
        for finding in file.findings:
            found.setdefault(finding.check, Counter())[finding.severity] += 1
    rows = [
        RuleCount(
            rule=rule,
            errors=counts["error"],
            warnings=counts["warning"],
            infos=counts["info"],
            files=files[rule],
        )
        for rule, counts in found.items()
    ]
    return sorted(rows, key=lambda row: (-row.findings, row.rule))


def payload(report: CheckReport) -> list[dict[str, object]]:
    """Return the rows as JSON values."""
    return [row._asdict() for row in rule_counts(report)]


def table(report: CheckReport, color: bool, *, is_short: bool = False) -> str:
    """Return the rows below a heading; if `is_short`, only the first ones."""
    rows = rule_counts(report)
    shown = rows[:_SHORT] if is_short and len(rows) > _SHORT + 1 else rows
    lines = [f"{'  '.join(_HEAD)}  rule"] if shown else []
    lines += [_line(row, color) for row in shown]
    rest = rows[len(shown) :]
    if rest:
        findings = counted(sum(row.findings for row in rest), "finding")
        lines.append(f"and {findings} of {len(rest)} more rules; --statistics lists all")
    return "".join(f"{line}\n" for line in lines)


def totals(report: CheckReport) -> str:
    """Return the last line of the table: the numbers of all rules together."""
    counts = [counted(report.count(severity), severity) for severity in SEVERITIES]
    suppressed = f", {report.suppressed} suppressed" if report.suppressed else ""
    return f"{counted(report.adrs, 'ADR')} checked: {', '.join(counts)}{suppressed}\n"


def choice(report: CheckReport) -> str:
    """Return the line on rules that are left out, "" if none is."""
    if not report.left_out:
        return ""
    names = ", ".join(map(printable, report.left_out[:_NAMED]))
    more = len(report.left_out) - _NAMED
    rest = f" and {more} more" if more > 0 else ""
    rules = f"{counted(len(report.left_out), 'rule')} left out ({names}{rest})"
    return f"{rules}, with {counted(report.hidden, 'finding')}: this is not the result of the gate"


def _line(row: RuleCount, color: bool) -> str:
    """Return a row; zeros are dots, so that the other numbers stand out."""
    numbers = (row.errors, row.warnings, row.infos, row.files)
    cells = [f"{number or '.':>{len(name)}}" for name, number in zip(_HEAD, numbers, strict=True)]
    kinds = zip(cells, (*SEVERITIES, "path"), numbers, strict=True)
    painted_cells = [painted(cell, kind, color and number > 0) for cell, kind, number in kinds]
    return f"{'  '.join(painted_cells)}  {printable(row.rule)}"
