import re
from collections.abc import Iterator

from ...model import Adr, RuleResult, rule

_MARKERS = rb"(?m)^(?:<{7} |={7}$|>{7} )"


@rule("merge-conflict", "structure", "error")
def merge_conflict(adr: Adr) -> Iterator[RuleResult]:
    """Merge conflict markers were left in the file.

    The markers contain two versions of the decision. Neither a person nor a rule can tell which one
    is valid. Keep one version and delete the three marker lines. Nothing else in the file is
    checked until then. Markers in a fenced code block are allowed.
    """
    doc = adr.doc
    if b"<<<<<<<" not in doc.data:
        return
    for start, last, stop in _conflicts(doc.data):
        # In a code block they are an example.
        if not any(fence.start < start and stop <= fence.stop for fence in doc.fences):
            yield RuleResult(
                line=doc.line_at(start),
                message="merge conflict markers are left in the file",
                help="keep one of the two versions and delete the markers",
                end_line=doc.line_at(last),
            )
            return


def _conflicts(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the offsets of the first marker, of the last one, and of its end.

    A conflict has the three markers in their order.
    """
    start: int | None = None
    is_split = False
    for marker in re.finditer(_MARKERS, data):
        sign = marker[0][:1]
        if sign == b"<":
            start, is_split = marker.start(), False
        elif sign == b"=":
            is_split = start is not None
        elif start is not None and is_split:
            yield start, marker.start(), marker.end()
            start = None
