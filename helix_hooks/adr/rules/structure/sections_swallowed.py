from collections.abc import Iterator
from operator import itemgetter
from typing import TYPE_CHECKING

from ...model import Adr, RuleResult, rule

if TYPE_CHECKING:
    from ...parse.swallowed import Swallowed

_MAX_NAMES = 3


@rule("sections-swallowed", "structure", "error")
def sections_swallowed(adr: Adr) -> Iterator[RuleResult]:
    """A code block, a comment or raw HTML contains sections.

    The source looks complete, but GitHub shows the sections as code, or not at all. This happens if
    a code block or a comment is never closed. It also happens if a block with three backticks is
    inside another block with three: the inner closing line ends the outer block, and the outer
    closing line starts a new one. Close the block or the comment, or use four backticks for the
    outer block. Raw HTML is read if it is simple: known elements such as `<details>`, closed in
    order, without `style`, `class` or `hidden`. Other raw HTML may hide the text in it, and, if it
    is not closed, all that follows. Only sections below the second level are a warning.
    """
    doc = adr.doc
    spans = [*doc.shown.doubts, *map(itemgetter(1, 2), doc.fences)]
    # A quick test, since most code blocks have no heading.
    if not any(doc.data.find(b"##", start, stop) >= 0 for start, stop in spans):
        return
    from ...parse.swallowed import swallowed

    for region in swallowed(doc):
        is_mild = all(level > 2 for _, level, _ in region.titles)
        yield RuleResult(
            line=region.line,
            message=f"{region.reason} and hides the sections {_names(region)}",
            help=region.help,
            severity="warning" if is_mild else "",
            subject="\n".join(title for _, _, title in region.titles),
        )


def _names(region: "Swallowed") -> str:
    titles = region.titles
    names = ", ".join(f"'{title}' (line {line})" for line, _, title in titles[:_MAX_NAMES])
    if len(titles) > _MAX_NAMES:
        names += f" and {len(titles) - _MAX_NAMES} more"
    return names
