import re
from collections.abc import Iterator

from ...corpus import Corpus, Entry
from ...model import Found


class IdFilenameMismatch:
    """The id in the header or title is not the one in the file name.

    A reader who looks for ADR-14 opens the file 0014 and finds another decision. It happens when an
    ADR is copied or renumbered and one of the two places is forgotten. A header that differs is an
    error, a title a warning. A file name without a number says nothing.
    """

    id = "id-filename-mismatch"
    layer = "corpus"
    severity = "error"

    def check(self, entry: Entry, _corpus: Corpus) -> Iterator[Found]:
        named = entry.named
        if not named:
            return
        numbers = {
            int(number)
            for number in re.findall(r"(?<![0-9a-f])\d{1,6}(?![0-9a-f])", entry.declared)
        }
        if (
            numbers
            and entry.declared != named
            and not numbers.intersection(map(int, re.findall(r"\d+", named)))
        ):
            yield Found(
                line=entry.id_line,
                message=f"the header says {entry.id}, but the file name says {named}",
                help="correct the wrong one",
                words=entry.id,
            )
        elif (
            entry.titled
            and entry.titled != entry.declared
            and named.isdigit()
            and entry.titled != named
        ):
            yield Found(
                line=entry.title_line,
                message=f"the title says {entry.titled}, but the file name says {named}",
                help="correct the wrong one",
                severity="warning",
                words=entry.titled,
            )
