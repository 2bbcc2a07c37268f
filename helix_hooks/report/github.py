"""For a GitHub Actions log: one workflow command a finding, which GitHub shows at the line.

Escaping as the runner undoes it: docs.github.com, "Workflow commands for GitHub Actions".
"""

from ..adr.check_report import CheckReport
from ..finding import Finding

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
    shown = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    text = f"{finding.message}\n{finding.help}" if finding.help else finding.message
    return f"::{_COMMANDS[finding.severity]} {shown}::{_data(text)}\n"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
