"""Fingerprints of findings. A platform recognises a finding by them after its lines have moved."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator

from ..finding import Finding


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a fingerprint per finding, from its file, rule and subject.

    The number behind the colon counts equal findings from the top.
    """
    counts: Counter[str] = Counter()
    for finding in findings:
        text = f"{finding.path}\0{finding.check}\0{finding.about}"
        # Paths of files may have bytes that are not UTF-8, as surrogates.
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
        counts[digest] += 1
        yield f"{digest}:{counts[digest]}"
