"""The last lines of a check that a person reads: what can be fixed, and the pages of the rules."""

from itertools import islice

from ..adr.check_report import CheckReport
from ..fixes.registry import FIXES
from ..text.plural import counted
from .addresses import address

_PAGES = 3
"""Rules whose pages are named."""


def fixable(report: CheckReport) -> str:
    """Return the command that shows fixes, if a rule with fixes has an error or a warning."""
    findings = (finding for file in report.files for finding in file.findings)
    if not any(finding.check in FIXES and finding.severity != "info" for finding in findings):
        return ""
    return "\nSome may be fixed automatically: `helix-hooks check --diff` shows the changes.\n"


def pages(report: CheckReport) -> str:
    """Return the pages of the first three rules that have one and an error or a warning."""
    findings = (finding for file in report.files for finding in file.findings)
    found = {
        finding.check: page
        for finding in findings
        if finding.severity != "info" and (page := address(finding))
    }
    if not found:
        return ""
    shown = dict(islice(found.items(), _PAGES))
    width = max(map(len, shown))
    lines = [f"  {rule:<{width}}  {page}" for rule, page in shown.items()]
    more = len(found) - len(shown)
    if more:
        lines.append(f"  `helix-hooks explain RULE` for {counted(more, 'other rule')}")
    return "\nTo read more:\n" + "".join(f"{line}\n" for line in lines)
