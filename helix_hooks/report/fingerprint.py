"""Fingerprints of findings. A platform recognises a finding by them after its lines have moved."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from ..finding import Finding

_LINES = r"(?i)(?<=\bline )\d+|(?<=\blines )\d+|(?<=:)\d+(?:-\d+)?"
"""Line numbers in a message. An edit elsewhere in the file changes them."""


def fingerprints(findings: Iterable[Finding]) -> Iterator[str]:
    """Yield a fingerprint per finding, from its file, rule and message without line numbers.

    The number behind the colon counts equal findings from the top.
    """
    counts: Counter[str] = Counter()
    for finding in findings:
        text = "\0".join((finding.path, finding.check, re.sub(_LINES, "", finding.message)))
        # Paths of files may have bytes that are not UTF-8, as surrogates.
        digest = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
        counts[digest] += 1
        yield f"{digest}:{counts[digest]}"
