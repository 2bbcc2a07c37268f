"""The identity of a finding for platforms: the page of its rule, and a fingerprint."""

from collections import Counter
from collections.abc import Iterable, Iterator
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


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a fingerprint per finding, from its file, rule and subject, not from its line.

    The number behind the colon counts equal findings from the top.
    """
    import hashlib  # loading it takes 8 ms, and a hook needs no fingerprint

    counts: Counter[str] = Counter()
    for finding in findings:
        text = f"{finding.path}\0{finding.check}\0{finding.about}"
        # Paths of files may have bytes that are not UTF-8, as surrogates.
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
        counts[digest] += 1
        yield f"{digest}:{counts[digest]}"
