"""How a finding is known again after a push: by what it is about, never by the number of its line, nor by the words of a model."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable

from ..finding import Finding

LineOf = Callable[[str, int], str]
"""The text of a line of a file; "" beyond its end."""

_MARK = re.compile(r"<!-- helix:f=([0-9a-f]{16}) by=([a-z][a-z0-9-]*) -->\s*\Z")


def fingerprints(findings: Iterable[Finding], line_of: LineOf) -> list[str]:
    """One for each finding, in their order: rule, path, what stands there and around it, and the how-manieth of these it is."""
    seen: Counter[str] = Counter()
    found = []
    for finding in findings:
        about = _about(finding, line_of)
        seen[about] += 1
        found.append(hashlib.sha256(f"{about}\0{seen[about]}".encode(errors="surrogateescape")).hexdigest()[:16])
    return found


def _about(finding: Finding, line_of: LineOf) -> str:
    near = finding.evidence or "\n".join(line_of(finding.path, number) for number in range(finding.line - 1, finding.line + 2) if number > 0)
    return "\0".join((finding.check, finding.path, re.sub(r"\s+", " ", near).strip()))


def mark(fingerprint: str, by: str) -> str:
    """What our comment ends with, so that the next run knows what it was about, and who said it."""
    return f"<!-- helix:f={fingerprint} by={by} -->"


def marked(body: str) -> tuple[str, str]:
    """The fingerprint that a comment ends with, and who said it; "" and "" for a comment without a mark."""
    found = _MARK.search(body)
    return (found[1], found[2]) if found else ("", "")
