"""The anchors of a document: those of its headings as GitHub makes them, and explicit ones."""

import re
from collections.abc import Iterable, Iterator

from ...yaml_values import nearest
from .document import AdrDocument
from .visible import CODE, SPAN

_LINK = rb"\]\(\s*<?#([^)\s>]+)|(?m:^) {0,3}\[[^\]\n]+\]:[ \t\r]*(?:\n[ \t]*)?<?#([^\s>]+)"
_EXPLICIT = rb"(?i)<[a-z][^<>]*?\s(?:id|name)\s*=\s*[\"']?([^\"'\s>]+)"
_CUSTOM = rb"\{:?[ \t]*#([\w.:-]{1,200})"
_IN_BLOCK = rb"(?m)^[ \t>*+\d.-]*#{1,6}[ \t]+(\S[^\n]*)$"
_IMAGE_OR_LINK = r"!?\[([^\[\]]*)\]\([^()]*\)"
_PREFIX = "user-content-"
_ELSEWHERE = ("/", "!", ":~:", "fn", "?")
"""First signs of what is no anchor of a heading: routes, marks of a text, footnotes."""
_TOP = "top"
_MOST_NEAREST = 5
"""Lost anchors for which the nearest one is looked up."""


def lost_anchors(doc: AdrDocument) -> Iterator[tuple[int, str, str]]:
    """The links to anchors of this document that are not there: line, anchor, and the nearest one
    that is.
    """
    there: set[str] = set()
    loose: set[str] = set()
    seen: set[str] = set()
    lost = 0
    for match in re.finditer(_LINK, doc.prose_markup):
        anchor = _decoded(match[1] or match[2])
        if anchor in seen or anchor.startswith(_ELSEWHERE) or anchor.casefold() == _TOP:
            continue
        seen.add(anchor)
        if not there:
            there = {"", *anchors(doc)}
            loose = set(map(_loose, there))
        name = anchor.removeprefix(_PREFIX).casefold()
        if name in there or _loose(name) in loose or in_code(doc, match.start()):
            continue
        lost += 1
        near = nearest(name, sorted(there), 0.7) if lost <= _MOST_NEAREST else ""
        yield doc.line_at(match.start()), anchor, near


def in_code(doc: AdrDocument, offset: int) -> bool:
    """Return whether an offset lies in code, of a line or a block."""
    index = doc.runs_between(offset + 1, offset + 1)[0] - 1
    if index < 0:
        return False
    start, stop, _, kind = doc.shown.runs[index]
    return start <= offset < stop and bool(kind & (SPAN | CODE))


def anchors(doc: AdrDocument) -> set[str]:
    """All anchors of a document, in small letters."""
    title = [doc.title] if doc.title else []
    headings = sorted((part.heading_start, part.start) for part in (*title, *doc.sections))
    found = set(_slugs(doc.visible(start, stop).strip() for start, stop in headings))
    for pattern in (_EXPLICIT, _CUSTOM):
        found.update(
            match[1].decode().removeprefix(_PREFIX).casefold()
            for match in re.finditer(pattern, doc.data)
        )
    titles = (match[1].decode().rstrip("# ") for match in re.finditer(_IN_BLOCK, doc.markup))
    found.update(_slugs(re.sub(_IMAGE_OR_LINK, r"\1", title).strip() for title in titles))
    return found


def _slugs(titles: Iterable[str]) -> Iterator[str]:
    """The anchors of headings in their order: the second of a name ends in `-1`."""
    taken: dict[str, int] = {}
    for title in titles:
        name = slug = slug_of(title)
        while slug in taken:
            taken[name] += 1
            slug = f"{name}-{taken[name]}"
        taken[slug] = 0
        yield slug


def slug_of(title: str) -> str:
    """The anchor that GitHub gives to a heading."""
    text = title.casefold()
    if text.endswith("}") and (text.rpartition("{")[2][:1] in ("#", ":")):
        text = text.rpartition("{")[0].rstrip()
    return "".join(filter(_stays, text.replace("\n", " "))).replace(" ", "-")


def _stays(sign: str) -> bool:
    if sign.isascii():
        return sign.isalnum() or sign in " -_"
    from unicodedata import category

    return category(sign)[0] in "LMN" or category(sign) == "Pc"


def _loose(anchor: str) -> str:
    """An anchor as GitLab and Jekyll make it: hyphens once, nothing before the first letter."""
    return re.sub(r"-+", "-", anchor).lstrip("0123456789-_").rstrip("-")


def _decoded(anchor: bytes) -> str:
    plain = re.sub(rb"%([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), anchor)
    return plain.decode(errors="replace")
