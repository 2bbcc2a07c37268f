"""Compare findings on two versions of an ADR by rule and message, ignoring places and amounts."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

from ..finding import Finding

_PLACE = r" \([^()\n]*:\d+\)|\bline \d+"
_AMOUNT = (
    r"(?<=\bhas )\d+(?= (?:of at least|characters))|(?<=^only )\d+ acceptance criteri(?:on"
    r"|a)|(?<=: found )\d+(?=, wanted)"
)
_VARYING = (" (", "line ", "characters", "of at least", "criteri", ", wanted")
"""Every message that the patterns above match has one of these."""
_MISSING = r"(.+) (?:is|are) missing from the header"
_HEADER = "missing from the header"
_FILE = r"[^\s()']+\.md\b"

Key = tuple[str, str]
"""The rule and the message of a finding, without its place."""


def keys_of(findings: Iterable[Finding], names: Mapping[str, str] | None = None) -> Counter[Key]:
    """Count the keys of findings. `names` maps the old names of renamed files to new ones."""
    return Counter(chain.from_iterable(key_of(finding, names) for finding in findings))


def key_of(finding: Finding, names: Mapping[str, str] | None = None) -> list[Key]:
    """Return the keys of a finding: one, or one for each missing item in its message.

    Items are fields of the header, or the requirements of a contextual rule.
    """
    message = finding.message
    if any(word in message for word in _VARYING):
        message = re.sub(_AMOUNT, "", re.sub(_PLACE, "", message))
    if names and ".md" in message:
        message = re.sub(_FILE, lambda match: names.get(match[0], match[0]), message)
    return [(finding.check, item) for item in _items(finding, message)]


def _items(finding: Finding, message: str) -> list[str]:
    if message.endswith(_HEADER):
        missing = re.fullmatch(_MISSING, message)
        if missing:
            return re.split(", | and ", missing[1])
    if finding.layer == "rules" and "; " in message:
        rule, _, unmet = message.partition(": ")
        return [f"{rule}: {part}" for part in unmet.split("; ")]
    return [message]
