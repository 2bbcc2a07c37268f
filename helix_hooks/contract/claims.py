"""The ADRs that a change claims to implement, by its messages."""

import re

from ..adr.reference import id_key

TRAILER = "Implements"
_LINE = re.compile(rf"(?im)^[ \t]*{TRAILER}:[ \t]*(\S[^\n]{{0,300}})$")
_SEPARATOR = re.compile(r"[,;]|\s+and\s+")
_PLAIN = re.compile(r"(?:adrs?[-_ #]*)?[\w.-]*\d[\w.-]*", re.IGNORECASE)


def claimed_in(message: str) -> tuple[str, ...]:
    """Return the ids that a commit message or a pull request's text claims, as they are written.

    `Implements: ADR-014, ADR-015` on a line of its own claims two.
    """
    found: dict[str, str] = {}
    for match in _LINE.finditer(message.replace("\r\n", "\n")):
        for part in _SEPARATOR.split(match[1]):
            text = part.strip().strip("`*_.").strip()
            if _PLAIN.fullmatch(text):
                found.setdefault(id_key(text), text)
    return tuple(found.values())
