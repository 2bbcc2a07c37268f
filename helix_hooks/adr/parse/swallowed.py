"""Sections that no reader sees, since a code fence, comment or raw HTML is not closed."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .document import AdrDocument
from .visible import Fence

_HEADING = rb"(?m)^ {0,3}(#{2,6})[ \t]+(\S.*)$"
_INDENT = b" \t>"
_MARKER = rb"(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?(`{3,}|~{3,})[ \t]*([^`\n]*)"


class Swallowed(NamedTuple):
    """A region that hides headings: its first line, the reason, and the headings.

    `titles` are the hidden headings as (line, level, title).
    """

    line: int
    reason: str
    help: str
    titles: tuple[tuple[int, int, str], ...]


def swallowed(doc: AdrDocument) -> Iterator[Swallowed]:
    """Yield the regions of a document that hide sections by accident.

    They are fences, comments and raw HTML that are never closed, raw HTML that may hide text, and
    fences without a language after a fence
    in which another one was opened: the inner closing line ended the outer fence, and the outer
    closing line opened a new one.
    """
    fences = [fence for fence in doc.fences if fence.info is not None]
    if any(_may_have_headings(doc, fence) for fence in fences):
        yield from _fences(doc, fences)
    yield from _doubts(doc)


def _may_have_headings(doc: AdrDocument, fence: Fence) -> bool:
    return b"##" in doc.data[fence.start : fence.stop]


def _fences(doc: AdrDocument, fences: list[Fence]) -> Iterator[Swallowed]:
    outer: Fence | None = None
    for fence in fences:
        lines = doc.data[fence.start : fence.stop].split(b"\n")
        if _may_have_headings(doc, fence):
            yield from _hidden_by(doc, fence, lines, outer, is_last=fence is fences[-1])
        if _opens_another(lines):
            outer = fence


def _hidden_by(
    doc: AdrDocument, fence: Fence, lines: list[bytes], outer: Fence | None, is_last: bool
) -> Iterator[Swallowed]:
    """Yield the headings in a fence that was opened or left open by accident.

    `outer` is the last fence before it in which another one was opened.
    """
    titles = _titles(doc, fence.start, fence.stop)
    if not titles:
        return
    line = doc.line_at(fence.start)
    if outer and not (fence.info or "").strip():
        outer_line = doc.line_at(outer.start)
        reason = f"this line opens a new code fence instead of closing the one on line {outer_line}"
        fix = f"use four backticks to open and close the outer fence on line {outer_line}"
        yield Swallowed(line, reason, fix, titles)
    elif is_last and _is_unclosed(doc, fence, lines):
        yield Swallowed(
            line, "the code fence opened here is never closed", "close the fence", titles
        )


def _doubts(doc: AdrDocument) -> Iterator[Swallowed]:
    for start, stop in doc.shown.doubts:
        titles = _titles(doc, start, stop)
        if not titles:
            continue
        if doc.data.startswith(b"<!--", start):
            reason = "the comment opened here is never closed"
            fix = "close it with -->"
        else:
            reason = "the raw HTML here is not simple, or not closed,"
            fix = "close it, and use plain elements without `style`, `class` and `hidden`"
        yield Swallowed(doc.line_at(start), reason, fix, titles)


def _titles(doc: AdrDocument, start: int, stop: int) -> tuple[tuple[int, int, str], ...]:
    titles: list[tuple[int, int, str]] = []
    for match in re.finditer(_HEADING, doc.data[start:stop]):
        line = doc.line_at(start + match.start())
        titles.append((line, len(match[1]), match[2].decode().strip("# \t")))
    return tuple(titles)


def _is_unclosed(doc: AdrDocument, fence: Fence, lines: list[bytes]) -> bool:
    """Return whether a fence ends with the document, not with its closing line."""
    if doc.data[fence.stop :].strip():
        return False
    opening = re.match(_MARKER, lines[0].lstrip(_INDENT))
    if not opening or len(lines) == 1:
        return True
    last = lines[-1] if lines[-1].strip() else lines[-2]
    closing = last.strip(_INDENT)
    is_same_mark = set(closing) == set(opening[1])
    return not is_same_mark or len(closing) < len(opening[1])


def _opens_another(lines: list[bytes]) -> bool:
    """Return whether a fence with a language and as many marks opens inside a fence.

    The end of the inner fence then ends the outer one.
    """
    opening = re.match(_MARKER, lines[0].lstrip(_INDENT))
    if not opening:
        return False
    marks = opening[1]
    for line in lines[1:]:
        if marks[:3] not in line:
            continue
        inner = re.match(_MARKER, line.lstrip(_INDENT))
        if inner and inner[1].startswith(marks) and inner[2].strip():
            return True
    return False
