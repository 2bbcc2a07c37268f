import re
from collections.abc import Iterator

from ....text import listed
from ...model import Adr, RuleResult, rule
from ...parse.document import AdrDocument
from ...parse.visible import Fence

_HEADING = rb"(?m)^ {0,3}(#{2,6})[ \t]+(\S.*)$"
_INDENT = b" \t>"
_OPENING = rb"(?:(?:[-*+]|\d{1,9}[.)])[ \t]*)?(`{3,}|~{3,})"


@rule("sections-swallowed", "structure", "error")
def sections_swallowed(adr: Adr) -> Iterator[RuleResult]:
    """A code block, a comment or raw HTML contains sections.

    The source looks complete, but GitHub shows the sections as code, or not at all. Common causes:
    a code block or a comment that is never closed, and a block with three backticks inside another
    block with three. Close the block or the comment, or use four backticks for the outer block.

    Raw HTML is read if it is simple: known elements such as `<details>`, closed in order, without
    `style`, `class` or `hidden`. Other raw HTML may hide its text.

    If only sections below the second level are hidden, the finding is a warning.
    """
    doc = adr.doc
    regions: list[tuple[int, int, str, str]] = []
    fences = [fence for fence in doc.fences if fence.info is not None]
    if fences and _is_unclosed(doc, fences[-1]):
        reason = "the code fence opened here is never closed"
        regions.append((fences[-1].start, fences[-1].stop, reason, "close the fence"))
    for start, stop in doc.shown.doubts:
        reason = "the raw HTML here is not simple, or not closed,"
        help = "close it, and use plain elements without `style`, `class` and `hidden`"
        if doc.data.startswith(b"<!--", start):
            reason, help = "the comment opened here is never closed", "close it with -->"
        regions.append((start, stop, reason, help))
    for start, stop, reason, help in regions:
        headings = list(re.finditer(_HEADING, doc.data[start:stop]))
        if not headings:
            continue
        titles = [heading[2].decode().strip("# \t") for heading in headings]
        lines = [doc.line_at(start + heading.start()) for heading in headings]
        names = [f"'{title}' (line {line})" for title, line in zip(titles, lines, strict=True)]
        is_mild = all(len(heading[1]) > 2 for heading in headings)
        yield RuleResult(
            line=doc.line_at(start),
            message=f"{reason} and hides the sections {listed(names)}",
            help=help,
            severity="warning" if is_mild else "",
            subject="\n".join(titles),
        )


def _is_unclosed(doc: AdrDocument, fence: Fence) -> bool:
    """Return whether a fence ends with the document, not with its closing line."""
    if doc.data[fence.stop :].strip():
        return False
    lines = doc.data[fence.start : fence.stop].split(b"\n")
    opening = re.match(_OPENING, lines[0].lstrip(_INDENT))
    if not opening or len(lines) == 1:
        return True
    last = lines[-1] if lines[-1].strip() else lines[-2]
    closing = last.strip(_INDENT)
    is_same_mark = set(closing) == set(opening[1])
    return not is_same_mark or len(closing) < len(opening[1])
