import re
from collections.abc import Iterator

from ..rule import Adr, Found

_MARKERS = rb"(?ms)^<{7} .*?^={7}$.*?^>{7} "


class MergeConflict:
    """Merge conflict markers were left in the file.

    Between the markers stand two versions of the decision, and neither a person nor a rule can say which one holds.
    Keep one version and delete the three marker lines. Nothing else is checked until then. Markers that a fenced code
    block quotes are fine.
    """

    id = "merge-conflict"
    layer = "structure"
    severity = "error"

    def check(self, adr: Adr) -> Iterator[Found]:
        doc = adr.doc
        if b"<<<<<<< " not in doc.data:
            return
        for match in re.finditer(_MARKERS, doc.data):
            if not any(fence.start < match.start() and match.end() <= fence.stop for fence in doc.fences):
                line = doc.line_at(match.start())
                yield Found(line, "merge conflict markers are left in the file", "keep one of the two versions and delete the markers",
                            end_line=doc.line_at(match.end() - 1))  # fmt: skip
