"""The number of findings by rule, as a table and as JSON values."""

from collections import Counter
from typing import NamedTuple

from ..adr.check_report import CheckReport
from ..finding import SEVERITIES
from ..text.plural import counted
from ..text.sanitize import printable
from ..text.table import Cell, table

_SHORT = 8
"""Rows of the short table. One more line sums up the other rules."""

_NAMED = 4
"""Maximum number of rules named in the line on excluded rules."""

_HEADS = ("errors", "warnings", "infos", "files", "rule")


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
    severities: dict[str, Counter[str]] = {}
    files: Counter[str] = Counter()
    for file in report.files:
        files.update({finding.check for finding in file.findings})
        for finding in file.findings:
            severities.setdefault(finding.check, Counter())[finding.severity] += 1
    rows = [
        RuleCount(
            rule=rule,
            errors=counts["error"],
            warnings=counts["warning"],
            infos=counts["info"],
            files=files[rule],
        )
        for rule, counts in severities.items()
    ]
    return sorted(rows, key=lambda row: (-row.findings, row.rule))


def payload(report: CheckReport) -> list[dict[str, object]]:
    """Return the rows as JSON values."""
    return [row._asdict() for row in rule_counts(report)]


def listing(report: CheckReport, color: bool, *, is_short: bool = False) -> str:
    """Return the rows below a heading; if `is_short`, only the first ones."""
    rows = rule_counts(report)
    if not rows:
        return ""
    shown = rows
    if is_short and len(rows) > _SHORT + 1:  # the summary takes as much room as one rule
        shown = rows[:_SHORT]
    lines = table(map(_cells, shown), _HEADS, right=range(4), color=color)
    others = rows[len(shown) :]
    if others:
        findings = counted(sum(row.findings for row in others), "finding")
        lines.append(f"and {findings} of {len(others)} more rules; --statistics lists all")
    return "".join(f"{line}\n" for line in lines)


def totals(report: CheckReport) -> str:
    """Return the last line of the table: the totals of all rules."""
    counts = [counted(report.count(severity), severity) for severity in SEVERITIES]
    if report.suppressed:
        counts.append(f"{report.suppressed} suppressed")
    return f"{counted(report.adrs, 'ADR')} checked: {', '.join(counts)}\n"


def choice(report: CheckReport) -> str:
    """Return the line on excluded rules; "" if no rule is excluded."""
    if not report.left_out:
        return ""
    names = ", ".join(map(printable, report.left_out[:_NAMED]))
    others = len(report.left_out) - _NAMED
    if others > 0:
        names = f"{names} and {others} more"
    rules = f"{counted(len(report.left_out), 'rule')} left out ({names})"
    findings = counted(report.hidden, "finding")
    return f"{rules}, with {findings}: a partial result, not the result of the gate"


def _cells(row: RuleCount) -> list[Cell]:
    """Return the cells of a row. Zeros are dots, so that the other numbers are easier to see."""
    numbers = (row.errors, row.warnings, row.infos, row.files)
    kinds = (*SEVERITIES, "path")
    cells = [
        (str(number), kind) if number else "." for number, kind in zip(numbers, kinds, strict=True)
    ]
    return [*cells, row.rule]
