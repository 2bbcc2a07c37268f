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
        filename_id = entry.named
        if not filename_id:
            return
        if _header_differs(entry):
            yield RuleResult(
                line=entry.id_line,
                message=f"the header says {entry.id}, but the file name says {filename_id}",
                help="make the two the same",
                words=entry.id,
                subject=f"{entry.declared} {filename_id}",
            )
        elif _title_differs(entry):
            yield RuleResult(
                line=entry.title_line,
                message=f"the title says {entry.titled}, but the file name says {filename_id}",
                help="make the two the same",
                severity="warning",
                words=entry.titled,
                subject=f"{entry.titled} {filename_id}",
            )


def _header_differs(entry: Entry) -> bool:
    """Return whether the header's id contains a number and shares none with the file name."""
    header_id, filename_id = entry.declared, entry.named
    header_numbers = set(map(int, re.findall(_NUMBER, header_id)))
    if not header_numbers or header_id == filename_id:
        return False
    return header_numbers.isdisjoint(map(int, re.findall(r"\d+", filename_id)))


def _title_differs(entry: Entry) -> bool:
    header_id, title_id, filename_id = entry.declared, entry.titled, entry.named
    # A title that repeats the header's id needs no second check.
    if not title_id or title_id == header_id:
        return False
    return filename_id.isdigit() and title_id != filename_id
