"""Decide whether two findings on two versions of an ADR are the same: they have the same rule and
message, ignoring places and amounts.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from ..finding import Finding

_PLACE = r" \([^()\n]*:\d+\)|\bline \d+"
_AMOUNT = (
    r"(?<=\bhas )\d+(?= (?:of at least|characters))|(?<=^only )\d+ acceptance criteri(?:on"
    r"|a)|(?<=: found )\d+(?=, wanted)"
)
_VARYING = (" (", "line ", "characters", "of at least", "criteri", ", wanted")
"""One of these stands in every message in which the patterns above find something."""
_MISSING = r"(.+) (?:is|are) missing from the header"
_HEADER = "missing from the header"
_FILE = r"[^\s()']+\.md\b"

Key = tuple[str, str]
"""The rule and the message of a finding, without its place."""


def keys_of(findings: Iterable[Finding], names: Mapping[str, str] | None = None) -> Counter[Key]:
    """Count the keys of some findings. `names` maps the old names of renamed files to new ones."""
    return Counter(key for finding in findings for key in key_of(finding, names))


def key_of(finding: Finding, names: Mapping[str, str] | None = None) -> list[Key]:
    """Return the keys of a finding: one, or one for each thing that it says is missing.

    Those are fields of the header, or what a contextual rule asks for.
    """
    message = finding.message
    if any(word in message for word in _VARYING):
        message = re.sub(_AMOUNT, "", re.sub(_PLACE, "", message))
    if names and ".md" in message:
        message = re.sub(_FILE, lambda match: names.get(match[0], match[0]), message)
    missing = re.fullmatch(_MISSING, message) if message.endswith(_HEADER) else None
    if missing:
        return [(finding.check, name) for name in re.split(", | and ", missing[1])]
    if finding.layer == "rules" and "; " in message:
        rule, _, unmet = message.partition(": ")
        return [(finding.check, f"{rule}: {part}") for part in unmet.split("; ")]
    return [(finding.check, message)]
