"""Sections that the author meant and that no reader sees, because a fence or comment above them
stayed open.
"""

import re
from collections.abc import Iterator

from ...records import NamedTuple
from .document import AdrDocument, Fence

_HEADING = rb"(?m)^ {0,3}(#{2,6})[ \t]+(\S.*)$"
_INDENT = b" \t>"
_MARKER = rb"(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?(`{3,}|~{3,})[ \t]*([^`\n]*)"


class Swallowed(NamedTuple):
    """A region that hides headings: where it opens, why, and the hidden headings as (line, level,
    title).
    """

    line: int
    reason: str
    help: str
    titles: tuple[tuple[int, int, str], ...]


def swallowed(doc: AdrDocument) -> Iterator[Swallowed]:
    """The regions of a document that hide sections by accident.

    An accident is a fence or comment that never closes, or a fence without a language that follows
    a fence in which another one was opened: the inner closing line ended the outer fence, and the
    outer closing line opened a new one.
    """
    fences = [fence for fence in doc.fences if fence.info is not None]
    if any(b"##" in doc.data[fence.start : fence.stop] for fence in fences):
        yield from _fences(doc, fences)
    yield from _comments(doc)


def _fences(doc: AdrDocument, fences: list[Fence]) -> Iterator[Swallowed]:
    nested: Fence | None = None
    for fence in fences:
        lines = doc.data[fence.start : fence.stop].split(b"\n")
        titles = (
            _titles(doc, fence.start, fence.stop)
            if b"##" in doc.data[fence.start : fence.stop]
            else ()
        )
        if titles and nested and not (fence.info or "").strip():
            outer = doc.line_at(nested.start)
            reason = f"this line was meant to close the fence of line {outer} but opens a new one"
            yield Swallowed(
                doc.line_at(fence.start),
                reason,
                f"open and close the outer fence of line {outer} with four backticks",
                titles,
            )
        elif titles and fence is fences[-1] and _unclosed(doc, fence, lines):
            yield Swallowed(
                doc.line_at(fence.start),
                "the code fence opened here is never closed",
                "close the fence",
                titles,
            )
        nested = fence if _opens_another(lines) else nested


def _comments(doc: AdrDocument) -> Iterator[Swallowed]:
    for start, stop in doc.comments:
        if stop == len(doc.data) and not doc.data.rstrip().endswith(b"-->"):
            titles = _titles(doc, start, stop)
            if titles:
                yield Swallowed(
                    doc.line_at(start),
                    "the comment opened here is never closed",
                    "close it with -->",
                    titles,
                )


def _titles(doc: AdrDocument, start: int, stop: int) -> tuple[tuple[int, int, str], ...]:
    found = re.finditer(_HEADING, doc.data[start:stop])
    return tuple(
        (doc.line_at(start + match.start()), len(match[1]), match[2].decode().strip("# \t"))
        for match in found
    )


def _unclosed(doc: AdrDocument, fence: Fence, lines: list[bytes]) -> bool:
    if doc.data[fence.stop :].strip():
        return False
    opening = re.match(_MARKER, lines[0].lstrip(_INDENT))
    last = lines[-1] if lines[-1].strip() else lines[-2]
    closing = last.strip(b" \t>")
    return not (
        opening
        and len(lines) > 1
        and set(closing) == set(opening[1])
        and len(closing) >= len(opening[1])
    )


def _opens_another(lines: list[bytes]) -> bool:
    """Return whether another fence with a language, of as many marks at least, opens in a fence:
    its end was taken for the outer one's.
    """
    opening = re.match(_MARKER, lines[0].lstrip(_INDENT))
    if not opening:
        return False
    inner = (
        re.match(_MARKER, line.lstrip(_INDENT)) for line in lines[1:] if opening[1][:3] in line
    )
    return any(match and match[1].startswith(opening[1]) and match[2].strip() for match in inner)
