"""Compare findings in two versions of an ADR by rule and subject."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

from ..finding import Finding
from ..paths import MARKDOWN_SUFFIX

_FILE = rf"\S+{MARKDOWN_SUFFIX}(?!\S)"
"""The path of an ADR in a subject."""

Key = tuple[str, str]
"""The rule of a finding, and one of its subjects."""


def keys_of(findings: Iterable[Finding], names: Mapping[str, str] | None = None) -> Counter[Key]:
    """Count the keys of findings. `names` maps the old names of renamed files to new ones."""
    return Counter(chain.from_iterable(key_of(finding, names) for finding in findings))


def key_of(finding: Finding, names: Mapping[str, str] | None = None) -> list[Key]:
    """Return the keys of a finding, one for each of its subjects."""
    subject = finding.about
    if names:
        subject = re.sub(_FILE, lambda match: names.get(match[0], match[0]), subject)
    return [(finding.check, part) for part in subject.split("\n")]
