"""How a finding is known again after a push: never by the number of its line, nor by the words of a model."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

from ..finding import Finding

_MARK = re.compile(r"<!-- helix:f=([0-9a-f]{16}) by=([a-z][a-z0-9-]*) -->\s*\Z")


def fingerprints(findings: Iterable[Finding], by: str) -> list[str]:
    """One for each finding, in their order: who says it, rule, path, what it is about, and the how-manieth of these it is.

    A judge's finding is about its quote, since its words change; a rule's about what it says, since lines around it change.
    """
    seen: Counter[str] = Counter()
    found = []
    for finding in findings:
        about = _about(finding, by)
        seen[about] += 1
        found.append(hashlib.sha256(f"{about}\0{seen[about]}".encode(errors="surrogateescape")).hexdigest()[:16])
    return found


def _about(finding: Finding, by: str) -> str:
    about = re.sub(r"\s+", " ", finding.evidence or finding.message).strip()
    return f"{by}\0{finding.check}\0{finding.path}\0{about}"


def mark(fingerprint: str, by: str) -> str:
    """What our comment ends with, so that the next run knows what it was about, and who said it."""
    return f"<!-- helix:f={fingerprint} by={by} -->"


def marked(body: str) -> tuple[str, str]:
    """The fingerprint that a comment ends with, and who said it; "" and "" for a comment without a mark."""
    found = _MARK.search(body)
    return (found[1], found[2]) if found else ("", "")
