"""The ADRs that a change claims to implement, read from its messages."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from ..adr.parse import visible
from ..adr.parse.document import parse
from ..adr.reference import id_key
from ..paths import MARKDOWN_SUFFIX, is_markdown
from ..text import without_invisible

TRAILER = "Implements"
_FRONT = b"---\n---\n"
"""An empty front matter, so that the text has none of its own."""
_MAX_CLAIMS = 20
_MAX_CHARACTERS = 200
_LINE = re.compile(
    rf"(?im)^[ \t]*(?:[-*+][ \t]+)*[*_]{{0,3}}{TRAILER}[*_]{{0,3}}[ \t]?:[ \t]*"
    r"((?:[^\n]{0,4000},[ \t]*\n[ \t]+){0,20}[^\n]{1,4000})(?![^\n,;&\s])"
)
_LINKED = re.compile(r"\[([^\[\]]*)\](?:\([^()]*\))?")
_SEPARATOR = re.compile(r"[,;&]|\s+and\s+|\s+(?=adr[-_ ]?\d)", re.IGNORECASE)
_PLAIN = re.compile(r"(?:adrs?[-_ #]*)?[\w.-]*\d[\w.-]*", re.IGNORECASE)
_FILE = re.compile(rf"[\w./@+-]*\w{MARKDOWN_SUFFIX}")
_TITLED = re.compile(r"(adrs?[-_ #]*\d[\w.-]*?|0\d+)(?::|[ .:]*[ (\u2013\u2014]).*", re.IGNORECASE)
"""An id and a title, as in `ADR-014: Use Kafka`."""
_HYPHENS = str.maketrans(dict.fromkeys("\u2010\u2011", "-"))


def claimed_in(message: str) -> tuple[str, ...]:
    """Return the ids and files that a commit message or a pull request's text claims.

    Each is returned once, as written. `Implements: ADR-014, ADR-015` on a line of its own claims
    two. A title after an id is ignored.
    """
    names: dict[str, str] = {}
    text = without_invisible(message.replace("\r\n", "\n")).translate(_HYPHENS)
    for match in _LINE.finditer(text):
        for part in _SEPARATOR.split(_LINKED.sub(r"\1", match[1])):
            name = _named(part.strip().strip("`*_.").strip())
            if name:
                names.setdefault(claim_key(name), name)
    return tuple(names.values())


def _named(text: str) -> str:
    """Return the id or the file of an ADR in a part of a claim; "" if it has none."""
    if _FILE.fullmatch(text) or _PLAIN.fullmatch(text):
        return text
    titled = _TITLED.fullmatch(text)
    return titled[1] if titled else ""


class Claims(NamedTuple):
    """The claimed ids and files as written, and the number of those that are left out."""

    ids: tuple[str, ...]
    left_out: int


def first_claims(markdown: str, messages: Iterable[str]) -> Claims:
    """Return at most 20 ids and files that the text of a pull request and its commits claim.

    Those that must mean an ADR come first; others may be tickets. The text is Markdown, in which
    comments, code, quotes and struck-out lines claim nothing.
    """
    names: dict[str, str] = {}
    for message in (_trailers(markdown), *messages):
        for name in claimed_in(message):
            names.setdefault(claim_key(name), name)
    ids = [name for name in names.values() if len(name) <= _MAX_CHARACTERS]
    ids.sort(key=lambda name: not says_adr(name))
    first = tuple(ids[:_MAX_CLAIMS])
    return Claims(first, len(names) - len(first))


def _trailers(markdown: str) -> str:
    """Return the lines with a trailer that is not code; the ids in it may be code."""
    doc = parse(_FRONT + markdown.encode(errors="replace"), "")
    runs, end = doc.shown.runs, len(doc.data)
    without_code = visible.Kind.ASIDE | visible.Kind.SPAN
    lines, plain = (
        visible.text(runs, 0, end, kinds).split("\n")
        for kinds in (visible.Kind.ASIDE, without_code)
    )
    trailers = (
        line for line, rest in zip(lines, plain, strict=False) if TRAILER.lower() in rest.lower()
    )
    return "\n".join(trailers)


def claim_key(name: str) -> str:
    """Return a key that all spellings of a claim share.

    It is the path of a file, since ADRs of two folders may have the same number.
    """
    if is_markdown(name):
        return name
    return id_key(name)


def says_adr(name: str) -> bool:
    """Return whether a name must mean an ADR. Any other one may be that of a ticket."""
    return name.casefold().startswith("adr") or is_markdown(name)
