"""Fingerprints, which identify a finding after a push. Pure.

Line numbers and words of a model are left out, since both change.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

from ..finding import Finding

_MARK = re.compile(r"<!-- helix:f=([0-9a-f]{16}) by=([a-z][a-z0-9-]*) -->\s*\Z")


def fingerprints(findings: Iterable[Finding], by: str) -> list[str]:
    """Return the fingerprint of each finding, in their order.

    It is a hash of source, rule, path, subject, and the number of equal ones before it. The subject
    of a judge's finding is its quote, since its words change; that of a rule's is its message,
    since lines around it change.
    """
    numbers: Counter[str] = Counter()
    digests = []
    for finding in findings:
        about = _about(finding, by)
        numbers[about] += 1
        numbered = f"{about}\0{numbers[about]}".encode(errors="surrogateescape")
        digests.append(hashlib.sha256(numbered).hexdigest()[:16])
    return digests


def _about(finding: Finding, by: str) -> str:
    about = re.sub(r"\s+", " ", finding.evidence or finding.message).strip()
    return f"{by}\0{finding.check}\0{finding.path}\0{about}"


def mark(fingerprint: str, by: str) -> str:
    """Return the mark at the end of our comment, by which the next run knows its finding and its
    source.
    """
    return f"<!-- helix:f={fingerprint} by={by} -->"


def marked(body: str) -> tuple[str, str]:
    """Return the fingerprint and the source in the mark of a comment; "" and "" without a mark."""
    match = _MARK.search(body)
    return (match[1], match[2]) if match else ("", "")
