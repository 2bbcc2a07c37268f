import re
from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import RuleResult

_NUMBER = r"(?<![0-9a-f])\d{1,6}(?![0-9a-f])"
"""A number that is not part of a hash."""


class IdFilenameMismatch:
    """The id in the header or title differs from the number in the file name.

    A reader who looks for ADR-14 opens the file 0014 and finds another decision. This happens if an
    ADR is copied or renumbered and one of the two places is forgotten. A different id in the header
    is an error, in the title a warning. A file name without a number is not compared. Make both the
    same.
    """

    id = "id-filename-mismatch"
    layer = "corpus"
    severity = "error"

    def check(self, entry: Entry, _corpus: Corpus) -> Iterator[RuleResult]:
        declared, titled, filename_id = entry.declared, entry.titled, entry.named
        if not filename_id:
            return
        in_header = set(map(int, re.findall(_NUMBER, declared)))
        in_filename = map(int, re.findall(r"\d+", filename_id))
        if declared != filename_id and in_header and in_header.isdisjoint(in_filename):
            yield RuleResult(
                line=entry.id_line,
                message=f"the header says {entry.id}, but the file name says {filename_id}",
                help="make the two the same",
                words=entry.id,
                subject=f"{declared} {filename_id}",
            )
        # A title that repeats the header's id needs no second check.
        elif titled not in ("", declared, filename_id) and filename_id.isdigit():
            yield RuleResult(
                line=entry.title_line,
                message=f"the title says {titled}, but the file name says {filename_id}",
                help="make the two the same",
                severity="warning",
                words=titled,
                subject=f"{titled} {filename_id}",
            )
