"""Inline suppressions: `<!-- helix-disable RULE - reason -->` and `<!-- helix-disable-next-line
RULE - reason -->`.

The reason in the comment explains why the finding is wrong or acceptable.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..finding import Finding
from .parse.document import AdrDocument
from .parse.prose import reason_of

_MARK = b"helix-disable"
_COMMENT = r"helix-disable(-next-line)?\b(.*)"
Used = set[tuple[int, str]]
"""Line and rule of the comments that suppressed something."""

_REASON = r"\s+[-–—]+\s+|\s*:\s+"


class Suppression(NamedTuple):
    """A suppressing comment: its `line`, its `rules`, and `only` the line it applies to (0: all
    lines).
    """

    line: int
    only: int
    rules: tuple[str, ...]
    reason: str


class Suppressed(NamedTuple):
    """A finding that is not reported, and why; `by` is inline or baseline."""

    finding: Finding
    by: str
    reason: str


def suppressions(doc: AdrDocument) -> tuple[Suppression, ...]:
    """Return the suppressing comments of a document, in order. In code they are examples."""
    if not doc.comments or _MARK not in doc.data.lower():
        return ()
    return tuple(_read(doc))


def _read(doc: AdrDocument) -> Iterator[Suppression]:
    for start, stop in doc.comments:
        comment = doc.data[start:stop].decode().removeprefix("<!--").removesuffix("-->")
        match = re.fullmatch(_COMMENT, " ".join(comment.split()), re.IGNORECASE)
        if not match:
            continue
        names, *rest = re.split(_REASON, f"{match[2]} ", maxsplit=1)
        yield Suppression(
            line=doc.line_at(start),
            only=_next_line(doc, stop) if match[1] else 0,
            rules=tuple(filter(None, re.split(r"[,\s]+", names))),
            reason=reason_of("".join(rest).strip()),
        )


def _next_line(doc: AdrDocument, stop: int) -> int:
    """Return the next line that is not empty."""
    line = doc.line_at(stop - 1) + 1
    end = doc.data.find(b"\n", stop)
    if end < 0:
        return line
    # A match in place, since a copy of the rest for each of many comments would be slow.
    blank = re.compile(rb"\s*").match(doc.data, end + 1)
    return line + (blank[0].count(b"\n") if blank else 0)


def _by_place(comments: tuple[Suppression, ...]) -> dict[tuple[str, int], tuple[int, Suppression]]:
    """Return the first comment with a reason, and its number, for each rule and line (0: all)."""
    by_place: dict[tuple[str, int], tuple[int, Suppression]] = {}
    for number, comment in enumerate(comments):
        if comment.reason:
            for rule in comment.rules:
                by_place.setdefault((rule, comment.only), (number, comment))
    return by_place


def apply(
    findings: Iterable[Finding], comments: tuple[Suppression, ...], firm: frozenset[str]
) -> tuple[list[Finding], list[Suppressed], Used]:
    """Return the reported findings, the suppressed ones, and the comments that suppress them.

    `firm` rules cannot be suppressed.
    """
    reported: list[Finding] = []
    suppressed: list[Suppressed] = []
    used: Used = set()
    by_place = _by_place(comments)
    for finding in findings:
        places = [(finding.check, 0), (finding.check, finding.line)]
        covering = [by_place[place] for place in places if place in by_place]
        if not covering or finding.check in firm:
            reported.append(finding)
            continue
        _, comment = min(covering)
        used.add((comment.line, finding.check))
        suppressed.append(Suppressed(finding, "inline", comment.reason))
    return reported, suppressed, used
