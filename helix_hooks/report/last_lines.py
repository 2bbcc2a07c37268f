"""The last lines of a check in a terminal: what can be fixed, and the pages of the rules."""

from itertools import islice

from ..adr.check_report import CheckReport
from ..finding import Finding
from ..fixes.registry import FIXES
from ..text.plural import counted
from ..text.table import table
from .addresses import address

_PAGES = 3
"""Maximum number of rules whose pages are listed."""


def fixable(report: CheckReport) -> str:
    """Return the command that shows fixes; "" if no error or warning can be fixed."""
    if not any(finding.check in FIXES for finding in _serious(report)):
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


def _serious(report: CheckReport) -> list[Finding]:
    """Return the errors and warnings of a report."""
    findings = report.findings
    return [finding for finding in findings if finding.severity != "info"]
