"""Fingerprints of findings, by which a platform knows them again after their lines have moved."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ..finding import Finding

_LINES = r"(?i)(?<=\bline )\d+|(?<=\blines )\d+|(?<=:)\d+(?:-\d+)?"
"""Parts of a message that an edit elsewhere in a file changes."""


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield the identity of a finding after its lines have moved: file, rule, message, and how many
    equal ones are above it.
    """
    seen: Counter[str] = Counter()
    for finding in findings:
        text = "\0".join((finding.path, finding.check, re.sub(_LINES, "", finding.message)))
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
        seen[digest] += 1
        yield f"{digest}:{seen[digest]}"
