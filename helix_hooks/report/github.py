"""Workflow commands for a GitHub Actions log. GitHub shows each at the line of its finding."""

from ..adr.check_report import CheckReport
from ..finding import Finding
from ..text import command_data, command_property

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: CheckReport) -> str:
    """Return one workflow command per finding."""
    return "".join(map(_command, report.findings))


def _command(finding: Finding) -> str:
    properties = {
        "file": finding.path,
        "line": finding.line,
        "endLine": finding.end_line,
        "col": finding.column,
        "title": f"helix: {finding.check}",
    }
    # GitHub supports an end column only if the annotation is on one line.
    if finding.end_column and finding.end_line == finding.line:
        properties["endColumn"] = finding.end_column
    shown = ",".join(f"{key}={command_property(str(value))}" for key, value in properties.items())
    text = finding.message
    if finding.help:
        text = f"{text}\n{finding.help}"
    return f"::{_COMMANDS[finding.severity]} {shown}::{command_data(text)}\n"
