"""The anchors of a document: of its headings, as GitHub generates them, and explicit ones."""

import re
from collections.abc import Iterable, Iterator

from ...yaml_reader import nearest
from .document import AdrDocument
from .visible import CODE, SPAN, indexes

_LINK = rb"\]\(\s*<?#([^)\s>]+)|(?m:^) {0,3}\[[^\]\n]+\]:[ \t\r]*(?:\n[ \t]*)?<?#([^\s>]+)"
_EXPLICIT = rb"(?i)<[a-z][^<>]*?\s(?:id|name)\s*=\s*[\"']?([^\"'\s>]+)"
_CUSTOM = rb"\{:?[ \t]*#([\w.:-]{1,200})"
_IN_BLOCK = rb"(?m)^[ \t>*+\d.-]*#{1,6}[ \t]+(\S[^\n]*)$"
_IMAGE_OR_LINK = r"!?\[([^\[\]]*)\]\([^()]*\)"
_PREFIX = "user-content-"
_ELSEWHERE = ("/", "!", ":~:", "fn", "?")
"""Beginnings of fragments that are not anchors of headings: routes, text fragments, footnotes."""
_TOP = "top"
_MOST_NEAREST = 5
"""Maximum lost anchors for which the most similar one is searched, which is slow."""


def lost_anchors(doc: AdrDocument) -> Iterator[tuple[int, str, str]]:
    """Yield the links to anchors that the document lacks: line, anchor, most similar anchor."""
    present: set[str] = set()
    loose: set[str] = set()
    seen: set[str] = set()
    lost = 0
    for match in re.finditer(_LINK, doc.prose_markup):
        anchor = _decoded(match[1] or match[2])
        if anchor in seen or _is_elsewhere(anchor):
            continue
        seen.add(anchor)
        if not present:
            # Most ADRs have no such link, and need no anchors.
            present = {"", *anchors(doc)}
            loose = set(map(_loose, present))
        name = anchor.removeprefix(_PREFIX).casefold()
        is_present = name in present or _loose(name) in loose
        if is_present or in_code(doc, match.start()):
            continue
        lost += 1
        near = nearest(name, sorted(present), 0.7) if lost <= _MOST_NEAREST else ""
        yield doc.line_at(match.start()), anchor, near


def _is_elsewhere(anchor: str) -> bool:
    return anchor.startswith(_ELSEWHERE) or anchor.casefold() == _TOP


def in_code(doc: AdrDocument, offset: int) -> bool:
    """Return whether an offset is in inline code or a code block."""
    index = indexes(doc.shown.runs, offset + 1, offset + 1)[0] - 1
    if index < 0:
        return False
    start, stop, _, kind = doc.shown.runs[index]
    return start <= offset < stop and bool(kind & (SPAN | CODE))


def anchors(doc: AdrDocument) -> set[str]:
    """Return all anchors of a document, in lowercase."""
    names = set(_slugs(_heading_texts(doc)))
    for pattern in (_EXPLICIT, _CUSTOM):
        for match in re.finditer(pattern, doc.data):
            names.add(match[1].decode().removeprefix(_PREFIX).casefold())
    # GitHub also makes anchors for headings in lists and quotes, which are not sections.
    nested = [match[1].decode().rstrip("# ") for match in re.finditer(_IN_BLOCK, doc.markup)]
    names.update(_slugs(re.sub(_IMAGE_OR_LINK, r"\1", title).strip() for title in nested))
    return names


def _heading_texts(doc: AdrDocument) -> list[str]:
    places = [(section.heading_start, section.start) for section in doc.sections]
    if doc.title:
        places.append((doc.title.heading_start, doc.title.start))
    return [doc.visible(start, stop).strip() for start, stop in sorted(places)]


def _slugs(titles: Iterable[str]) -> Iterator[str]:
    """Yield the anchors of headings in their order: the second of a name ends in `-1`."""
    numbers: dict[str, int] = {}
    for title in titles:
        name = slug = slug_of(title)
        while slug in numbers:
            numbers[name] += 1
            slug = f"{name}-{numbers[name]}"
        numbers[slug] = 0
        yield slug


def slug_of(title: str) -> str:
    """Return the anchor that GitHub generates for a heading."""
    text = title.casefold()
    # Kramdown and Pandoc take an explicit anchor from the end: `## Title {#name}`.
    if text.endswith("}") and text.rpartition("{")[2][:1] in ("#", ":"):
        text = text.rpartition("{")[0].rstrip()
    return "".join(filter(_is_in_slug, text.replace("\n", " "))).replace(" ", "-")


def _is_in_slug(sign: str) -> bool:
    if sign.isascii():
        return sign.isalnum() or sign in " -_"
    from unicodedata import category

    return category(sign)[0] in "LMN" or category(sign) == "Pc"


def _loose(anchor: str) -> str:
    """Return an anchor as GitLab and Jekyll make it: single hyphens, and a letter first."""
    return re.sub(r"-+", "-", anchor).lstrip("0123456789-_").rstrip("-")


def _decoded(anchor: bytes) -> str:
    plain = re.sub(rb"%([0-9A-Fa-f]{2})", lambda code: bytes([int(code[1], 16)]), anchor)
    return plain.decode(errors="replace")
