"""The address of the page on a finding's rule."""

from functools import lru_cache

from ..adr.rules.registry import built_in
from ..finding import Finding
from . import HOME, RULES

JUDGED = "agent"
"""The layer of a judge's findings, which briefs describe and not rules."""

JUDGES = f"{HOME}/blob/main/docs/judges.md"

PACKAGED = frozenset(
    (
        "major-needs-migration",
        "major-needs-rollback",
        "new-needs-examples",
        "breaking-needs-upgrade",
        "deps-need-references",
        "tools-need-cli",
        "service-needs-api",
    )
)
"""The rules of the packaged rules file."""


def address(finding: Finding) -> str | None:
    """Return the address; None for a rule that a repository's own rules file describes."""
    return JUDGES if finding.layer == JUDGED else address_of(finding.check)


def address_of(rule: str) -> str | None:
    """Return the address of a rule by its id; None without a page."""
    return f"{RULES}#{rule}" if rule in PACKAGED or rule in _built_in() else None


@lru_cache(maxsize=1)
def _built_in() -> frozenset[str]:
    return frozenset(rule.id for rule in built_in())
