"""The ADRs that a change claims to implement, by its messages."""

import re

from ..adr.reference import id_key
from ..text.invisible import without_invisible

TRAILER = "Implements"
_LINE = re.compile(
    rf"(?im)^[ \t]*(?:[-*+>][ \t]+)*[*_`]{{0,3}}{TRAILER}[*_`]{{0,3}}[ \t]?:[ \t]*"
    r"((?:[^\n]{0,300},[ \t]*\n[ \t]+){0,20}[^\n]{1,300})"
)
_LINKED = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\))?")
_SEPARATOR = re.compile(r"[,;&]|\s+and\s+|\s+(?=adr[-_ ]?\d)", re.IGNORECASE)
_PLAIN = re.compile(r"(?:adrs?[-_ #]*)?[\w.-]*\d[\w.-]*", re.IGNORECASE)
_FILE = re.compile(r"[\w./@+-]*\w\.md", re.IGNORECASE)
_TITLED = re.compile(r"(adrs?[-_ #]*\d[\w.-]*?|0\d+)(?::|[ .:]*[ (\u2013\u2014]).*", re.IGNORECASE)
"""An id, and more words on the same line, as in `ADR-014: Use Kafka`."""
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011", "-"))


def claimed_in(message: str) -> tuple[str, ...]:
    """Return the ids and files that a commit message or a pull request's text claims, as they are
    written.

    `Implements: ADR-014, ADR-015` on a line of its own claims two. Words behind an id are left out.
    """
    found: dict[str, str] = {}
    text = without_invisible(message.replace("\r\n", "\n")).translate(_HYPHENS)
    for match in _LINE.finditer(text):
        for part in _SEPARATOR.split(_LINKED.sub(r"\1", match[1])):
            if name := _named(part.strip().strip("`*_.").strip()):
                found.setdefault(name if name.endswith(".md") else id_key(name), name)
    return tuple(found.values())


def _named(text: str) -> str:
    """Return the ADR that a part of a claim names; "" for none."""
    if _FILE.fullmatch(text) or _PLAIN.fullmatch(text):
        return text
    titled = _TITLED.fullmatch(text)
    return titled[1] if titled else ""
