"""All kinds of fixes, by the rule whose findings they fix."""

from collections.abc import Callable, Iterable, Iterator

from ..finding import Finding
from . import back_reference, key_spelling, renumbering, status_spelling, value_spelling
from .around import Around
from .edit import Fix

FixesOfFinding = Callable[[Finding, Around], Iterator[Fix]]

FIXES: dict[str, FixesOfFinding] = {
    "duplicate-id": renumbering.fixes,
    "header-invalid": status_spelling.fixes,
    "key-misspelt": key_spelling.fixes,
    "supersede-asymmetric": back_reference.fixes,
    "value-misspelt": value_spelling.fixes,
}
"""Rule to the function that yields the fixes of one finding."""


def fixes_of(findings: Iterable[Finding], around: Around) -> list[Fix]:
    """Return the fixes of findings, each once. They are not verified by a check yet."""
    fixes: dict[Fix, None] = {}
    for finding in findings:
        if finding.check in FIXES:
            fixes.update(dict.fromkeys(FIXES[finding.check](finding, around)))
    return list(fixes)
