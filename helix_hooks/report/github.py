"""For a GitHub Actions log: one workflow command a finding, which GitHub shows at the line."""

from ..adr.check_report import CheckReport
from ..finding import Finding
from ..text.sanitize import command_data, command_property

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def render(report: CheckReport) -> str:
    """One line a finding."""
    return "".join(_command(finding) for file in report.files for finding in file.findings)


def _command(finding: Finding) -> str:
    properties = {
        "file": finding.path,
        "line": finding.line,
        "endLine": finding.end_line,
        "col": finding.column,
        "title": f"helix: {finding.check}",
    }
    if finding.end_column and finding.end_line == finding.line:
        properties["endColumn"] = finding.end_column
    shown = ",".join(f"{key}={command_property(str(value))}" for key, value in properties.items())
    text = f"{finding.message}\n{finding.help}" if finding.help else finding.message
    return f"::{_COMMANDS[finding.severity]} {shown}::{command_data(text)}\n"
