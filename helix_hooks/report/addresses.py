"""The address of the page that describes a finding's rule."""

from functools import lru_cache

from ..adr.rules.registry import built_in
from ..finding import Finding
from . import HOME, RULES

JUDGED = "agent"
"""The layer of a judge's findings. Briefs describe them, not rules."""

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
    """Return the address of the rule's page; None for a rule of a repository's own rules file."""
    if finding.layer == JUDGED:
        return JUDGES
    return address_of(finding.check)


def address_of(rule: str) -> str | None:
    """Return the address of a rule's page by the rule's id; None without a page."""
    if rule in PACKAGED or rule in _built_in():
        return f"{RULES}#{rule}"
    return None


@lru_cache(maxsize=1)
def _built_in() -> frozenset[str]:
    return frozenset(rule.id for rule in built_in())
