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
        named = entry.named
        if not named:
            return
        if _header_differs(entry):
            yield RuleResult(
                line=entry.id_line,
                message=f"the header says {entry.id}, but the file name says {named}",
                help="make the two the same",
                words=entry.id,
            )
        elif _title_differs(entry):
            yield RuleResult(
                line=entry.title_line,
                message=f"the title says {entry.titled}, but the file name says {named}",
                help="make the two the same",
                severity="warning",
                words=entry.titled,
            )


def _header_differs(entry: Entry) -> bool:
    """Return whether the id in the header has a number, and none of the file name."""
    numbers = set(map(int, re.findall(_NUMBER, entry.declared)))
    if not numbers or entry.declared == entry.named:
        return False
    return numbers.isdisjoint(map(int, re.findall(r"\d+", entry.named)))


def _title_differs(entry: Entry) -> bool:
    # A title with the id of the header is right if that one is.
    if not entry.titled or entry.titled == entry.declared:
        return False
    return entry.named.isdigit() and entry.titled != entry.named
