"""Fingerprints, which identify a finding after a push. Pure.

Line numbers and the wording of a model are not part of them, since both change.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable

from ..finding import Finding

_MARK = re.compile(r"<!-- helix:f=([0-9a-f]{16}) by=([a-z][a-z0-9-]*) -->\s*\Z")


def fingerprints(findings: Iterable[Finding], by: str) -> list[str]:
    """Return the fingerprint of each finding, in their order.

    It is a hash of source, rule, path, subject, and the number of equal ones before it.
    """
    numbers: Counter[str] = Counter()
    digests = []
    for finding in findings:
        identity = _identity(finding, by)
        numbers[identity] += 1
        # A path may not be valid UTF-8; git's bytes come back as surrogates.
        numbered = f"{identity}\0{numbers[identity]}".encode(errors="surrogateescape")
        digests.append(hashlib.sha256(numbered).hexdigest()[:16])
    return digests


def _identity(finding: Finding, by: str) -> str:
    return f"{by}\0{finding.check}\0{finding.path}\0{finding.about}"


def mark(fingerprint: str, by: str) -> str:
    """Return the mark at the end of our comment that names its finding and source to later runs."""
    return f"<!-- helix:f={fingerprint} by={by} -->"


def marked(body: str) -> tuple[str, str]:
    """Return the fingerprint and the source in the mark of a comment; "" and "" without a mark."""
    match = _MARK.search(body)
    if not match:
        return "", ""
    return match[1], match[2]
