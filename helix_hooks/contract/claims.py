"""The ADRs that a change claims to implement, by its messages."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..adr.reference import id_key
from ..text.invisible import without_invisible

TRAILER = "Implements"
_MOST = 20
_LONGEST = 200
_LINE = re.compile(
    rf"(?im)^[ \t]*(?:[-*+>][ \t]+)*[*_`]{{0,3}}{TRAILER}[*_`]{{0,3}}[ \t]?:[ \t]*"
    r"((?:[^\n]{0,300},[ \t]*\n[ \t]+){0,20}[^\n]{1,300})(?![^\n,;&\s])"
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
                found.setdefault(claim_key(name), name)
    return tuple(found.values())


def _named(text: str) -> str:
    """Return the ADR that a part of a claim names; "" for none."""
    if _FILE.fullmatch(text) or _PLAIN.fullmatch(text):
        return text
    titled = _TITLED.fullmatch(text)
    return titled[1] if titled else ""


class Claims(NamedTuple):
    """Ids that are claimed, as they are written, and the number of those that are left out."""

    ids: tuple[str, ...]
    left_out: int


def first_claims(texts: Iterable[str]) -> Claims:
    """Return 20 ids and paths at most that some texts claim, first those that must mean an ADR."""
    found: dict[str, str] = {}
    for text in texts:
        for name in claimed_in(text):
            found.setdefault(claim_key(name), name)
    ids = [name for name in found.values() if len(name) <= _LONGEST]
    ids.sort(key=lambda name: not says_adr(name))
    return Claims(tuple(ids[:_MOST]), len(found) - len(ids[:_MOST]))


def claim_key(name: str) -> str:
    """Return what two spellings of a claim have in common. A path stands for itself, since ADRs of
    two folders may have the same number.
    """
    return name if name.endswith(".md") else id_key(name)


def says_adr(name: str) -> bool:
    """Return whether a name must mean an ADR, unlike that of a ticket."""
    return name.casefold().startswith("adr") or name.endswith(".md")
