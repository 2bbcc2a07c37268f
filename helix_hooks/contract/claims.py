"""The ADRs that a change claims to implement, by its messages."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..adr.reference import id_key

TRAILER = "Implements"
_LINE = re.compile(rf"(?im)^[ \t]*{TRAILER}:[ \t]*(\S[^\n]{{0,300}})$")
_SEPARATOR = re.compile(r"[,;]|\s+and\s+")
_MOST = 20
_LONGEST = 200
_PLAIN = re.compile(r"(?:adrs?[-_ #]*)?[\w.-]*\d[\w.-]*|[\w.@+/-]+\.md", re.IGNORECASE)


def claimed_in(message: str) -> tuple[str, ...]:
    """Return the ids and paths that a commit message or a pull request's text claims, as they are
    written.

    `Implements: ADR-014, ADR-015` on a line of its own claims two.
    """
    found: dict[str, str] = {}
    for match in _LINE.finditer(message.replace("\r\n", "\n")):
        for part in _SEPARATOR.split(match[1]):
            text = part.strip().strip("`*_.").strip()
            if _PLAIN.fullmatch(text):
                found.setdefault(id_key(text), text)
    return tuple(found.values())


class Claims(NamedTuple):
    """Ids that are claimed, as they are written, and the number of those that are left out."""

    ids: tuple[str, ...]
    left_out: int


def first_claims(texts: Iterable[str]) -> Claims:
    """Return 20 ids and paths at most that some texts claim, first those that must mean an ADR."""
    found: dict[str, str] = {}
    for text in texts:
        for name in claimed_in(text):
            found.setdefault(id_key(name), name)
    ids = [name for name in found.values() if len(name) <= _LONGEST]
    ids.sort(key=lambda name: not says_adr(name))
    return Claims(tuple(ids[:_MOST]), len(found) - len(ids[:_MOST]))


def says_adr(name: str) -> bool:
    """Return whether a name must mean an ADR, unlike that of a ticket."""
    return name.casefold().startswith("adr") or name.endswith(".md")
