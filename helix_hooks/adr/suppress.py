"""Inline suppressions: `<!-- helix-disable RULE - reason -->` and `<!-- helix-disable-next-line
RULE - reason -->`.

The comment tells the next reader that someone looked, and why the finding is wrong or bearable
here.
"""

import re
from collections.abc import Iterable, Iterator

from ..finding import Finding
from ..records import NamedTuple
from .parse.document import AdrDocument
from .parse.prose import reason_of

_MARK = b"helix-disable"
_COMMENT = r"helix-disable(-next-line)?\b(.*)"
Used = set[tuple[int, str]]
"""Line and rule of the comments that suppressed something."""

_REASON = r"\s+[-–—]+\s+|\s*:\s+"


class Suppression(NamedTuple):
    """A suppressing comment: `rules` it names, `line` it stands on, `only` the line it is about (0:
    the whole file).
    """

    line: int
    only: int
    rules: tuple[str, ...]
    reason: str


class Suppressed(NamedTuple):
    """A finding that is not reported, `by` whom (inline or baseline) and why."""

    finding: Finding
    by: str
    reason: str


def suppressions(doc: AdrDocument) -> tuple[Suppression, ...]:
    """The suppressing comments of a document, in order; one in a code block is an example."""
    if not doc.comments or _MARK not in doc.data.lower():
        return ()
    return tuple(_read(doc))


def _read(doc: AdrDocument) -> Iterator[Suppression]:
    for start, stop in doc.comments:
        text = " ".join(
            doc.data[start:stop].decode().removeprefix("<!--").removesuffix("-->").split()
        )
        match = re.fullmatch(_COMMENT, text, re.IGNORECASE)
        if match:
            names, *reason = re.split(_REASON, f"{match[2]} ", maxsplit=1)
            rules = tuple(name for name in re.split(r"[,\s]+", names) if name)
            yield Suppression(
                doc.line_at(start),
                _next_line(doc, stop) if match[1] else 0,
                rules,
                reason_of(reason[0].strip()) if reason else "",
            )


def _next_line(doc: AdrDocument, stop: int) -> int:
    """The next line that is not empty."""
    end = doc.data.find(b"\n", stop)
    blank = re.compile(rb"\s*").match(doc.data, end + 1) if end >= 0 else None
    return doc.line_at(stop - 1) + 1 + (blank[0].count(b"\n") if blank else 0)


def _by_place(comments: tuple[Suppression, ...]) -> dict[tuple[str, int], tuple[int, Suppression]]:
    """For a rule and the line a comment is about, the first comment that says why, with its
    number.
    """
    found: dict[tuple[str, int], tuple[int, Suppression]] = {}
    for number, comment in enumerate(comments):
        for rule in comment.rules if comment.reason else ():
            found.setdefault((rule, comment.only), (number, comment))
    return found


def apply(
    findings: Iterable[Finding], comments: tuple[Suppression, ...], firm: frozenset[str]
) -> tuple[list[Finding], list[Suppressed], Used]:
    """The findings that stay, those that a comment suppresses, and by what; `firm` rules can't be
    suppressed.
    """
    kept: list[Finding] = []
    suppressed: list[Suppressed] = []
    used: Used = set()
    covering = _by_place(comments)
    for finding in findings:
        found = (
            [covering.get((finding.check, only)) for only in (0, finding.line)]
            if finding.check not in firm
            else []
        )
        comment = min((numbered for numbered in found if numbered), default=(0, None))[1]
        if comment:
            used.add((comment.line, finding.check))
            suppressed.append(Suppressed(finding, "inline", comment.reason))
        else:
            kept.append(finding)
    return kept, suppressed, used
