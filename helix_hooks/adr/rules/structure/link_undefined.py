import re
from collections.abc import Iterator

from ...model import Adr, RuleResult, rule

_REFERENCE = r"(?<![\w\]!])\[(?=[^\]]*[^\W\d_]{3})([^\[\]\n]{3,120})\]\[([^\[\]\n]{1,80})\]"
"""A link with a label, as a reader sees it without the definition; `[A-Z][0-9]` is a pattern."""


@rule("link-undefined", "structure", "error")
def link_undefined(adr: Adr) -> Iterator[RuleResult]:
    """A link `[text][label]` has no line `[label]: address`.

    A reader sees the brackets instead of a link. In an ADR that existed before it is information.
    Add the line, or write the address after the text: `[text](address)`.
    """
    doc = adr.doc
    if b"][" not in doc.data:
        return
    for match in re.finditer(_REFERENCE, doc.prose(doc.body, len(doc.data))):
        # With markup in its text it is not found in the source: then the title is its line.
        place = doc.prose_markup.find(match[0].encode())
        yield RuleResult(
            line=adr.title_line if place < 0 else doc.line_at(place),
            message=f"the link `{match[0]}` has no definition",
            help=f"add a line `[{match[2]}]: ADDRESS`, or write `[{match[1]}](ADDRESS)`",
            severity="" if adr.is_new else "info",
            words=match[0],
            subject=match[2],
        )
