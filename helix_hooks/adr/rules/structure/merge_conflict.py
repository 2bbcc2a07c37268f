import re
from collections.abc import Iterator

from ...model import Adr, Found

_MARKERS = rb"(?m)^(?:<{7} |={7}$|>{7} )"


class MergeConflict:
    """Merge conflict markers were left in the file.

    Between the markers stand two versions of the decision, and neither a person nor a rule can say
    which one holds. Keep one version and delete the three marker lines. Nothing else is checked
    until then. Markers that a fenced code block quotes are fine.
    """

    id = "merge-conflict"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        doc = adr.doc
        if b"<<<<<<<" not in doc.data:
            return
        start: re.Match[bytes] | None = None
        split = False
        for marker in re.finditer(_MARKERS, doc.data):
            sign = marker[0][:1]
            if sign == b"<":
                start, split = marker, False
            elif sign == b"=":
                split = start is not None
            elif start and split:
                if not any(
                    fence.start < start.start() and marker.end() <= fence.stop
                    for fence in doc.fences
                ):
                    yield Found(
                        line=doc.line_at(start.start()),
                        message="merge conflict markers are left in the file",
                        help="keep one of the two versions and delete the markers",
                        end_line=doc.line_at(marker.start()),
                    )
                    return
                start = None
