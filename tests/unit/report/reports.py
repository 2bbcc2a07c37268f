"""Reports on one ADR, for the tests of their formats."""

from helix_hooks.adr.check_report import FileReport
from helix_hooks.adr.examine import Source, examine
from helix_hooks.adr.model import Suppressed
from helix_hooks.adr.parse.document import parse
from helix_hooks.check import files
from helix_hooks.config.settings import load
from helix_hooks.finding import Finding

RULESET = load(lambda _: None, files.packaged).ruleset


def adr(
    path: str,
    text: str,
    findings: tuple[Finding, ...] = (),
    suppressed: tuple[Suppressed, ...] = (),
) -> FileReport:
    """What the check knows of an ADR, with findings of the test's own."""
    return examine(Source(parse(text.encode(), path)), RULESET, set)._replace(
        findings=findings, suppressed=suppressed
    )
